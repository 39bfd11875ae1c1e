import { ConfigError } from "../config/error.ts";
import type { ConfigFile, ProjectEntry } from "../config/schema.ts";
import { type Settings, settle } from "../config/settle.ts";
import { isUsersOwn } from "../config/trust.ts";
import type { Platform } from "../contract/hook.ts";
import { accountHome } from "../io/account.ts";
import { FileError, readText } from "../io/files.ts";
import { variable } from "../io/system.ts";
import { type Place, resolve } from "../paths/resolve.ts";
import { below, type Root } from "./roots.ts";

/** The name of the project's own configuration, at the root of its worktree. */
const PROJECT_CONFIG = ".nonzero.json";

const CONFIG_LIMIT = 1024 * 1024;

async function readConfig(path: string): Promise<ConfigFile | undefined> {
  let text: string;
  try {
    text = readText(path, CONFIG_LIMIT);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (error.missing) return undefined;
    throw new ConfigError(`${path}: ${error.message}`);
  }
  // Most projects have none, and need not wait for what reads it.
  const { parseConfig } = await import("../config/parse.ts");
  return parseConfig(text, path);
}

/** Where the user's own configuration lies when no variable says otherwise. */
function defaultFolder(home: string, platform: Platform): string {
  return below(home, platform, ...platform === "windows" ? ["AppData", "Roaming"] : [".config"], "nonzero");
}

/** The folder of the user's own configuration. */
function userFolder(home: string | undefined, platform: Platform): string | undefined {
  const base = variable(platform === "windows" ? "APPDATA" : "XDG_CONFIG_HOME");
  if (base !== undefined) return below(base, platform, "nonzero");
  return home === undefined ? undefined : defaultFolder(home, platform);
}

/** The user's own configuration by itself, where there is one, and its path. Throws ConfigError. */
export async function readUserConfig(
  home: string | undefined,
  platform: Platform,
): Promise<{ readonly file: string; readonly config: ConfigFile } | undefined> {
  const folder = userFolder(home, platform);
  const file = folder === undefined ? undefined : below(folder, platform, "config.json");
  const config = file === undefined ? undefined : await readConfig(file);
  return file === undefined || config === undefined ? undefined : { file, config };
}

/** Resolves folders that a configuration or a harness names. Throws ConfigError with `source` where one cannot be. */
export function resolveAll(paths: readonly string[], place: Place, source: string): string[] {
  return paths.flatMap((path) => {
    const found = resolve(path, { ...place, cwd: "" });
    if ("problem" in found) throw new ConfigError(`${source}: "${path}" ${found.problem}`);
    return found.readings;
  });
}

/** What the configuration comes to, and where the user's lies. */
export interface Configuration {
  readonly settings: Settings;
  /** The folder and the file of the user's configuration, links followed. */
  readonly folder: readonly string[];
  /** The path of the user's file, for messages. */
  readonly file: string;
  /** The user's file has an entry for this root that is not obeyed, for it lies where the agent can write. */
  readonly untrusted: boolean;
}

/** The `.nonzero.json` of a worktree. Throws ConfigError. */
async function readProject(root: string, platform: Platform): Promise<ConfigFile | undefined> {
  const path = below(root, platform, PROJECT_CONFIG);
  const file = await readConfig(path);
  if (file?.projects) throw new ConfigError(`${path}: "projects" belongs in the user's configuration alone`);
  return file;
}

/** What the user's file says of this root. Throws ConfigError where two entries mean the same one. */
function findEntry(
  user: ConfigFile | undefined,
  root: string,
  place: Place,
  file: string,
): ProjectEntry | undefined {
  const entries = Object.entries(user?.projects ?? {}).filter(([path]) =>
    resolveAll([path], place, file).every((reading) => reading === root)
  );
  if (entries.length > 1) {
    const names = entries.map(([path]) => `"${path}"`).join(" and ");
    throw new ConfigError(`${file}: ${names} are the same folder`);
  }
  return entries[0]?.[1];
}

/**
 * Reads all configuration and joins it for this root. Worktrees that hold it count too, for they only tighten: else a
 * `.git` made in a subfolder would leave them out. Throws ConfigError.
 */
export async function configure(
  root: Root,
  outer: readonly string[],
  agentsFolders: readonly string[],
  place: Place,
): Promise<Configuration> {
  const { home, platform } = place;
  const base = userFolder(home, platform);
  const file = base === undefined ? "" : below(base, platform, "config.json");
  const folder = base === undefined ? [] : resolveAll([base, file], place, base);
  if ("problem" in root) {
    // Without a root nothing is relative to it; names of folders are relative to nothing.
    const evidence = file === "" ? [] : (await readConfig(file))?.evidence ?? [];
    return { settings: { ...settle({ root: "" }), evidence }, folder, file, untrusted: false };
  }
  const projects: { base: string; file: ConfigFile }[] = [];
  for (const base of [root.path, ...outer]) {
    const file = await readProject(base, platform);
    if (file) projects.push({ base, file });
  }
  const user = file === "" ? undefined : await readConfig(file);
  const entry = findEntry(user, root.path, place, file);
  const untrusted = entry !== undefined && !isUsersOwn({
    folder,
    writable: [root.path, ...agentsFolders],
    isDefault: home !== undefined && base === defaultFolder(home, platform),
    home,
    account: accountHome,
    platform,
  });
  return { settings: settle({ root: root.path, projects, user, entry, untrusted }), folder, file, untrusted };
}

/** What the user's configuration loosens, by the rule that it touches, for refusals. */
export function describeLoosened(
  { settings, file, untrusted }: Configuration,
): (rule: string) => readonly string[] {
  if (untrusted) return () => [`${file} lies where the agent can write, so it loosens nothing`];
  const { writable, accept, editable, limit, loosensLimit } = settings;
  const accepted = accept.map(({ pattern, path, reason }) => `${pattern} in ${path} (${reason})`);
  const loosened: Record<string, readonly string[]> = {
    "stay-inside-worktree": writable,
    "no-secrets-written": accepted,
    "no-secrets-in-evidence": accepted,
    "guard-untouched": editable,
    "within-budget": loosensLimit ? [`a limit of ${limit}`] : [],
  };
  return (rule) => (loosened[rule] ?? []).map((what) => `loosened by ${file}: ${what}`);
}
