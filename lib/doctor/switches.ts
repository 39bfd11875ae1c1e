/** The files by which a project switches off hooks of its user, as they were measured. */
import { parse as parseToml } from "@std/toml/parse";
import type { Finding } from "./finding.ts";
import { readJson } from "./json.ts";

type Fields = Readonly<Record<string, unknown>>;

/** One way for a project to switch hooks off. */
export interface Switch {
  readonly client: string;
  /** Below the project. */
  readonly path: readonly string[];
  /** What switches them off in the file, in its own words; undefined where nothing does. */
  readonly find: (file: Fields) => string | undefined;
  /** How the client can be started so that it reads none of the project's files, where it can. */
  readonly start?: string;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

const disableAll = (file: Fields) => file.disableAllHooks === true ? "disableAllHooks" : undefined;

function findInCodex(file: Fields): string | undefined {
  const profiles = Object.values(fieldsOf(file.profiles)).map(fieldsOf);
  return [file, ...profiles].some(({ features }) => fieldsOf(features).hooks === false)
    ? "features.hooks"
    : undefined;
}

function findInGemini({ hooksConfig }: Fields): string | undefined {
  const { enabled, disabled } = fieldsOf(hooksConfig);
  if (enabled === false) return "hooksConfig.enabled";
  return Array.isArray(disabled) && disabled.length > 0 ? "hooksConfig.disabled" : undefined;
}

function findInDroid(file: Fields): string | undefined {
  if (fieldsOf(file.hooks).hooksDisabled === true) return "hooks.hooksDisabled";
  return file.hooksDisabled === true ? "hooksDisabled" : undefined;
}

const CLAUDE = { client: "Claude Code and Copilot", find: disableAll, start: "--setting-sources user" };
const FACTORY = { client: "Factory droid", find: findInDroid };

/** All of them. */
export const SWITCHES: readonly Switch[] = [
  { ...CLAUDE, path: [".claude", "settings.json"] },
  { ...CLAUDE, path: [".claude", "settings.local.json"] },
  { client: "Codex", path: [".codex", "config.toml"], find: findInCodex },
  { client: "Gemini", path: [".gemini", "settings.json"], find: findInGemini },
  { client: "Qwen", path: [".qwen", "settings.json"], find: disableAll },
  { client: "Copilot", path: [".github", "copilot", "settings.json"], find: disableAll },
  { ...FACTORY, path: [".factory", "settings.json"] },
  { ...FACTORY, path: [".factory", "settings.local.json"] },
  { ...FACTORY, path: [".factory", "hooks.json"] },
];

/** The words that a file which cannot be read must hold to be suspected. */
const SUSPICIOUS = { toml: /\bhooks\s*=\s*false/, json: /disableAllHooks|hooksConfig|hooksDisabled/ };

function read(text: string, file: string): Fields | undefined {
  if (!file.endsWith(".toml")) {
    const { value } = readJson(text);
    return isObject(value) ? value : undefined;
  }
  try {
    return fieldsOf(parseToml(text.replace(/^\uFEFF/, "")));
  } catch {
    return undefined;
  }
}

/** What the text of such a file switches off. */
export function checkSwitch({ client, find, start }: Switch, text: string, file: string): Finding[] {
  const fields = read(text, file);
  const found = fields ? find(fields) : SUSPICIOUS[file.endsWith(".toml") ? "toml" : "json"].exec(text)?.[0];
  if (found === undefined) return [];
  const way = start === undefined
    ? ""
    : ` Or start the client with ${start}, so that it does not read the file.`;
  return [{
    level: "warning",
    id: "hooks-switched-off",
    message: fields
      ? `The project switches off the user's own hooks in ${client}: ${found}.`
      : `The project's file cannot be read and speaks of ${found}, by which ${client} switches hooks off.`,
    fix: `Take it out of the file, or do not run ${client} here.${way}`,
    file,
  }];
}
