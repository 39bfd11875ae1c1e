import { closeSync, readSync } from "node:fs";
import type { Hash } from "../release/ssh-signature.ts";
import { FileError, openRegular } from "./files.ts";

/*
 * node:crypto is loaded by the functions that need it: at the top it would cost every hook and gate a part of its
 * start.
 */

/** The digest of bytes. */
export async function digestOf(bytes: Uint8Array, hash: Hash): Promise<Uint8Array> {
  const { createHash } = await import("node:crypto");
  return new Uint8Array(createHash(hash).update(bytes).digest());
}

/** The SHA-256 of a regular file of any size, in hexadecimal, read piece by piece. Throws FileError. */
export async function digestFile(path: string): Promise<string> {
  const { createHash } = await import("node:crypto");
  const { descriptor } = openRegular(path);
  try {
    const hash = createHash("sha256");
    const bytes = new Uint8Array(1024 * 1024);
    for (;;) {
      const count = readSync(descriptor, bytes, 0, bytes.length, null);
      if (count === 0) return hash.digest("hex");
      hash.update(bytes.subarray(0, count));
    }
  } catch {
    throw new FileError("cannot be read");
  } finally {
    closeSync(descriptor);
  }
}

/** Whether an Ed25519 key, of 32 bytes, made this signature, of 64 bytes, of these bytes. */
export async function isSignedBy(
  key: Uint8Array,
  bytes: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const { createPublicKey, verify } = await import("node:crypto");
  const x = btoa(String.fromCharCode(...key)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const jwk = { kty: "OKP", crv: "Ed25519", x };
  return verify(null, bytes, createPublicKey({ key: jwk, format: "jwk" }), signature);
}
