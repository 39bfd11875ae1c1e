import { ConfigError } from "../config/parse.ts";
import type { Citation } from "../contract/stop.ts";
import { holdsContent } from "../io/files.ts";
import { platform as currentPlatform } from "../io/system.ts";
import { isInside } from "../paths/compare.ts";
import { type Place, resolve } from "../paths/resolve.ts";
import { citedPaths } from "../transcript/proof.ts";
import { configure } from "./configure.ts";
import { disk, findHome, findRoot } from "./roots.ts";

/** The names of folders that are evidence in every project. */
export const EVIDENCE_FOLDERS: readonly string[] = ["evidence", "e2e-evidence"];

/** The most cited paths that are looked up. */
const LIMIT = 50;

/**
 * Looks up the paths of evidence that texts cite. A relative one counts from the event's cwd and from the worktree
 * around it, which an agent's cwd may have left for a folder of it.
 */
export function lookUpCitations(texts: readonly string[], cwd: string | undefined): readonly Citation[] {
  if (cwd === undefined) return citedPaths(texts, EVIDENCE_FOLDERS).map((path) => ({ path, exists: false }));
  const platform = currentPlatform();
  const home = findHome(platform);
  const { root, outer } = findRoot({ cwd, root: "worktree" }, platform);
  if ("problem" in root) return [];
  const place: Place = { platform, cwd, home, disk };
  const folders = [...EVIDENCE_FOLDERS, ...configuredFolders()];
  const exists = (path: string, from: string) => {
    const found = resolve(path, { ...place, cwd: from });
    return "readings" in found &&
      found.readings.every((reading) => isInside(reading, root.path, platform) && holdsContent(reading));
  };
  return citedPaths(texts, folders).slice(0, LIMIT).map((path) => ({
    path,
    exists: [cwd, root.path].some((from) => exists(path, from)),
  }));

  function configuredFolders(): readonly string[] {
    try {
      return configure(root, outer, [], place).settings.evidence;
    } catch (error) {
      // A guard says so at the next tool call.
      if (error instanceof ConfigError) return [];
      throw error;
    }
  }
}
