import type { Call } from "../contract/call.ts";
import type { Facts, Platform } from "../contract/hook.ts";
import { accountHome } from "../io/account.ts";
import { disk as realDisk } from "../io/disk.ts";
import { variable } from "../io/system.ts";
import { isInside, segments } from "../paths/compare.ts";
import { remember } from "../paths/disk.ts";
import { joinPath, parsePath, separator } from "../paths/parse.ts";
import { resolveFolder } from "../paths/resolve.ts";

/** The disk of this machine, asked once about each path. */
export const disk = remember(realDisk);

/** The folder that writes must stay in, or why there is none. */
export type Root = Facts["root"];

/** A path below a folder. */
export function below(folder: string, platform: Platform, ...names: readonly string[]): string {
  const base = folder.endsWith(separator(platform)) ? folder : folder + separator(platform);
  return joinPath(base, names, platform);
}

/** The folder and each one above it, the nearest first. */
export function* ancestors(folder: string, platform: Platform): Generator<string> {
  yield folder;
  const names = segments(folder, platform) ?? [];
  const least = platform === "windows" ? 1 : 0;
  for (let length = names.length - 1; length >= least; length--) {
    const kept = names.slice(0, length);
    yield platform === "windows"
      ? `${joinPath("", kept, platform)}${length === 1 ? "\\" : ""}`
      : joinPath("/", kept, platform);
  }
}

const FIX_CWD = "Go on in a folder that exists, named by its absolute path.";

/**
 * The folder that the call's writes must stay in, whatever the configuration says of it, and the worktrees that hold
 * it in turn.
 */
export function findRoot(
  call: Pick<Call, "cwd" | "root">,
  platform: Platform,
): { readonly root: Root; readonly outer: readonly string[] } {
  const problem = (problem: string): { root: Root; outer: string[] } => {
    const always = parsePath(call.cwd, platform).kind !== "absolute";
    return { root: { problem: `cwd "${call.cwd}" ${problem}`, satisfy: FIX_CWD, always }, outer: [] };
  };
  const cwd = resolveFolder(call.cwd, { platform, disk });
  if ("problem" in cwd) return problem(cwd.problem);
  if (call.root === "cwd") return { root: cwd, outer: [] };
  try {
    const worktrees = [...ancestors(cwd.path, platform)]
      .filter((folder) => disk.kind(below(folder, platform, ".git")) !== "missing");
    const [path = cwd.path, ...outer] = worktrees;
    return { root: { path }, outer };
  } catch {
    return problem("lies in a folder that cannot be looked into");
  }
}

/** The user's home as the environment has it, links followed where it exists; without one, the account's. */
export function findHome(platform: Platform): string | undefined {
  const home = variable(platform === "windows" ? "USERPROFILE" : "HOME");
  const found = home === undefined ? undefined : resolveFolder(home, { platform, disk });
  if (found && "path" in found) return found.path;
  return accountHome() ?? home;
}

/** Why a folder is too wide to be a worktree; undefined where it is not. */
export function tooWide(root: string, home: string | undefined, platform: Platform): string | undefined {
  const depth = segments(root, platform)?.length ?? 0;
  if (depth < (platform === "windows" ? 2 : 1)) return "the root of the file system";
  if (home !== undefined && isInside(home, root, platform)) return "the home folder, or a folder above it";
  return undefined;
}
