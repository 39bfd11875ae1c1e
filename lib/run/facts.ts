import type { Call, Command, Destination } from "../contract/call.ts";
import type { Budget, Document, Facts, Platform, Target } from "../contract/hook.ts";
import { ConfigError, parseConfig } from "../config/parse.ts";
import type { ConfigFile } from "../config/schema.ts";
import { type Settings, settle } from "../config/settle.ts";
import { disk, isSameFile } from "../io/disk.ts";
import { FileError, readLines, readText } from "../io/files.ts";
import { executable, platform as currentPlatform, variable } from "../io/system.ts";
import { isInside, segments } from "../paths/compare.ts";
import { matchGlob } from "../paths/glob.ts";
import { resolve, resolveFolder } from "../paths/resolve.ts";
import { redirectTargets } from "../paths/shell.ts";
import { sumUsage } from "../transcript/usage.ts";
import { applyEdits } from "./edits.ts";

const CONFIG_LIMIT = 1024 * 1024;

/** The largest file whose text after an edit is judged. */
const DOCUMENT_LIMIT = 32 * 1024 * 1024;

/** The name of the project's own configuration, at the root of its worktree. */
export const PROJECT_CONFIG = ".nonzero.json";

/** Where the call happens: what the paths in it are relative to. */
interface Place {
  readonly platform: Platform;
  readonly cwd: string;
  readonly home: string | undefined;
}

function join(platform: Platform, folder: string, ...names: readonly string[]): string {
  const separator = platform === "windows" ? "\\" : "/";
  return [folder.endsWith(separator) ? folder.slice(0, -1) : folder, ...names].join(separator);
}

function parent(platform: Platform, path: string): string | undefined {
  const separator = platform === "windows" ? "\\" : "/";
  const at = path.lastIndexOf(separator);
  if (at < 0 || at === path.length - 1) return undefined;
  // The folder above `/a` is `/`, and above `C:\a` it is `C:\`.
  const above = path.slice(0, at);
  return above === "" || /^[A-Za-z]:$/.test(above) ? above + separator : above;
}

/** The nearest folder, from here up, that holds a `.git`. */
function findWorktree(platform: Platform, from: string): string | undefined {
  for (let folder: string | undefined = from; folder !== undefined; folder = parent(platform, folder)) {
    if (disk.kind(join(platform, folder, ".git")) !== "missing") return folder;
  }
  return undefined;
}

function readConfig(path: string, mayBeMissing: boolean): ConfigFile | undefined {
  let text: string;
  try {
    text = readText(path, CONFIG_LIMIT);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (error.missing && mayBeMissing) return undefined;
    throw new ConfigError(`${path}: ${error.message}`);
  }
  return parseConfig(text, path);
}

function userConfigFolder(platform: Platform, home: string | undefined): string | undefined {
  const named = variable(platform === "windows" ? "APPDATA" : "XDG_CONFIG_HOME");
  const base = named ?? (home === undefined ? undefined : join(platform, home, platform === "windows" ? "AppData\\Roaming" : ".config"));
  return base === undefined ? undefined : join(platform, base, "nonzero");
}
