/** What Claude Code makes of a settings file, or of a plugin's hooks.json, as it was measured (2.1.332). */
import { unchecked, unreadable } from "../harness/claude-settings-shape.ts";
import { type Json, type JsonProblem, readJson } from "./json.ts";

/** A command hook as it stands in a file. */
export interface Handler {
  readonly event: string;
  readonly matcher: string | undefined;
  readonly command: string;
  /** Missing in the shell form. */
  readonly args: readonly string[] | undefined;
  readonly onFailure: string | undefined;
  /** In seconds; undefined where the client's own holds. */
  readonly timeout: number | undefined;
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
  /** Events whose handlers are not in a list, so that the client has none at them. */
  readonly unlistedEvents: readonly string[];
  /** Keys of which it cannot be told whether the client takes their values. */
  readonly unchecked: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly disableAllHooks: boolean;
  readonly allowManagedHooksOnly: boolean;
  /** Only hooks of plugins and managed ones run, where managed settings say so. */
  readonly pluginHooksOnly: boolean;
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

function findSchemaProblem(value: unknown): string | undefined {
  const found = unreadable(value);
  if (!found) return undefined;
  return found.path === "" ? `It ${found.problem}.` : `"${found.path}" ${found.problem}.`;
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
  const { type, command, args, onFailure, timeout, if: condition } = fields;
  if (type !== "command" || typeof command !== "string") return [];
  const bad = Object.entries(HANDLER).find(([key, fits]) => Object.hasOwn(fields, key) && !fits(fields[key]));
  const badMatcher = Object.hasOwn(group, "matcher") && !isText(group.matcher);
  return [{
    event,
    matcher: isText(group.matcher) ? String(group.matcher) : undefined,
    command,
    args: Array.isArray(args) ? args.map((word) => isText(word) ? String(word) : "") : undefined,
    onFailure: isText(onFailure) ? String(onFailure) : undefined,
    timeout: typeof timeout === "number" ? timeout : undefined,
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
  const { hooks, env, enabledPlugins, strictPluginOnlyCustomization: strict } = fields;
  const events = isObject(hooks) ? Object.keys(hooks) : [];
  return {
    ...problem ? { problem } : schemaProblem ? { problem: { message: schemaProblem } } : {},
    ...duplicate ? { duplicate } : {},
    handlers: readHandlers(hooks),
    unknownEvents: events.filter((event) => !EVENTS.has(event)),
    unlistedEvents: events.filter((event) =>
      EVENTS.has(event) && isObject(hooks) && !Array.isArray(hooks[event])
    ),
    unchecked: unchecked(value),
    env: Object.fromEntries(
      Object.entries(isObject(env) ? env : {}).flatMap(([name, value]) =>
        typeof value === "object" ? [] : [[name, String(value)] as const]
      ),
    ),
    disableAllHooks: fields.disableAllHooks === true,
    allowManagedHooksOnly: fields.allowManagedHooksOnly === true,
    pluginHooksOnly: strict === true || (Array.isArray(strict) && strict.includes("hooks")),
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
