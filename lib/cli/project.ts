import { UsageError } from "../contract/entry.ts";
import type { Platform } from "../contract/hook.ts";
import { VERSION } from "../contract/version.ts";
import { type Bytes, fromFile, toFile } from "../install/bytes.ts";
import type { Project as ProjectText } from "../install/detect.ts";
import { InstallError } from "../install/error.ts";
import type { Files } from "../install/files.ts";
import { OWN_FILES } from "../install/plan-uninstall.ts";
import {
  type Change,
  type Digest,
  formatRecord,
  type InstallRecord,
  parseRecord,
  recordChanges,
} from "../install/record.ts";
import { FileError, readBytes, readText } from "../io/files.ts";
import { listNames } from "../io/folder.ts";
import { LockError, withLock } from "../io/lock.ts";
import { currentFolder, realPath } from "../io/programs.ts";
import {
  clearStale,
  countNames,
  missingFolders,
  removeFolders,
  REPLACE_LIMIT,
  replaceAll,
  type Replacement,
  targetOf,
} from "../io/replace.ts";
import { loadSha256 } from "../io/sha256.ts";
import { platform as currentPlatform, variable } from "../io/system.ts";
import { isInside, relativeSegments, segments } from "../paths/compare.ts";
import { parsePath } from "../paths/parse.ts";
import { below, disk, findHome, findRoot, tooWide } from "../run/roots.ts";
import { findRecords } from "../run/state.ts";

/** The largest manifest that is read, in bytes. */
const MANIFEST_LIMIT = 4 * 1024 * 1024;

/** A project that is installed into, on the disk. */
export interface Project {
  /** Its real path. */
  readonly root: string;
  /** The worktree that it lies in, or itself. */
  readonly worktree: string;
  /** Its files and the user's own, with nothing of them kept in mind. */
  readonly files: Files;
  /** What is detected in it. */
  readonly text: ProjectText;
  /** The agent's own folder, and its settings. */
  readonly agent: { readonly folder: string; readonly settings: string };
  readonly digest: Digest;
  /** The real path of a file, where it may be written. Throws InstallError. */
  readonly target: (path: string) => string;
  /** The path of a record, by the folder that it is of. */
  readonly recordOf: (folder: string) => string;
}

function isAbsolute(path: string, platform: Platform): boolean {
  return parsePath(path, platform).kind === "absolute";
}

/** A path as the user wrote it, absolute. Throws UsageError. */
function fromHere(path: string, platform: Platform): string {
  if (isAbsolute(path, platform)) return path;
  const cwd = currentFolder();
  if (cwd === undefined) throw new UsageError("the current folder is gone, or has a name that is not UTF-8");
  return below(cwd, platform, path);
}

/** The project's real path. Throws UsageError where it is no folder, and InstallError for the home or the root. */
function findProject(written: string | undefined, home: string | undefined, platform: Platform): string {
  const named = fromHere(written ?? ".", platform);
  const path = realPath(named);
  if (path === undefined || disk.kind(path) !== "folder") {
    // What is no UTF-8 in a name was replaced by this character as it was read.
    const why = named.includes("\uFFFD")
      ? "has a name that is not UTF-8, which nobody can be told of"
      : "is no folder";
    throw new UsageError(
      written === undefined ? `the current folder ${why}` : `--project-dir "${written}" ${why}`,
    );
  }
  const wide = tooWide(path, home, platform);
  if (wide !== undefined) throw new InstallError(`${path} is ${wide}, and no project`);
  return path;
}

/** The project that is installed into. Throws UsageError and InstallError. */
export async function openProject(written: string | undefined): Promise<Project> {
  const platform = currentPlatform();
  const home = findHome(platform);
  const root = findProject(written, home, platform);
  const { root: worktree } = findRoot({ cwd: root, root: "worktree" }, platform);
  const fence = "path" in worktree ? worktree.path : root;
  const named = variable("CLAUDE_CONFIG_DIR");
  const agentFolder = named === undefined
    ? home && below(home, platform, ".claude")
    : fromHere(named, platform);
  if (agentFolder === undefined) throw new InstallError("there is no home folder");
  const sha256 = await loadSha256();
  const digest: Digest = (bytes) => sha256(toFile(bytes));
  const locate = (path: string) =>
    isAbsolute(path, platform) ? path : below(root, platform, ...path.split("/"));
  const target = (path: string) => {
    let real: string;
    try {
      real = targetOf(locate(path));
    } catch (error) {
      throw error instanceof FileError ? new InstallError(error.message) : error;
    }
    // A repository brings its links along: they must not lead a write to a file of the user's.
    if (!isAbsolute(path, platform) && !isInside(real, fence, platform)) {
      throw new InstallError(`${path} is a link to ${real}, outside the project`);
    }
    return real;
  };
  const read = (path: string): Bytes | undefined => {
    try {
      return fromFile(readBytes(target(path), REPLACE_LIMIT));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (error.missing) return undefined;
      throw new InstallError(`${path} ${error.message}`);
    }
  };
  const shown = (real: string) => relativeSegments(real, root, platform)?.join("/") ?? real;
  return {
    root,
    worktree: fence,
    files: { read, name: (path) => shown(target(path)) },
    agent: { folder: agentFolder, settings: below(agentFolder, platform, "settings.json") },
    text: {
      name: segments(root, platform)?.at(-1) ?? "",
      text(path) {
        try {
          return readText(locate(path), MANIFEST_LIMIT);
        } catch {
          return undefined;
        }
      },
      names: (folder) => listNames(folder === "" ? root : locate(folder)),
    },
    digest,
    target,
    recordOf(folder) {
      const records = findRecords(home, platform, sha256);
      if (!records) throw new InstallError("there is no home folder to keep a record in");
      return records.of(folder);
    },
  };
}

