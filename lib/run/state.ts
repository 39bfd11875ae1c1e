import type { Platform } from "../contract/hook.ts";
import { variable } from "../io/system.ts";
import { parsePath } from "../paths/parse.ts";
import { below } from "./roots.ts";

/** Where the records of installs are kept; undefined where nothing says where the user's own things lie. */
function recordsFolder(home: string | undefined, platform: Platform): string | undefined {
  const windows = platform === "windows";
  const named = variable(windows ? "LOCALAPPDATA" : "XDG_STATE_HOME");
  if (named !== undefined && parsePath(named, platform).kind === "absolute") {
    return below(named, platform, "nonzero", "installs");
  }
  const above = windows ? ["AppData", "Local"] : [".local", "state"];
  return home === undefined ? undefined : below(home, platform, ...above, "nonzero", "installs");
}

/** The folder of the records of installs, and where in it the one of a folder is. */
export interface Records {
  readonly folder: string;
  /** The record of an install into that folder, by its real path. */
  readonly of: (folder: string) => string;
}

/** Where records of installs are; undefined where there is no place for them. */
export function findRecords(
  home: string | undefined,
  platform: Platform,
  sha256: (bytes: Uint8Array) => string,
): Records | undefined {
  const folder = recordsFolder(home, platform);
  if (folder === undefined) return undefined;
  const name = (path: string) => `${sha256(new TextEncoder().encode(path)).slice(0, 32)}.json`;
  return { folder, of: (path) => below(folder, platform, name(path)) };
}
