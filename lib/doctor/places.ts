/** Where Claude Code looks for hooks. */
import type { Platform } from "../contract/hook.ts";
import { joinPath, separator } from "../paths/parse.ts";
import type { Place } from "./ours.ts";

function below(folder: string, platform: Platform, ...names: readonly string[]): string {
  const base = folder.endsWith(separator(platform)) ? folder : folder + separator(platform);
  return joinPath(base, names, platform);
}

/** The folders of the settings that whoever manages the machine gives all its users. */
export function managedFolders(platform: Platform): readonly string[] {
  switch (platform) {
    case "linux":
      return ["/etc/claude-code"];
    case "darwin":
      return ["/Library/Application Support/ClaudeCode"];
    case "windows":
      return ["C:\\Program Files\\ClaudeCode", "C:\\ProgramData\\ClaudeCode"];
  }
}

/** The settings that a folder shares with all who work in it. */
export function sharedSettings(folder: string, platform: Platform): string {
  return below(folder, platform, ".claude", "settings.json");
}

/** What tells where the settings lie. Folders are absolute. */
export interface Surroundings {
  readonly platform: Platform;
  /** The client's own folder in the user's home; undefined where there is no home. */
  readonly agentFolder: string | undefined;
  /** The folder that the client is started in. */
  readonly project: string;
  /** Those whose local settings it reads beside: the worktree around that folder, and the one it was made from. */
  readonly locals: readonly string[];
  /** The names in a folder of settings that are added to the managed ones; none where there is no such folder. */
  readonly dropIns: (folder: string) => readonly string[];
}

/** The settings files, each once, whether they exist or not; the ones that the user has most power over last. */
export function settingsPlaces(
  { platform, agentFolder, project, locals, dropIns }: Surroundings,
): readonly Place[] {
  const managed = managedFolders(platform).flatMap((folder) => {
    const more = below(folder, platform, "managed-settings.d");
    const names = dropIns(more).filter((name) => name.endsWith(".json")).sort();
    return [
      below(folder, platform, "managed-settings.json"),
      ...names.map((name) => below(more, platform, name)),
    ];
  });
  const places: Place[] = [
    ...managed.map((file) => ({ name: "managed" as const, file })),
    ...agentFolder === undefined
      ? []
      : [{ name: "user" as const, file: below(agentFolder, platform, "settings.json") }],
    { name: "project", file: sharedSettings(project, platform) },
    ...[project, ...locals].map((folder) => ({
      name: "local" as const,
      file: below(folder, platform, ".claude", "settings.local.json"),
    })),
  ];
  // Who works in the home folder has the user's own settings there as the project's.
  return places.filter(({ file }, at) => places.findIndex((other) => other.file === file) === at);
}

/** The list of plugins that are installed. */
export function installedPluginsFile(agentFolder: string, platform: Platform): string {
  return below(agentFolder, platform, "plugins", "installed_plugins.json");
}

/** The wiring of a plugin. */
export function pluginPlace(folder: string, platform: Platform): Place {
  return { name: "plugin", file: below(folder, platform, "hooks", "hooks.json"), pluginRoot: folder };
}
