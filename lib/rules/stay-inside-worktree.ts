import type { Facts, Rule } from "../contract/hook.ts";
import { isInside } from "../paths/compare.ts";

/** Every write lands inside the worktree, or in a folder that is writable besides. */
export const stayInsideWorktree: Rule<Facts> = {
  id: "stay-inside-worktree",
  refuses: "a write that lands outside the worktree",
  satisfy:
    "Write below the worktree, by a path that does not lead out of it; for scratch files use the session's own " +
    "scratch folder. The user can name more writable folders in nonzero's configuration.",
  check({ root, targets, writable, platform }) {
    if ("problem" in root) {
      return root.always || targets.length > 0 ? [{ reason: root.problem, satisfy: root.satisfy }] : [];
    }
    const places = [root.path, ...writable];
    return targets.flatMap((target) => {
      if (target.problem !== undefined) return [`${target.field} "${target.written}": ${target.problem}`];
      const outside = target.readings.find((reading) =>
        !places.some((place) => isInside(reading, place, platform))
      );
      if (outside === undefined && target.readings.length > 0) return [];
      return [`${target.field} "${target.written}" resolves to ${outside}, outside ${root.path}`];
    });
  },
};
