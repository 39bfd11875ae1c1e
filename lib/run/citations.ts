import type { Citation } from "../contract/stop.ts";
import { holdsContent } from "../io/files.ts";
import { platform as currentPlatform } from "../io/system.ts";
import { isInside } from "../paths/compare.ts";
import { type Place, resolve } from "../paths/resolve.ts";
import { citedPaths } from "../transcript/proof.ts";
import { disk, findHome, findRoot } from "./roots.ts";

/** The names of folders that are evidence in every project. */
export const EVIDENCE_FOLDERS: readonly string[] = ["evidence", "e2e-evidence"];

/** The most cited paths that are looked up. */
const LIMIT = 50;

/**
 * Looks up the paths of evidence that texts cite, in folders of these names. A relative one counts from the event's
 * cwd and from the worktree around it, which an agent's cwd may have left for a folder of it.
 */
export function lookUpCitations(
  texts: readonly string[],
  cwd: string | undefined,
  folders: readonly string[],
): readonly Citation[] {
  const cited = citedPaths(texts, folders).slice(0, LIMIT);
  if (cwd === undefined || cited.length === 0) return cited.map((path) => ({ path, exists: false }));
  const platform = currentPlatform();
  const home = findHome(platform);
  const { root } = findRoot({ cwd, root: "worktree" }, platform);
  if ("problem" in root) return cited.map((path) => ({ path, exists: false }));
  const place: Place = { platform, cwd, home, disk };
  const exists = (path: string, from: string) => {
    const found = resolve(path, { ...place, cwd: from });
    return "readings" in found &&
      found.readings.every((reading) => isInside(reading, root.path, platform) && holdsContent(reading));
  };
  return cited.map((path) => ({ path, exists: [cwd, root.path].some((from) => exists(path, from)) }));
}
