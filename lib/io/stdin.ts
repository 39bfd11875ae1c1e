import { readSync } from "node:fs";
import { expired, hasCode, sleep } from "./clock.ts";

/** The most that is read, in bytes. */
export const STDIN_LIMIT = 32 * 1024 * 1024;

/** Standard input could not be read whole; the message says why. */
export class StdinError extends Error {
  override readonly name = "StdinError";
}

/**
 * Reads standard input to its end. A closed one is empty. Past the limit it reads on without keeping what comes, so
 * that the writer is not cut off, and then throws StdinError; so too when the deadline passes first.
 */
export function readStdin(limit: number = STDIN_LIMIT): Uint8Array {
  let bytes = new Uint8Array(64 * 1024);
  let length = 0;
  let wait = 1;
  for (;;) {
    if (length === bytes.length && length <= limit) {
      const larger = new Uint8Array(bytes.length * 4);
      larger.set(bytes);
      bytes = larger;
    }
    let count: number;
    const from = length > limit ? 0 : length;
    try {
      count = readSync(0, bytes, from, bytes.length - from, null);
    } catch (error) {
      // EOF: how Windows ends a pipe. EBADF: standard input is closed.
      if (hasCode(error, "EOF", "EBADF")) break;
      if (!hasCode(error, "EAGAIN", "EWOULDBLOCK", "EINTR")) {
        throw new StdinError("standard input cannot be read");
      }
      if (expired()) throw new StdinError("standard input did not end in time");
      sleep(wait);
      wait = Math.min(wait * 2, 16);
      continue;
    }
    if (count === 0) break;
    if (length <= limit) length += count;
    if (length > limit && expired()) break;
    wait = 1;
  }
  if (length > limit) throw new StdinError(`the event is larger than ${limit / 1024 / 1024} MiB`);
  return bytes.subarray(0, length);
}
