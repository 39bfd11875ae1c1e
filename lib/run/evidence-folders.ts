import { ConfigError } from "../config/error.ts";
import { platform as currentPlatform } from "../io/system.ts";
import { EVIDENCE_FOLDERS } from "./citations.ts";
import { configure } from "./configure.ts";
import { disk, findHome, findRoot } from "./roots.ts";

/** The names of folders that are evidence in the project around that folder. */
export async function evidenceFolders(cwd: string | undefined): Promise<readonly string[]> {
  if (cwd === undefined) return EVIDENCE_FOLDERS;
  const platform = currentPlatform();
  const { root, outer } = findRoot({ cwd, root: "worktree" }, platform);
  try {
    const place = { platform, cwd, home: findHome(platform), disk };
    return [...EVIDENCE_FOLDERS, ...(await configure(root, outer, [], place)).settings.evidence];
  } catch (error) {
    // A guard says so at the next tool call.
    if (error instanceof ConfigError) return EVIDENCE_FOLDERS;
    throw error;
  }
}
