/** What Claude Code makes of a settings file, or of a plugin's hooks.json, as it was measured (2.1.332). */
import { type Json, type JsonProblem, readJson } from "./json.ts";

/** A command hook as it stands in a file. */
export interface Handler {
  readonly event: string;
  readonly matcher: string | undefined;
  readonly command: string;
  /** Missing in the shell form. */
  readonly args: readonly string[] | undefined;
  readonly onFailure: string | undefined;
  /** Runs in the background, so that it decides nothing. */
  readonly isAsync: boolean;
  /** Narrows the calls that it is asked about. */
  readonly condition: string | undefined;
  /** Why the client leaves it out. */
  readonly dropped: string | undefined;
}

/** A settings file read. */
export interface SettingsFile {
  /** Why the client reads nothing of it; the rest is what it would say. */
  readonly problem?: JsonProblem | { readonly message: string };
  readonly duplicate?: Json["duplicate"];
  readonly handlers: readonly Handler[];
  /** Keys under `hooks` that name no event. */
  readonly unknownEvents: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly disableAllHooks: boolean;
  readonly allowManagedHooksOnly: boolean;
  /** Plugins that are switched on, and those that are switched off, as `name@marketplace`. */
  readonly plugins: ReadonlyMap<string, boolean>;
}

/** The events of the client. */
const EVENTS: ReadonlySet<string> = new Set(
  ("PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion " +
    "SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PreModelSwitch " +
    "PostModelSwitch PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation " +
    "ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged " +
    "DirectoryAdded MessageDisplay PreSkillShellCommand").split(" "),
);

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The keys whose wrong type makes the client read nothing of the file. */
const TOP: Readonly<Record<string, readonly [type: string, fits: (value: unknown) => boolean]>> = {
  $schema: ["a string", (value) => typeof value === "string"],
  env: ["an object", isObject],
  permissions: ["an object", isObject],
  hooks: ["an object", isObject],
  disableAllHooks: ["true or false", (value) => typeof value === "boolean"],
  allowManagedHooksOnly: ["true or false", (value) => typeof value === "boolean"],
  model: ["a string", (value) => typeof value === "string"],
  enabledPlugins: [
    "an object of true or false",
    (value) =>
      isObject(value) &&
      Object.values(value).every((inner) => typeof inner === "boolean" || Array.isArray(inner)),
  ],
};

function findSchemaProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "It is not a JSON object.";
  for (const [key, [type, fits]] of Object.entries(TOP)) {
    if (Object.hasOwn(value, key) && !fits(value[key])) return `"${key}" is not ${type}.`;
  }
  return undefined;
}

const isText = (value: unknown) => typeof value === "string";
const isBoolean = (value: unknown) => typeof value === "boolean";

/** The keys of a command hook whose wrong type makes the client leave it out. */
const HANDLER: Readonly<Record<string, (value: unknown) => boolean>> = {
  args: (value) => Array.isArray(value) && value.every(isText),
  timeout: (value) => typeof value === "number" && value > 0,
  onFailure: (value) => value === "block" || value === "continue",
  if: isText,
  async: isBoolean,
  asyncRewake: isBoolean,
  once: isBoolean,
  statusMessage: isText,
  shell: (value) => value === "bash" || value === "powershell",
};

function readHandler(fields: Fields, event: string, group: Fields): Handler[] {
  const { type, command, args, onFailure, if: condition } = fields;
  if (type !== "command" || typeof command !== "string") return [];
  const bad = Object.entries(HANDLER).find(([key, fits]) => Object.hasOwn(fields, key) && !fits(fields[key]));
  const badMatcher = Object.hasOwn(group, "matcher") && !isText(group.matcher);
  return [{
    event,
    matcher: isText(group.matcher) ? String(group.matcher) : undefined,
    command,
    args: Array.isArray(args) ? args.map((word) => isText(word) ? String(word) : "") : undefined,
    onFailure: isText(onFailure) ? String(onFailure) : undefined,
    isAsync: fields.async === true || fields.asyncRewake === true,
    condition: isText(condition) ? String(condition) : undefined,
    dropped: bad
      ? `"${bad[0]}" has a value that the client does not take`
      : badMatcher
      ? '"matcher" is no string'
      : undefined,
  }];
}

function readHandlers(hooks: unknown): Handler[] {
  if (!isObject(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, groups]) => {
    if (!Array.isArray(groups)) return [];
    return groups.filter(isObject).flatMap((group) =>
      Array.isArray(group.hooks)
        ? group.hooks.filter(isObject).flatMap((handler) => readHandler(handler, event, group))
        : []
    );
  });
}

/** Reads the text of a settings file or of a plugin's hooks.json. Never throws. */
export function readSettings(text: string): SettingsFile {
  const { value, problem, duplicate } = readJson(text);
  const fields = isObject(value) ? value : {};
  const schemaProblem = problem ? undefined : findSchemaProblem(value);
  const { hooks, env, enabledPlugins } = fields;
  return {
    ...problem ? { problem } : schemaProblem ? { problem: { message: schemaProblem } } : {},
    ...duplicate ? { duplicate } : {},
    handlers: readHandlers(hooks),
    unknownEvents: isObject(hooks) ? Object.keys(hooks).filter((event) => !EVENTS.has(event)) : [],
    env: Object.fromEntries(
      Object.entries(isObject(env) ? env : {}).flatMap(([name, value]) =>
        typeof value === "object" ? [] : [[name, String(value)] as const]
      ),
    ),
    disableAllHooks: fields.disableAllHooks === true,
    allowManagedHooksOnly: fields.allowManagedHooksOnly === true,
    plugins: new Map(
      Object.entries(isObject(enabledPlugins) ? enabledPlugins : {}).map((
        [name, on],
      ) => [name, on !== false]),
    ),
  };
}

/**
 * Where each plugin of an `installed_plugins.json` lies, by `name@marketplace`: those for all projects and those for
 * this one. Its older form has one place a plugin. Never throws; what it cannot read is left out.
 */
export function readInstalledPlugins(
  text: string,
  isThisProject: (path: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const { value } = readJson(text);
  const plugins = isObject(value) && isObject(value.plugins) ? value.plugins : {};
  return new Map(
    Object.entries(plugins).map(([name, installs]) => {
      const folders = (Array.isArray(installs) ? installs : [installs]).flatMap((install) => {
        if (!isObject(install) || typeof install.installPath !== "string") return [];
        const { projectPath, installPath } = install;
        return typeof projectPath !== "string" || isThisProject(projectPath) ? [installPath] : [];
      });
      return [name, [...new Set(folders)]];
    }),
  );
}