/** A record on the disk: of the project, or of the agent's own folder. */
export interface Scope {
  /** The folder that it is of. */
  readonly folder: string;
  readonly path: string;
  readonly bytes: Bytes | undefined;
  readonly record: InstallRecord | undefined;
}

/** Reads a record. Throws InstallError where there can be none. */
export function openScope({ recordOf, files }: Project, folder: string): Scope {
  const path = recordOf(folder);
  const bytes = files.read(path);
  return { folder, path, bytes, record: bytes === undefined ? undefined : parseRecord(bytes) };
}

/** Whether there is a record of a folder. Throws InstallError where that cannot be told. */
export function hasRecord({ recordOf, files }: Project, folder: string): boolean {
  return files.read(recordOf(folder)) !== undefined;
}

/** Takes away what an install or uninstall has left that was killed half way. */
export function clean(project: Project, folders: readonly string[]): void {
  const { agent, recordOf, target } = project;
  const records = folders.map(recordOf);
  const recorded = folders.flatMap((folder) => openScope(project, folder).record?.files ?? []);
  const paths = [...OWN_FILES, agent.settings, ...recorded.map(({ path }) => path)].flatMap((path) => {
    try {
      return [target(path)];
    } catch (error) {
      if (error instanceof InstallError) return [];
      throw error;
    }
  });
  clearStale([...new Set([...records, ...paths])]);
}

/** What is to be said of files that have other names, which stay with what they hold now. */
export function otherNames({ target }: Project, changes: readonly Change[]): string[] {
  return changes.filter(({ path, before }) => before !== undefined && countNames(target(path)) > 1)
    .map(({ path }) => `${path} has other names (hard links): it is replaced, and they keep what it held`);
}

/** What may have been made for files of ours, where nothing says so. */
const RULE_FOLDERS: readonly string[] = [".claude", ".claude/rules"];

/** What is to be changed in a scope, and the program that its hooks start then. */
export interface Work {
  readonly scope: Scope;
  readonly changes: readonly Change[];
  /** undefined: as before. */
  readonly program?: string | undefined;
  /** Whether folders that were made for us, and hold nothing, are removed. */
  readonly tidy?: boolean;
}

/** Those changes that change something, each file once though it have two names. */
export function effective({ target }: Project, changes: readonly Change[]): readonly Change[] {
  const seen = new Set<string>();
  return changes.filter(({ path, before, after }) => {
    const real = target(path);
    if (before === after || seen.has(real)) return false;
    seen.add(real);
    return true;
  });
}

function replacement(path: string, { before, after }: Pick<Change, "before" | "after">): Replacement {
  return {
    path,
    before: before === undefined ? undefined : toFile(before),
    after: after === undefined ? undefined : toFile(after),
  };
}

/** Runs one thing at a time on these records. Throws InstallError where another process is at it. */
export function locked<T>(
  { recordOf }: Pick<Project, "recordOf">,
  folders: readonly string[],
  work: () => T,
): T {
  const [folder, ...others] = folders;
  if (folder === undefined) return work();
  const path = `${recordOf(folder)}.lock`;
  try {
    return withLock(path, () => locked({ recordOf }, others, work));
  } catch (error) {
    if (error instanceof LockError) {
      throw new InstallError(
        `another install is at work here (${error.message}). Try again when it has ended`,
      );
    }
    throw error instanceof FileError ? new InstallError(`${path} ${error.message}`) : error;
  }
}

/** Changes all files and the records of it, or none. Throws InstallError. */
export function apply(project: Project, works: readonly Work[]): void {
  const platform = currentPlatform();
  const replacements: Replacement[] = [];
  const first: Replacement[] = [];
  const last: Replacement[] = [];
  const all: string[] = [];
  const emptied: string[] = [];
  for (const { scope, changes, program, tidy } of works) {
    const { record } = scope;
    const own = effective(project, changes).map((change) => replacement(project.target(change.path), change));
    const needed = own.filter(({ after }) => after !== undefined).map(({ path }) => path);
    const missing = missingFolders(needed).filter((folder) => !all.includes(folder));
    const named = changes.map((change) => ({ ...change, path: project.files.name(change.path) }));
    const after = recordChanges(record, named, {
      digest: project.digest,
      project: scope.folder,
      version: VERSION,
      program: program ?? record?.program ?? null,
      folders: missing.map(project.files.name),
    });
    const written = after && formatRecord(after);
    if (written !== scope.bytes) {
      const record = { ...replacement(scope.path, { before: scope.bytes, after: written }), secret: true };
      // Should the machine stop half way, the record must say all that there is to undo.
      (tidy ? last : first).push(record);
    }
    if (tidy) {
      const made = record?.folders ?? RULE_FOLDERS;
      emptied.push(...made.map((folder) => locateFolder(project, folder, platform)));
    }
    all.push(...missing);
    replacements.push(...own);
  }
  try {
    replaceAll([...first, ...replacements, ...last], all);
  } catch (error) {
    throw error instanceof FileError ? new InstallError(error.message) : error;
  }
  removeFolders(emptied);
}

function locateFolder({ root }: Project, folder: string, platform: Platform): string {
  return isAbsolute(folder, platform) ? folder : below(root, platform, ...folder.split("/"));
}
