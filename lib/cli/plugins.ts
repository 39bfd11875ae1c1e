import type { Hook } from "../contract/entry.ts";
import { readInstalledPlugins } from "../doctor/claude-settings.ts";
import { installedPluginsFile } from "../doctor/places.ts";
import { wire } from "../harness/claude-wiring.ts";
import { decode, fromFile } from "../install/bytes.ts";
import { InstallError } from "../install/error.ts";
import { isWired, readSettings } from "../install/settings.ts";
import { FileError, readBytes } from "../io/files.ts";
import { programState, realPath } from "../io/programs.ts";
import { platform as currentPlatform } from "../io/system.ts";
import { isInside } from "../paths/compare.ts";
import { below } from "../run/roots.ts";
import type { Project } from "./project.ts";

/** The most of a file that is read, in bytes. */
const LIMIT = 4 * 1024 * 1024;

/** The bytes of a file; undefined where it cannot be read. */
function read(path: string): string | undefined {
  try {
    return fromFile(readBytes(path, LIMIT));
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** Whether what lies in a folder is our plugin: its wiring is this program's, and it has a program to start. */
function isOurs(folder: string, hooks: readonly Hook[], { worktree }: Project): boolean {
  const platform = currentPlatform();
  const real = realPath(folder);
  // What lies in the project an agent can write.
  if (real === undefined || isInside(real, worktree, platform)) return false;
  const program = platform === "windows" ? "nonzero.exe" : "nonzero";
  const bytes = read(below(real, platform, "hooks", "hooks.json"));
  if (bytes === undefined || programState(below(real, platform, program)) !== "fine") return false;
  try {
    const settings = readSettings(bytes);
    return [true, false].some((judge) =>
      isWired(settings, wire(hooks, { program: `\${CLAUDE_PLUGIN_ROOT}/${program}`, judge }))
    );
  } catch (error) {
    if (error instanceof InstallError) return false;
    throw error;
  }
}

/**
 * Which of the plugins that are switched on wires the hooks already: it is installed, for this project or for all, and
 * is ours. Anybody's settings can name one that is not there.
 *
 * @param everywhere Whether only those count that are installed for all projects.
 */
export function findPlugin(
  enabled: readonly string[],
  hooks: readonly Hook[],
  project: Project,
  everywhere: boolean,
): string | undefined {
  const list = enabled.length === 0
    ? undefined
    : read(installedPluginsFile(project.agent.folder, currentPlatform()));
  if (list === undefined) return undefined;
  const isHere = (path: string) => !everywhere && (realPath(path) ?? path) === project.root;
  const installed = readInstalledPlugins(decode(list), isHere);
  return enabled.find((name) => installed.get(name)?.some((folder) => isOurs(folder, hooks, project)));
}
