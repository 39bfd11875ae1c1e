/** Finds the worktree that another one was made from by `git worktree add`. */
import type { Platform } from "../contract/hook.ts";
import { realPath } from "../io/programs.ts";
import { ancestors, below } from "../run/roots.ts";
import { parsePath } from "../paths/parse.ts";
import { readOptional } from "./files.ts";

function readLine(file: string): string | undefined {
  return readOptional(file).text?.split("\n", 1)[0]?.trim();
}

function follow(written: string | undefined, folder: string, platform: Platform): string | undefined {
  if (written === undefined || written === "") return undefined;
  const isAbsolute = parsePath(written, platform).kind === "absolute";
  return realPath(isAbsolute ? written : below(folder, platform, ...written.split(/[\\/]/)));
}

/** The main worktree of the one in a folder, links followed; undefined where that is no added one. Never throws. */
export function originOf(folder: string, platform: Platform): string | undefined {
  const link = below(folder, platform, ".git");
  const named = /^gitdir: (.+)$/.exec(readLine(link) ?? "")?.[1];
  const data = follow(named, folder, platform);
  if (data === undefined) return undefined;
  // A folder that merely points there is none of its worktrees.
  const back = follow(readLine(below(data, platform, "gitdir")), data, platform);
  if (back === undefined || back !== realPath(link)) return undefined;
  const common = follow(readLine(below(data, platform, "commondir")), data, platform);
  if (common === undefined || !/[\\/]\.git$/.test(common)) return undefined;
  return [...ancestors(common, platform)][1];
}
