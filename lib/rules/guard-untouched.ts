import type { Facts, Rule, Target } from "../contract/hook.ts";
import { foldForGuard, relativeSegments, segments } from "../paths/compare.ts";
import { matchGlob } from "../paths/glob.ts";
import { guardedBy } from "../paths/guarded.ts";

function beginsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.length <= path.length &&
    start.every((name, index) => foldForGuard(name) === foldForGuard(path[index] ?? ""));
}

/** Whether a path is a place, lies in it, or is a folder that the place lies in. */
function touches(path: string, place: string, { platform, root }: Facts): boolean {
  const inner = segments(path, platform);
  const guarded = segments(place, platform);
  if (!inner || !guarded) return false;
  if (beginsWith(inner, guarded)) return true;
  const worktree = "path" in root ? segments(root.path, platform) : undefined;
  // The worktree itself, and what is above it, holds all sorts of things.
  return beginsWith(guarded, inner) && !(worktree && beginsWith(worktree, inner));
}

/** What a write to that path would touch of what the guard rests on. */
function guardedAt(path: string, facts: Facts): string | undefined {
  const { root, home, platform, guarded } = facts;
  const place = guarded.places.find((place) => touches(path, place, facts));
  if (place !== undefined) return place;
  const fromRoot = "path" in root ? relativeSegments(path, root.path, platform) : undefined;
  if (fromRoot && guarded.editable.some((glob) => matchGlob(fromRoot, glob))) return undefined;
  for (const { path: folder, name } of guarded.aliases) {
    const within = relativeSegments(path, folder, platform);
    const hit = within && guardedBy([...name, ...within], platform);
    if (hit) return hit;
  }
  const hit = fromRoot && guardedBy(fromRoot, platform);
  if (hit) return hit;
  // Also below the root: a worktree may be the home, or one of the folders in it that clients read.
  const fromHome = home === undefined ? undefined : relativeSegments(path, home, platform);
  return fromHome && guardedBy(fromHome, platform, "home");
}

function judge(target: Target, facts: Facts): string | undefined {
  if (target.isExecutable) return "the guard's own program";
  for (const path of [...target.readings, ...target.names]) {
    const hit = guardedAt(path, facts);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

/** No write touches what wires the guard, configures it, or is it. */
export const guardUntouched: Rule<Facts> = {
  id: "guard-untouched",
  refuses: "a write to what the guard itself rests on",
  satisfy:
    "Ask the user to make this change. The user can let the agent edit such a file in nonzero's configuration.",
  check: (facts) =>
    facts.targets.flatMap((target) => {
      const hit = judge(target, facts);
      return hit === undefined ? [] : [`${target.field} "${target.written}" touches ${hit}`];
    }),
};
