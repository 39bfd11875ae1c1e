import { writeSync } from "node:fs";
import { expired, hasCode, sleep } from "./clock.ts";

/**
 * Writes all of the text to a file descriptor, waiting while a pipe is full. Throws what the system says when it
 * cannot, such as EPIPE, and when the reader has not taken it by the time that `late` says so.
 */
export function writeWhole(descriptor: 1 | 2, text: string, late: () => boolean = expired): void {
  const bytes = new TextEncoder().encode(text);
  let done = 0;
  let wait = 1;
  while (done < bytes.length) {
    try {
      done += writeSync(descriptor, bytes, done, bytes.length - done);
      wait = 1;
    } catch (error) {
      if (!hasCode(error, "EAGAIN", "EWOULDBLOCK", "EINTR") || late()) throw error;
      sleep(wait);
      wait = Math.min(wait * 2, 16);
    }
  }
}
