import { assertEquals, assertThrows } from "@std/assert";
import {
  decodeSignature,
  encodeKey,
  encodeSignature,
  NAMESPACE,
  parsePublicKey,
} from "../../../lib/release/ssh-signature.ts";
import {
  concat,
  fromBase64,
  lengthPrefixed,
  toBase64,
  uint32,
  utf8,
  WireError,
} from "../../../lib/release/ssh-wire.ts";

const KEY = Uint8Array.from({ length: 32 }, (_, at) => at);
const SIGNATURE = new Uint8Array(64).fill(9);
const SIGNED = { key: KEY, namespace: NAMESPACE, hash: "sha512", signature: SIGNATURE } as const;
const LINE = `ssh-ed25519 ${toBase64(encodeKey(KEY))}`;

/** A signature's file around any bytes. */
const wrap = (bytes: Uint8Array) =>
  `-----BEGIN SSH SIGNATURE-----\n${toBase64(bytes)}\n-----END SSH SIGNATURE-----\n`;

/** The bytes of a signature, with parts in the place of the right ones. */
function blob(parts: Readonly<Record<string, Uint8Array>> = {}): Uint8Array {
  const right: Record<string, Uint8Array> = {
    magic: utf8("SSHSIG"),
    version: uint32(1),
    key: lengthPrefixed(encodeKey(KEY)),
    namespace: lengthPrefixed(NAMESPACE),
    reserved: lengthPrefixed(""),
    hash: lengthPrefixed("sha512"),
    signature: lengthPrefixed(concat(lengthPrefixed("ssh-ed25519"), lengthPrefixed(SIGNATURE))),
  };
  return concat(...Object.values({ ...right, ...parts }));
}

Deno.test("decodeSignature: what was encoded, from lines of 70 characters", () => {
  const text = encodeSignature(SIGNED);
  assertEquals(decodeSignature(text), SIGNED);
  assertEquals(text.split("\n").slice(1, -3).every((line) => line.length === 70), true);
  assertEquals(decodeSignature(text.replaceAll("\n", "\r\n")), SIGNED);
});

for (
  const [title, text, reason] of [
    ["another text", "hello\n", "is no SSH signature"],
    ["a signature whose end is missing", encodeSignature(SIGNED).slice(0, -10), "is cut short"],
    ["other characters", wrap(blob()).replace("U1NI", "U1N*"), "is no base64"],
    ["another beginning", wrap(blob({ magic: utf8("SSHSIX") })), "is no SSH signature"],
    ["another version", wrap(blob({ version: uint32(2) })), "is of another version than 1"],
    ["another digest", wrap(blob({ hash: lengthPrefixed("md5") })), 'is of an unknown digest "md5"'],
    ["bytes that end too soon", wrap(blob().subarray(0, 150)), "is cut short"],
    ["a length beyond the end", wrap(blob({ namespace: uint32(0xFFFFFFFF) })), "is cut short"],
    ["something behind it", wrap(blob({ more: utf8("x") })), "has something behind its end"],
    [
      "an RSA key",
      wrap(blob({ key: lengthPrefixed(lengthPrefixed("ssh-rsa")) })),
      "is by a key that is ssh-rsa, not ssh-ed25519",
    ],
    [
      "another kind of signature",
      wrap(blob({ signature: lengthPrefixed(concat(lengthPrefixed("rsa"), lengthPrefixed(SIGNATURE))) })),
      "is not of the kind ssh-ed25519",
    ],
    [
      "a short signature",
      wrap(
        blob({ signature: lengthPrefixed(concat(lengthPrefixed("ssh-ed25519"), lengthPrefixed("short"))) }),
      ),
      "is not 64 bytes long",
    ],
  ] as const
) {
  Deno.test(`decodeSignature: refuses ${title}`, () => {
    assertEquals(assertThrows(() => decodeSignature(text), WireError).message, reason);
  });
}

Deno.test("parsePublicKey: a line, with a comment, behind a name, among comments", () => {
  for (
    const text of [
      LINE,
      `${LINE} someone@example.org\n`,
      `# who signs\n\n${LINE}\r\n`,
      `release@example.org namespaces="${NAMESPACE}" ${LINE}\n`,
    ]
  ) assertEquals(parsePublicKey(text), KEY);
});

for (
  const [title, text, reason] of [
    ["nothing", "\n# none\n", "holds no key"],
    ["two keys", `${LINE}\n${LINE}\n`, "holds more than one key"],
    ["another text", "hello", "is no public key of SSH"],
    ["an RSA key", "ssh-rsa AAAAB3NzaC1yc2EAAAADAQAB", "is ssh-rsa, not ssh-ed25519"],
    ["a key that is called another", LINE.replace("ssh-ed25519", "ssh-rsa"), "is ssh-rsa, not ssh-ed25519"],
    [
      "another key that is called so",
      `ssh-ed25519 ${toBase64(concat(lengthPrefixed("ssh-rsa"), lengthPrefixed(KEY)))}`,
      "is ssh-rsa, not ssh-ed25519",
    ],
    ["a key that is cut short", LINE.slice(0, -8), "is cut short"],
    ["a short key", `ssh-ed25519 ${toBase64(encodeKey(KEY.subarray(1)))}`, "is not 32 bytes long"],
  ] as const
) {
  Deno.test(`parsePublicKey: refuses ${title}`, () => {
    assertEquals(assertThrows(() => parsePublicKey(text), WireError).message, reason);
  });
}

Deno.test("fromBase64: the bytes, and nothing from what is none", () => {
  assertEquals(fromBase64("AAEC/w=="), Uint8Array.of(0, 1, 2, 255));
  for (const text of ["AAE", "AA=A", "AA E", "AA\nE", "===="]) {
    assertThrows(() => fromBase64(text), WireError);
  }
});
