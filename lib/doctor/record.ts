/** What the user's own record of installs says; it lies where no repository comes with it. */
import type { Platform } from "../contract/hook.ts";
import { fromFile } from "../install/bytes.ts";
import { type InstallRecord, parseRecord } from "../install/record.ts";
import { FileError, readBytes } from "../io/files.ts";
import { loadSha256 } from "../io/sha256.ts";
import { variable } from "../io/system.ts";
import { parsePath } from "../paths/parse.ts";
import { below } from "../run/roots.ts";

/** The largest record that is read, in bytes. */
const LIMIT = 64 * 1024 * 1024;

/** Where `nonzero install` keeps its records; undefined where there is no place for them. */
function recordsFolder(home: string | undefined, platform: Platform): string | undefined {
  const windows = platform === "windows";
  const named = variable(windows ? "LOCALAPPDATA" : "XDG_STATE_HOME");
  if (named !== undefined && parsePath(named, platform).kind === "absolute") {
    return below(named, platform, "nonzero", "installs");
  }
  if (home === undefined) return undefined;
  return below(
    home,
    platform,
    ...windows ? ["AppData", "Local"] : [".local", "state"],
    "nonzero",
    "installs",
  );
}

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
  const folder = recordsFolder(home, platform);
  if (folder === undefined || isInProject(folder)) return () => false;
  const sha256 = await loadSha256();
  const wired = projects.flatMap((project) => {
    const name = sha256(new TextEncoder().encode(project)).slice(0, 32);
    const record = readRecord(below(folder, platform, `${name}.json`));
    if (!record || record.project !== project || record.program === null) return [];
    const { program, files } = record;
    return files.filter(({ kind }) => kind === "settings").map(({ path }) => ({
      program,
      file: parsePath(path, platform).kind === "absolute"
        ? path
        : below(project, platform, ...path.split("/")),
    }));
  });
  return (file, program) => wired.some((one) => one.file === file && one.program === program);
}
