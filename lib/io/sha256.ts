/** Loads what makes SHA-256 digests, in hexadecimal. It is loaded when asked for: at the top it would cost every hook a part of its start. */
export async function loadSha256(): Promise<(bytes: Uint8Array) => string> {
  const { createHash } = await import("node:crypto");
  return (bytes) => createHash("sha256").update(bytes).digest("hex");
}
