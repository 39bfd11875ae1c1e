import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { hasCode } from "./clock.ts";
import { FileError, readBytes } from "./files.ts";

/** A file that gets another content. */
export interface Replacement {
  /** Its path without links. */
  readonly path: string;
  /** What is there; undefined where nothing is. */
  readonly before: Uint8Array | undefined;
  /** What is to be there; undefined where nothing is. */
  readonly after: Uint8Array | undefined;
  /** Whether nobody but the user may read it, where it is new. */
  readonly secret?: boolean;
}

/** The largest file that is replaced, in bytes. */
export const REPLACE_LIMIT = 32 * 1024 * 1024;

/** The steps of which a replacement is made, so that a test can have each of them fail. */
export interface Steps {
  readonly makeFolder: (path: string) => void;
  readonly write: (path: string, content: Uint8Array, mode: number) => void;
  readonly keep: (path: string, copy: string) => void;
  readonly rename: (from: string, to: string) => void;
  readonly remove: (path: string) => void;
}

function writeFile(path: string, content: Uint8Array, mode: number): void {
  const descriptor = openSync(path, "wx", mode);
  try {
    for (let done = 0; done < content.length;) {
      done += writeSync(descriptor, content, done, content.length - done);
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The steps as the system takes them. */
export const SYSTEM: Steps = {
  makeFolder: (path) => mkdirSync(path),
  write: writeFile,
  keep: (path, copy) => linkSync(path, copy),
  rename: (from, to) => renameSync(from, to),
  remove: (path) => unlinkSync(path),
};

/** Does what may fail without harm. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // The caller is content either way.
  }
}

/** Makes a rename last, where the system can be told so. */
function settle(folder: string): void {
  attempt(() => {
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
}

function readCurrent(path: string): Uint8Array | undefined {
  try {
    return readBytes(path, REPLACE_LIMIT);
  } catch (error) {
    if (error instanceof FileError && error.missing) return undefined;
    throw error;
  }
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (!one || !other) return one === other;
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** Gives a file the mode and owner of another one, as far as the system allows. */
function resemble(path: string, model: string): void {
  const { mode, uid, gid } = statSync(model);
  if (process.platform === "win32") return;
  attempt(() => {
    const own = statSync(path);
    if (own.uid !== uid || own.gid !== gid) chownSync(path, uid, gid);
  });
  chmodSync(path, mode & 0o7777);
}

/** Says of an error which file it is about. */
function about(path: string, error: unknown): FileError {
  const message = error instanceof Error ? error.message : "unknown error";
  return new FileError(`${path}: ${error instanceof FileError ? message : `cannot be written: ${message}`}`);
}

/** Keeps the program from being ended half way by who is at the keyboard. */
function uninterrupted(work: () => void): void {
  const wait = () => {};
  const signals = (["SIGINT", "SIGTERM", "SIGHUP"] as const)
    .filter((signal) => process.platform !== "win32" || signal === "SIGINT");
  for (const signal of signals) attempt(() => process.on(signal, wait));
  try {
    work();
  } finally {
    for (const signal of signals) attempt(() => process.off(signal, wait));
  }
}

interface Staged extends Replacement {
  /** The new content, beside the file. */
  readonly fresh: string;
  /** The file as it was, beside it. */
  readonly old: string;
}

/** What the files are called that stand beside one while it is replaced. */
function besideName(path: string, kind: "new" | "old", id: number | string = process.pid): string {
  return join(dirname(path), `.${basename(path)}.${id}.${kind}`);
}

/** Whether a process runs. */
function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return !hasCode(error, "ESRCH");
  }
}

/**
 * Takes away what stands beside these files since a process was killed while it replaced them. What they were before
 * is then in what the replacement wrote first, or they have not been touched.
 */
export function clearStale(paths: readonly string[]): void {
  for (const path of paths) {
    attempt(() => {
      for (const name of readdirSync(dirname(path))) {
        const [, id, kind] = /\.([1-9]\d{0,9})\.(new|old)$/.exec(name) ?? [];
        if (id === undefined || kind !== "new" && kind !== "old") continue;
        const stale = besideName(path, kind, id);
        if (basename(stale) === name && !isRunning(Number(id))) attempt(() => unlinkSync(stale));
      }
    });
  }
}

/** How many names a file has; none where there is no such file. */
export function countNames(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.nlink ?? 0;
}

/** Puts the new content, and a second name of the old one, beside a file. */
function stage(staged: Staged, steps: Steps): void {
  const { path, before, after, fresh, old, secret } = staged;
  if (after !== undefined) {
    steps.write(fresh, after, secret || before !== undefined ? 0o600 : 0o666);
    if (before !== undefined) resemble(fresh, path);
  }
  if (before === undefined) return;
  try {
    steps.keep(path, old);
  } catch (error) {
    // Some file systems know no second names.
    if (!hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV")) throw error;
    steps.write(old, before, 0o600);
    resemble(old, path);
  }
}

/**
 * Replaces files, each in one step, and all or none: where one cannot be, those before it are put back and the folders
 * that were made are removed. Throws FileError, with the path, also where a file is no longer as it was said to be.
 *
 * @param folders Folders to be made first, those above before those in them.
 */
export function replaceAll(
  replacements: readonly Replacement[],
  folders: readonly string[],
  steps: Steps = SYSTEM,
): void {
  const all: Staged[] = replacements.map((replacement) => {
    const { path } = replacement;
    return { ...replacement, fresh: besideName(path, "new"), old: besideName(path, "old") };
  });
  const made: string[] = [];
  const done: Staged[] = [];
  let path = "";
  const replace = () => {
    for (path of folders) {
      steps.makeFolder(path);
      made.push(path);
    }
    for (const one of all) {
      path = one.path;
      stage(one, steps);
    }
    for (const one of all) {
      path = one.path;
      if (!isSame(readCurrent(path), one.before)) {
        throw new FileError("was changed by somebody else meanwhile");
      }
    }
    for (const one of all) {
      path = one.path;
      if (one.after === undefined) steps.remove(path);
      else steps.rename(one.fresh, path);
      done.push(one);
    }
  };
  uninterrupted(() => {
    try {
      replace();
      for (const folder of new Set(all.map(({ path }) => dirname(path)))) settle(folder);
    } catch (error) {
      for (const one of done.reverse()) {
        if (one.before === undefined) attempt(() => unlinkSync(one.path));
        else attempt(() => renameSync(one.old, one.path));
      }
      throw about(path, error);
    } finally {
      for (const { fresh, old } of all) {
        attempt(() => unlinkSync(fresh));
        attempt(() => unlinkSync(old));
      }
      if (done.length < all.length) removeFolders(made);
    }
  });
}

/** Removes those of the folders that are empty, the last first. */
export function removeFolders(folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) attempt(() => rmdirSync(folder));
}

/**
 * Where what is written to a path ends up, links followed; the last names need not exist. Throws FileError, with the
 * path, where that cannot be told, and for a link that leads nowhere.
 */
export function targetOf(path: string): string {
  try {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status) return realpathSync.native(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) throw new FileError(`${path} is a link that leads nowhere`);
    throw about(path, error);
  }
  const folder = dirname(path);
  if (folder === path) throw new FileError(`${path} does not exist`);
  return join(targetOf(folder), basename(path));
}

/** Those of the folders above these paths that do not exist, the ones above first. */
export function missingFolders(paths: readonly string[]): string[] {
  const missing = new Set<string>();
  const add = (folder: string) => {
    if (missing.has(folder) || lstatSync(folder, { throwIfNoEntry: false })) return;
    if (dirname(folder) !== folder) add(dirname(folder));
    missing.add(folder);
  };
  for (const path of paths) add(dirname(path));
  return [...missing];
}
