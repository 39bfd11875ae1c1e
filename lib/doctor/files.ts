/** Reads the files in which hooks are configured, and tells what is wrong with each by itself. */
import { FileError, readText } from "../io/files.ts";
import { readSettings, type SettingsFile } from "./claude-settings.ts";
import { checkEnvironment, type IsSafeFolder } from "./environment.ts";
import type { Finding } from "./finding.ts";
import type { Place } from "./ours.ts";

/** The most of a file that is read, in bytes. */
const LIMIT = 4 * 1024 * 1024;

/** A file of settings, or a plugin's hooks.json. */
export interface PlacedSettings extends SettingsFile {
  readonly place: Place;
  /** The text speaks of this program, also where it cannot be read as JSON. */
  readonly mentionsUs: boolean;
}

/** The text of a file; undefined where there is none, and a finding where it cannot be read. */
export function readOptional(path: string): { readonly text?: string; readonly finding?: Finding } {
  try {
    return { text: readText(path, LIMIT) };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (error.missing) return {};
    return {
      finding: {
        level: "warning",
        id: "file-unread",
        message: `The file ${error.message}.`,
        fix: "Let it be a regular file that can be read.",
        file: path,
      },
    };
  }
}

/** Reads the files of these places, those that are there. */
export function readPlaces(
  places: readonly Place[],
): { readonly files: readonly PlacedSettings[]; readonly findings: readonly Finding[] } {
  const files: PlacedSettings[] = [];
  const findings: Finding[] = [];
  for (const place of places) {
    const { text, finding } = readOptional(place.file);
    if (finding) findings.push(finding);
    if (text !== undefined) {
      files.push({ ...readSettings(text), place, mentionsUs: /nonzero/i.test(text) });
    }
  }
  return { files, findings };
}

function checkReadable({ problem, place, mentionsUs }: PlacedSettings, hasOurs: boolean): Finding[] {
  if (!problem) return [];
  const where = "line" in problem ? `Line ${problem.line}, column ${problem.column}: ` : "";
  const ours = hasOurs || mentionsUs;
  return [{
    level: ours ? "error" : "warning",
    id: "settings-unread",
    message: `The client reads nothing of this file${ours ? ", which wires this program" : ""}. ` +
      where + problem.message,
    fix: "Make it strict JSON of the right types: no comments, no comma after the last value.",
    file: place.file,
  }];
}

/** Whether a file is the user's own or above the user, so that no repository brings it along. */
function isUsers({ name }: Place): boolean {
  return name === "user" || name === "managed";
}

/** What is wrong with a file by itself. */
export function checkFile(
  settings: PlacedSettings,
  hasOurs: boolean,
  isSafeFolder: IsSafeFolder,
): Finding[] {
  const { place, problem, duplicate, unknownEvents, unlistedEvents, unchecked, env, disableAllHooks } =
    settings;
  const file = place.file;
  const found = checkReadable(settings, hasOurs);
  // Of plugins the client reads no more than their hooks, and those of others are not for us to judge.
  if (place.name === "plugin" && !hasOurs) return found.filter(({ level }) => level === "error");
  if (duplicate) {
    found.push({
      level: hasOurs ? "error" : "warning",
      id: "duplicate-key",
      message:
        `Line ${duplicate.line}: the key "${duplicate.key}" stands twice: the client obeys one of the two.`,
      fix: "Join the two into one.",
      file,
    });
  }
  for (const event of unknownEvents) {
    found.push({
      level: "warning",
      id: "unknown-event",
      message: `"${event}" is no event of Claude Code, so nothing under it runs.`,
      fix: "Correct the name, or take it out: clients before 2.1.101 read nothing of a file with one.",
      file,
    });
  }
  for (const event of problem ? [] : unlistedEvents) {
    found.push({
      level: "warning",
      id: "unlisted-event",
      message: `What stands under "${event}" is no list, so the client passes over it.`,
      fix: "Put it into a list: [ and ].",
      file,
    });
  }
  if (unchecked.length > 0 && place.name !== "plugin") {
    found.push({
      level: "note",
      id: "not-checked",
      message: `It was not checked whether the client takes the values of ${
        unchecked.map((key) => `"${key}"`).join(", ")
      }: of a file with a wrong one it reads nothing.`,
      fix: "Ask the client: claude doctor names what it does not take.",
      file,
    });
  }
  if (disableAllHooks && isUsers(place)) {
    found.push({
      level: "error",
      id: "hooks-switched-off",
      message: "disableAllHooks is true: the client runs no hook at all.",
      fix: 'Take "disableAllHooks" out.',
      file,
    });
  }
  const source = isUsers(place) ? "user" : "project";
  return [...found, ...checkEnvironment(env, file, source, isSafeFolder)];
}

/** Whether only managed hooks, or those and plugins', run, so that the others are there for nothing. */
export function checkManagedOnly(
  files: readonly PlacedSettings[],
  places: readonly Place[],
): Finding[] {
  const managed = files.filter(({ place }) => place.name === "managed");
  const names = new Set(places.map(({ name }) => name));
  if (names.size === 0 || names.has("managed")) return [];
  const strict = managed.find(({ allowManagedHooksOnly }) => allowManagedHooksOnly);
  if (strict) {
    return [{
      level: "error",
      id: "managed-only",
      message: "allowManagedHooksOnly is true: the client runs no hook of the user's.",
      fix: "Have the hooks wired in the managed settings.",
      file: strict.place.file,
    }];
  }
  const plugins = managed.find(({ pluginHooksOnly }) => pluginHooksOnly);
  if (!plugins || names.has("plugin")) return [];
  return [{
    level: "error",
    id: "managed-only",
    message: "strictPluginOnlyCustomization holds for hooks: the client runs none of the user's settings.",
    fix: "Have the hooks wired in the managed settings, or install them as a plugin.",
    file: plugins.place.file,
  }];
}
