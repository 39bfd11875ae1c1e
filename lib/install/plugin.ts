import { InstallError } from "./error.ts";
import type { Files } from "./files.ts";
import { readSettings } from "./settings.ts";

/** What settings say; nothing where the agent would not read them either. */
export function settingsOf(path: string, files: Files): Readonly<Record<string, unknown>> {
  try {
    const bytes = files.read(path);
    return bytes === undefined ? {} : readSettings(bytes);
  } catch (error) {
    if (error instanceof InstallError) return {};
    throw error;
  }
}

/** The plugin of ours that these settings enable, such as `nonzero@tools`; the later ones win. */
export function enabledPlugin(settings: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const states = settings.flatMap(({ enabledPlugins }) => Object.entries(enabledPlugins ?? {}));
  return [...new Map(states)].find(([name, state]) => name.startsWith("nonzero@") && state === true)?.[0];
}
