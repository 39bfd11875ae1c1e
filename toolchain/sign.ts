/** Signs a release: `sign.ts --key FILE [--sums FILE]` writes SHA256SUMS.sig beside the list. */
import { join } from "@std/path";
import { parseArgs } from "@std/cli/parse-args";
import {
  encodeKey,
  encodeSignature,
  KEY_TYPE,
  NAMESPACE,
  signedBytes,
} from "../lib/release/ssh-signature.ts";
import {
  concat,
  fromBase64,
  sameBytes,
  toBase64,
  utf8,
  WireError,
  WireReader,
} from "../lib/release/ssh-wire.ts";
import { root } from "./root.ts";
import { runMain } from "./run-main.ts";

/** An Ed25519 key that can sign. */
export interface SigningKey {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** 32 bytes: the secret from which the key follows. */
  readonly seed: Uint8Array;
}

const FIRST = "-----BEGIN OPENSSH PRIVATE KEY-----";
const LAST = "-----END OPENSSH PRIVATE KEY-----";
const MAGIC = utf8("openssh-key-v1\0");

/** What stands before the seed where WebCrypto reads it: PKCS #8 for Ed25519. */
const PKCS8 = Uint8Array.from([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]);

/**
 * Reads a private key as `ssh-keygen -t ed25519` writes it.
 *
 * @throws {WireError} Where it is encrypted, or of another kind or form.
 */
export function parsePrivateKey(text: string): SigningKey {
  const lines = text.trim().split(/\r?\n/);
  if (lines[0] !== FIRST || lines.at(-1) !== LAST) throw new WireError("is no private key of OpenSSH");
  const reader = new WireReader(fromBase64(lines.slice(1, -1).join("")));
  if (!sameBytes(reader.take(MAGIC.length), MAGIC)) throw new WireError("is no private key of OpenSSH");
  const cipher = reader.text();
  if (cipher !== "none") {
    throw new WireError(
      "is encrypted: decrypt a copy with ssh-keygen -p, or sign with " +
        `ssh-keygen -Y sign -n ${NAMESPACE} -f KEY SHA256SUMS`,
    );
  }
  reader.bytes();
  reader.bytes();
  if (reader.uint32() !== 1) throw new WireError("holds more than one key");
  reader.bytes();
  const secret = new WireReader(reader.bytes());
  reader.end();
  if (secret.uint32() !== secret.uint32()) throw new WireError("is damaged");
  const type = secret.text();
  if (type !== KEY_TYPE) throw new WireError(`is ${type}, not ${KEY_TYPE}`);
  const key = secret.bytes();
  const pair = secret.bytes();
  if (key.length !== 32 || pair.length !== 64 || !sameBytes(pair.subarray(32), key)) {
    throw new WireError("is damaged");
  }
  return { key, seed: pair.subarray(0, 32) };
}

/** The text of the signature of a file with these bytes. */
export async function sign(bytes: Uint8Array<ArrayBuffer>, { key, seed }: SigningKey): Promise<string> {
  const secret = await crypto.subtle.importKey("pkcs8", concat(PKCS8, seed), "Ed25519", false, ["sign"]);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-512", bytes));
  const signed = signedBytes(digest, "sha512");
  const signature = new Uint8Array(await crypto.subtle.sign("Ed25519", secret, signed));
  const known = await crypto.subtle.importKey("raw", key.slice(), "Ed25519", false, ["verify"]);
  if (!await crypto.subtle.verify("Ed25519", known, signature, signed)) {
    throw new WireError("has a public half that is not its own");
  }
  return encodeSignature({ key, namespace: NAMESPACE, hash: "sha512", signature });
}

async function main(args: readonly string[]): Promise<void> {
  const options = parseArgs(args, {
    string: ["key", "sums"],
    unknown(argument) {
      // What make gives for a variable that is not set.
      if (argument !== "") throw new Error(`Unknown argument "${argument}"`);
    },
  });
  const path = options.key;
  if (typeof path !== "string" || path === "") throw new Error("Cannot sign without a key: give KEY=FILE");
  const sums = typeof options.sums === "string" && options.sums !== ""
    ? options.sums
    : join(root, "dist", "release", "SHA256SUMS");
  try {
    const key = parsePrivateKey(await Deno.readTextFile(path));
    await Deno.writeTextFile(`${sums}.sig`, await sign(await Deno.readFile(sums), key));
    console.log(`${sums}.sig: signed by ${KEY_TYPE} ${toBase64(encodeKey(key.key))}`);
  } catch (error) {
    if (error instanceof WireError) throw new Error(`Cannot sign: ${path} ${error.message}`);
    if (error instanceof Deno.errors.NotFound) throw new Error(`Cannot sign: ${error.message}`);
    throw error;
  }
}

if (import.meta.main) await runMain(main);
