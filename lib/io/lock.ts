import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { hasCode } from "./clock.ts";
import { FileError } from "./files.ts";

/** Another process has the lock. */
export class LockError extends Error {
  override readonly name = "LockError";
}

/** How old a lock becomes, in milliseconds, where it cannot be seen whether its process still runs. */
const STALE = 60_000;

/** What a lock file says, or nothing where it is gone. */
function look(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Whether the process that made a lock has ended without taking it away. */
function isStale(path: string, said: string): boolean {
  try {
    if (Date.now() - statSync(path).mtimeMs > STALE) return true;
    const id = /^(\d+)\n$/.exec(said)?.[1];
    if (id === undefined || process.platform !== "linux") return false;
    statSync("/proc/self");
    return statSync(`/proc/${id}`, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** Makes the lock file; says whether it was there already. Throws the system's error. */
function make(path: string): boolean {
  try {
    const descriptor = openSync(path, "wx", 0o600);
    try {
      writeSync(descriptor, `${process.pid}\n`);
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Takes away a lock that was seen to be stale, unless another process has done so and now holds it. */
function clear(path: string, said: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    // By now it may be another's: that one goes back.
    if (look(aside) !== said) linkSync(aside, path);
    unlinkSync(aside);
  } catch {
    // It is gone, or somebody else has it; taking the lock tells.
  }
}

/**
 * Holds a lock while something is done. Throws LockError at once where another process holds it, and FileError where
 * there can be none.
 *
 * @param path A file that is made for it, with its folder, and taken away again.
 */
export function withLock<Result>(path: string, work: () => Result): Result {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (!make(path)) {
      const said = look(path);
      if (said !== undefined && !isStale(path, said)) {
        throw new LockError(`process ${said.trim()} has ${path}`);
      }
      if (said !== undefined) clear(path, said);
      if (!make(path)) throw new LockError(`another process has ${path}`);
    }
  } catch (error) {
    if (error instanceof LockError) throw error;
    throw new FileError(`cannot be written: ${error instanceof Error ? error.message : "unknown error"}`);
  }
  try {
    return work();
  } finally {
    try {
      unlinkSync(path);
    } catch {
      // What is left of it is stale from the end of this process on.
    }
  }
}
