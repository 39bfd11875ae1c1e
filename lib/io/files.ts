import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from "node:fs";
import { expired, hasCode, sleep } from "./clock.ts";

/** A file that could not be read as wanted; the message says why, without the path. */
export class FileError extends Error {
  override readonly name = "FileError";
  /** The file, or a folder above it, does not exist. */
  readonly missing: boolean;

  constructor(message: string, missing = false) {
    super(message);
    this.missing = missing;
  }
}

/** Opens a regular file to read it; a FIFO or device is refused without waiting for it. */
export function openRegular(path: string): { descriptor: number; size: number } {
  let descriptor: number;
  try {
    // O_NONBLOCK is not there on Windows, where nothing of the kind stands in a folder.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) throw new FileError("does not exist", true);
    throw new FileError("cannot be read");
  }
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new FileError("is not a regular file");
    return { descriptor, size: status.size };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** The bytes of a regular file of at most `limit` bytes. Throws FileError. */
export function readBytes(path: string, limit: number): Uint8Array {
  const { descriptor, size } = openRegular(path);
  try {
    // One more than is expected: a file can be longer than it says, as those of /proc are.
    let bytes = new Uint8Array(Math.min(Math.max(size, 4095), limit) + 1);
    for (let length = 0;;) {
      const count = readSync(descriptor, bytes, length, bytes.length - length, null);
      if (count === 0) return bytes.subarray(0, length);
      length += count;
      if (length > limit) throw new FileError(`is larger than ${limit / 1024 / 1024} MiB`);
      if (length === bytes.length) {
        const larger = new Uint8Array(Math.min(length * 2, limit + 1));
        larger.set(bytes);
        bytes = larger;
      }
    }
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError("cannot be read");
  } finally {
    closeSync(descriptor);
  }
}

/** The text of a regular file of at most `limit` bytes, decoded leniently. Throws FileError. */
export function readText(path: string, limit: number): string {
  return new TextDecoder().decode(readBytes(path, limit));
}

/** The lines of a regular file of any size, in order. Throws FileError, also when the deadline passes first. */
export function* readLines(path: string): Generator<string> {
  const { descriptor } = openRegular(path);
  try {
    const bytes = new Uint8Array(1024 * 1024);
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      if (expired()) throw new FileError("is too large to be read in time");
      const count = readSync(descriptor, bytes, 0, bytes.length, null);
      if (count === 0) break;
      const lines = (rest + decoder.decode(bytes.subarray(0, count), { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    yield rest + decoder.decode();
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError("cannot be read");
  } finally {
    closeSync(descriptor);
  }
}

/** Waits until a file is there, so many milliseconds at most. Whether it is then is for the reader to see. */
export function waitForFile(path: string, milliseconds: number): void {
  const step = 20;
  for (let waited = 0; waited < milliseconds && !existsSync(path); waited += step) sleep(step);
}

/** The paths of the files in a folder, at any depth; none where there is no such folder. Throws FileError. */
export function listFiles(folder: string): string[] {
  const found: string[] = [];
  // Not readdir's own recursion: Bun has none under Windows (seen with Wine).
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    try {
      for (const entry of readdirSync(next, { withFileTypes: true })) {
        const path = `${next}/${entry.name}`;
        if (entry.isDirectory()) open.push(path);
        else found.push(path);
      }
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw new FileError("cannot be read");
    }
  }
  return found;
}

/** The most names that are looked at to find a file that is not empty. */
const LOOKS = 10_000;

/** Whether a path, links followed, is a regular file that is not empty, or a folder that holds one at any depth. */
export function holdsContent(path: string): boolean {
  const open = [path];
  for (let looks = 0; looks < LOOKS; looks++) {
    const next = open.pop();
    if (next === undefined) return false;
    try {
      // Links below a folder are not followed: they may lead back.
      const status = next === path ? statSync(next) : lstatSync(next);
      if (status.isFile() && status.size > 0) return true;
      if (status.isDirectory()) open.push(...readdirSync(next).map((name) => `${next}/${name}`));
    } catch {
      // What cannot be looked at shows nothing.
    }
  }
  return false;
}
