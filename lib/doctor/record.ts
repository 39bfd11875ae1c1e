/** What the user's own record of installs says; it lies where no repository comes with it. */
import type { Platform } from "../contract/hook.ts";
import { fromFile } from "../install/bytes.ts";
import { type InstallRecord, parseRecord } from "../install/record.ts";
import { FileError, readBytes } from "../io/files.ts";
import { realPath } from "../io/programs.ts";
import { loadSha256 } from "../io/sha256.ts";
import { parsePath } from "../paths/parse.ts";
import { below } from "../run/roots.ts";
import { findRecords } from "../run/state.ts";

/** The largest record that is read, in bytes. */
const LIMIT = 64 * 1024 * 1024;

function readRecord(path: string): InstallRecord | undefined {
  try {
    return parseRecord(fromFile(readBytes(path, LIMIT)));
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** Where records are looked for, and of what. */
export interface RecordPlace {
  readonly home: string | undefined;
  readonly platform: Platform;
  /** Real paths. */
  readonly projects: readonly string[];
  /** A record in there may come with the repository, so it counts for nothing. */
  readonly isInProject: (path: string) => boolean;
}

/** Tells whether an install of one of these projects has wired a program in a settings file. */
export async function readRecords(
  { home, platform, projects, isInProject }: RecordPlace,
): Promise<(file: string, program: string) => boolean> {
  const records = findRecords(home, platform, await loadSha256());
  if (!records || isInProject(records.folder)) return () => false;
  const wired = projects.flatMap((project) => {
    const record = readRecord(records.of(project));
    if (!record || record.project !== project || record.program === null) return [];
    const { program, files } = record;
    return files.filter(({ kind }) => kind === "settings").map(({ path }) => ({
      program,
      file: parsePath(path, platform).kind === "absolute"
        ? path
        : below(project, platform, ...path.split("/")),
    }));
  });
  // A file is remembered by the path that it really has.
  return (file, program) =>
    wired.some((one) => one.file === (realPath(file) ?? file) && one.program === program);
}
