import { closeSync, constants, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { FileError } from "./files.ts";

/** What the system says of an error, such as `ENOSPC: no space left on device`. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown error";
}

/**
 * Appends a line to a file by one write, so that two that do so at once do not mix theirs. Makes the file and its
 * folder where they are not there. Does not wait for the reader of a FIFO. Throws FileError.
 *
 * @param line Without its line end.
 */
export function appendLine(path: string, line: string): void {
  let descriptor: number;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
    descriptor = openSync(path, flags, 0o600);
  } catch (error) {
    throw new FileError(`cannot be written: ${messageOf(error)}`);
  }
  try {
    const bytes = new TextEncoder().encode(`${line}\n`);
    // A disk that fills up takes a part; what is left would begin a line of its own.
    if (writeSync(descriptor, bytes) < bytes.length) throw new FileError("cannot be written whole");
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`cannot be written: ${messageOf(error)}`);
  } finally {
    closeSync(descriptor);
  }
}
