import { InstallError } from "./error.ts";
import type { Files } from "./files.ts";
import { readObeyed } from "./settings.ts";

/** What settings say; nothing where the agent would not read them either. */
export function settingsOf(path: string, files: Files): Readonly<Record<string, unknown>> {
  try {
    const bytes = files.read(path);
    return bytes === undefined ? {} : readObeyed(bytes);
  } catch (error) {
    if (error instanceof InstallError) return {};
    throw error;
  }
}

/** The plugins of our name that these settings switch on, such as `nonzero@tools`; the later ones win. */
export function enabledPlugins(settings: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const states = new Map(settings.flatMap(({ enabledPlugins }) => Object.entries(enabledPlugins ?? {})));
  return [...states].flatMap(([name, state]) => name.startsWith("nonzero@") && state === true ? [name] : []);
}
