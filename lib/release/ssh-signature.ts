import {
  concat,
  fromBase64,
  lengthPrefixed,
  sameBytes,
  toBase64,
  uint32,
  utf8,
  WireError,
  WireReader,
} from "./ssh-wire.ts";

/*
 * The form of `ssh-keygen -Y sign` (OpenSSH's PROTOCOL.sshsig), so that a release can be checked where no program of
 * this project is trusted yet. Ed25519 is the one kind of key here.
 */

/** What a signature of a release says it is for, so that one made for something else does not count. */
export const NAMESPACE = "nonzero-release";

/** The kind of every key, in SSH's words. */
export const KEY_TYPE = "ssh-ed25519";

const MAGIC = utf8("SSHSIG");
const VERSION = 1;
const FIRST = "-----BEGIN SSH SIGNATURE-----";
const LAST = "-----END SSH SIGNATURE-----";
const LINE = 70;

/** The digests that a signature may be of. */
export type Hash = "sha256" | "sha512";

/** A signature as its file has it. */
export interface SshSignature {
  /** The 32 bytes of the key that it says made it. */
  readonly key: Uint8Array;
  readonly namespace: string;
  readonly hash: Hash;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

/** What a key signs: the digest of a file, and what the signature is for. */
export function signedBytes(
  digest: Uint8Array,
  hash: Hash,
  namespace: string = NAMESPACE,
): Uint8Array<ArrayBuffer> {
  return concat(
    MAGIC,
    lengthPrefixed(namespace),
    lengthPrefixed(""),
    lengthPrefixed(hash),
    lengthPrefixed(digest),
  );
}

/** A public key of 32 bytes as SSH writes it. */
export function encodeKey(key: Uint8Array): Uint8Array {
  return concat(lengthPrefixed(KEY_TYPE), lengthPrefixed(key));
}

/** The 32 bytes of a public key that SSH wrote. Throws WireError. */
export function decodeKey(bytes: Uint8Array): Uint8Array {
  const reader = new WireReader(bytes);
  const type = reader.text();
  if (type !== KEY_TYPE) throw new WireError(`is ${type || "of no kind"}, not ${KEY_TYPE}`);
  const key = reader.bytes();
  reader.end();
  if (key.length !== 32) throw new WireError("is not 32 bytes long");
  return key;
}

/** The text of a signature's file. */
export function encodeSignature({ key, namespace, hash, signature }: SshSignature): string {
  const blob = concat(
    MAGIC,
    uint32(VERSION),
    lengthPrefixed(encodeKey(key)),
    lengthPrefixed(namespace),
    lengthPrefixed(""),
    lengthPrefixed(hash),
    lengthPrefixed(concat(lengthPrefixed(KEY_TYPE), lengthPrefixed(signature))),
  );
  const lines = toBase64(blob).match(new RegExp(`.{1,${LINE}}`, "g")) ?? [];
  return `${[FIRST, ...lines, LAST].join("\n")}\n`;
}

function unwrap(text: string): Uint8Array {
  const lines = text.trimEnd().split(/\r?\n/);
  if (lines[0] !== FIRST) throw new WireError("is no SSH signature");
  if (lines.at(-1) !== LAST) throw new WireError("is cut short");
  return fromBase64(lines.slice(1, -1).join(""));
}

/** Reads a signature's file. Throws WireError, also where it was made by a key of another kind. */
export function decodeSignature(text: string): SshSignature {
  const reader = new WireReader(unwrap(text));
  if (!sameBytes(reader.take(MAGIC.length), MAGIC)) throw new WireError("is no SSH signature");
  if (reader.uint32() !== VERSION) throw new WireError("is of another version than 1");
  const key = signer(reader.bytes());
  const namespace = reader.text();
  // Reserved: to be ignored.
  reader.bytes();
  const hash = reader.text();
  if (hash !== "sha256" && hash !== "sha512") throw new WireError(`is of an unknown digest "${hash}"`);
  const inner = new WireReader(reader.bytes());
  reader.end();
  if (inner.text() !== KEY_TYPE) throw new WireError(`is not of the kind ${KEY_TYPE}`);
  const signature = inner.bytes();
  inner.end();
  if (signature.length !== 64) throw new WireError("is not 64 bytes long");
  return { key, namespace, hash, signature };
}

function signer(bytes: Uint8Array): Uint8Array {
  try {
    return decodeKey(bytes);
  } catch (error) {
    if (error instanceof WireError) throw new WireError(`is by a key that ${error.message}`);
    throw error;
  }
}

/**
 * Reads a public key: a line `ssh-ed25519 AAAA…` as in a `.pub` file, with or without a comment, or the same behind a
 * name as in a file of allowed signers. Blank lines and those that begin with `#` count for nothing. Throws WireError
 * where there is not exactly one key, or one of another kind.
 */
export function parsePublicKey(text: string): Uint8Array {
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter((line) => !/^(?:#|$)/.test(line));
  const [line = ""] = lines;
  if (lines.length !== 1) {
    throw new WireError(lines.length === 0 ? "holds no key" : "holds more than one key");
  }
  const found = /(?:^|\s)((?:ssh|ecdsa|sk-ssh|sk-ecdsa)-\S+)\s+(\S+)/.exec(line);
  if (found === null) throw new WireError("is no public key of SSH");
  if (found[1] !== KEY_TYPE) throw new WireError(`is ${found[1]}, not ${KEY_TYPE}`);
  return decodeKey(fromBase64(found[2] ?? ""));
}
