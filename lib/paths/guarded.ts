import type { Platform } from "../contract/hook.ts";
import { foldForGuard } from "./compare.ts";

/**
 * What wires an agent's hooks, or switches them off, below a worktree's root at any depth; a folder stands for all
 * that is in it. `*` is any run of characters within a name. Most were measured with the clients themselves.
 */
export const GUARDED_IN_WORKTREE: readonly string[] = [
  ".git",
  ".nonzero.json",
  ".claude/settings*.json",
  ".claude/hooks",
  ".codex",
  ".cursor/hooks.json",
  ".cursor/hooks",
  ".gemini/settings.json",
  ".gemini/hooks",
  ".qwen/settings.json",
  ".windsurf/hooks.json",
  ".kiro/hooks",
  ".clinerules/hooks",
  ".github/hooks",
  ".github/copilot",
  ".factory/settings*.json",
  ".factory/hooks.json",
  ".opencode",
  "opencode.json*",
];

/**
 * The names that stand for these on a disk, each after the folder that it is in: what has to be looked at to see
 * whether one is a link. What `*` covers is spelt out as far as clients read it.
 */
export const GUARDED_NAMES: readonly (readonly string[])[] = [
  [".git"],
  [".nonzero.json"],
  [".claude"],
  [".claude", "settings.json"],
  [".claude", "settings.local.json"],
  [".claude", "hooks"],
  [".codex"],
  [".cursor"],
  [".cursor", "hooks.json"],
  [".cursor", "hooks"],
  [".gemini"],
  [".gemini", "settings.json"],
  [".gemini", "hooks"],
  [".qwen"],
  [".qwen", "settings.json"],
  [".windsurf"],
  [".windsurf", "hooks.json"],
  [".kiro"],
  [".kiro", "hooks"],
  [".clinerules"],
  [".clinerules", "hooks"],
  [".github"],
  [".github", "hooks"],
  [".github", "copilot"],
  [".factory"],
  [".factory", "settings.json"],
  [".factory", "settings.local.json"],
  [".factory", "hooks.json"],
  [".opencode"],
  ["opencode.json"],
  ["opencode.jsonc"],
];

/**
 * What does the same in the user's home, at its top alone. Only what the clients read as settings: a worktree may lie in
 * `~/.codex/worktrees`, and plans in `~/.claude/plans`.
 */
export const GUARDED_IN_HOME: readonly string[] = [
  ".nonzero.json",
  ".config/nonzero",
  ".claude.json",
  ".claude/settings*.json",
  ".claude/hooks",
  ".claude/plugins",
  ".codex/config.toml",
  ".codex/hooks.json",
  ".codex/hooks",
  ".cursor/hooks.json",
  ".cursor/hooks",
  ".gemini/settings.json",
  ".qwen/settings.json",
  ".copilot/hooks",
  ".copilot/settings.json",
  ".copilot/config.json",
  ".factory/settings*.json",
  ".factory/hooks.json",
  ".factory/hooks",
  ".config/opencode",
];

/** Whether a short name that Windows makes, such as `GIT~1` or `SETTIN~2.JSO`, can stand for a name. */
function isShortFor(short: string, name: string): boolean {
  const parts = /^([^~]{1,6})~\d{1,6}(\.[^.]{0,3})?$/.exec(short);
  if (!parts) return false;
  const plain = name.replace(/^\.+/, "").replaceAll(" ", "");
  // Of many alike only two letters are kept, before four digits of a checksum.
  const letters = (parts[1] ?? "").slice(0, /^..[0-9a-f]{4}$/.test(parts[1] ?? "") ? 2 : 6);
  return plain.startsWith(letters);
}

function matches(name: string, pattern: string, platform: Platform): boolean {
  const star = pattern.indexOf("*");
  if (star < 0 ? name === pattern : matchesStar(name, pattern, star)) return true;
  return platform === "windows" && name.includes("~") &&
    isShortFor(name, star < 0 ? pattern : pattern.slice(0, star));
}

function matchesStar(name: string, pattern: string, star: number): boolean {
  return name.length >= pattern.length - 1 && name.startsWith(pattern.slice(0, star)) &&
    name.endsWith(pattern.slice(star + 1));
}

/** Whether one path leads to, into or above what a pattern names, from a given segment on. */
function hits(
  names: readonly string[],
  from: number,
  pattern: readonly string[],
  platform: Platform,
): boolean {
  const length = Math.min(names.length - from, pattern.length);
  if (length === 0) return false;
  for (let at = 0; at < length; at++) {
    if (!matches(names[from + at] ?? "", pattern[at] ?? "", platform)) return false;
  }
  return true;
}

/**
 * The guarded thing that a write touches: it is that, lies in it, or is a folder on the way to it, which could be
 * renamed or deleted with all that is in it. Undefined where it is none; the root itself is none.
 *
 * @param relative the segments from the worktree's root, or from the home folder, to the target
 * @param where which of the two: in a worktree a guarded name counts at any depth, in the home at its top
 */
export function guardedBy(
  relative: readonly string[],
  platform: Platform,
  where: "worktree" | "home" = "worktree",
): string | undefined {
  const names = relative.map(foldForGuard);
  const depth = where === "home" ? Math.min(1, names.length) : names.length;
  for (const guarded of where === "home" ? GUARDED_IN_HOME : GUARDED_IN_WORKTREE) {
    const pattern = guarded.split("/");
    for (let from = 0; from < depth; from++) {
      if (hits(names, from, pattern, platform)) return guarded;
    }
  }
  return undefined;
}
