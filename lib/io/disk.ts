import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import type { Disk } from "../paths/disk.ts";
import { hasCode } from "./clock.ts";

/** The file system of this machine. Needs nothing but the right to read. */
export const disk: Disk = {
  kind(path) {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (!status) return "missing";
    // First of all: to some runtimes a junction of Windows is a folder too.
    if (status.isSymbolicLink()) return "link";
    return status.isDirectory() ? "folder" : status.isFile() ? "file" : "other";
  },
  readLink: (path) => readlinkSync(path),
  canonical: (path) => realpathSync.native(path),
};

/**
 * Whether two paths, links followed, lead to one file, also where it has two names (hard links). A path that leads
 * nowhere is no file. Throws the system's error where it does not answer.
 */
export function isSameFile(one: string, other: string): boolean {
  try {
    const first = statSync(one, { bigint: true });
    const second = statSync(other, { bigint: true });
    // A file system that numbers no files gives 0 to all of them.
    if (first.ino === 0n) return realpathSync.native(one) === realpathSync.native(other);
    return first.ino === second.ino && first.dev === second.dev;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return false;
    throw error;
  }
}
