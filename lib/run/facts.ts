import type { Call, Destination } from "../contract/call.ts";
import type { Budget, Document, Facts, Platform, Target } from "../contract/hook.ts";
import { ConfigError, parseConfig } from "../config/parse.ts";
import type { ConfigFile, ProjectEntry } from "../config/schema.ts";
import { type BoundGlob, type Settings, settle } from "../config/settle.ts";
import { isUsersOwn } from "../config/trust.ts";
import { disk as realDisk, isSameFile } from "../io/disk.ts";
import { FileError, listFiles, readLines, readText, waitForFile } from "../io/files.ts";
import { accountHome } from "../io/account.ts";
import { executable, platform as currentPlatform, variable } from "../io/system.ts";
import { isInside, relativeSegments, segments } from "../paths/compare.ts";
import { remember } from "../paths/disk.ts";
import { matchGlob } from "../paths/glob.ts";
import { GUARDED_NAMES } from "../paths/guarded.ts";
import { joinPath, parsePath, separator } from "../paths/parse.ts";
import { type Place, resolve, resolveFolder } from "../paths/resolve.ts";
import { redirections } from "../paths/shell.ts";
import { cannotHoldRecord } from "../rules/unread-fields.ts";
import { sumUsage } from "../transcript/usage.ts";
import { applyEdits } from "./edits.ts";

/** The name of the project's own configuration, at the root of its worktree. */
const PROJECT_CONFIG = ".nonzero.json";

const CONFIG_LIMIT = 1024 * 1024;

/** The largest file whose text after an edit is judged, in bytes. */
const DOCUMENT_LIMIT = 32 * 1024 * 1024;

const disk = remember(realDisk);

type Root = Facts["root"];

/** A path below a folder. */
function below(folder: string, platform: Platform, ...names: readonly string[]): string {
  const base = folder.endsWith(separator(platform)) ? folder : folder + separator(platform);
  return joinPath(base, names, platform);
}

/** The folder and each one above it, the nearest first. */
function* ancestors(folder: string, platform: Platform): Generator<string> {
  yield folder;
  const names = segments(folder, platform) ?? [];
  const least = platform === "windows" ? 1 : 0;
  for (let length = names.length - 1; length >= least; length--) {
    const kept = names.slice(0, length);
    yield platform === "windows"
      ? `${joinPath("", kept, platform)}${length === 1 ? "\\" : ""}`
      : joinPath("/", kept, platform);
  }
}

const FIX_CWD = "Go on in a folder that exists, named by its absolute path.";

/**
 * The folder that the call's writes must stay in, whatever the configuration says of it, and the worktrees that hold
 * it in turn.
 */
function findRoot(
  call: Call,
  platform: Platform,
): { readonly root: Root; readonly outer: readonly string[] } {
  const problem = (problem: string): { root: Root; outer: string[] } => {
    const always = parsePath(call.cwd, platform).kind !== "absolute";
    return { root: { problem: `cwd "${call.cwd}" ${problem}`, satisfy: FIX_CWD, always }, outer: [] };
  };
  const cwd = resolveFolder(call.cwd, { platform, disk });
  if ("problem" in cwd) return problem(cwd.problem);
  if (call.root === "cwd") return { root: cwd, outer: [] };
  try {
    const worktrees = [...ancestors(cwd.path, platform)]
      .filter((folder) => disk.kind(below(folder, platform, ".git")) !== "missing");
    const [path = cwd.path, ...outer] = worktrees;
    return { root: { path }, outer };
  } catch {
    return problem("lies in a folder that cannot be looked into");
  }
}

/** The user's home as the environment has it, links followed where it exists; without one, the account's. */
function findHome(platform: Platform): string | undefined {
  const home = variable(platform === "windows" ? "USERPROFILE" : "HOME");
  const found = home === undefined ? undefined : resolveFolder(home, { platform, disk });
  if (found && "path" in found) return found.path;
  return accountHome() ?? home;
}

/** Why a folder is too wide to be a worktree; undefined where it is not. */
function tooWide(root: string, home: string | undefined, platform: Platform): string | undefined {
  const depth = segments(root, platform)?.length ?? 0;
  if (depth < (platform === "windows" ? 2 : 1)) return "the root of the file system";
  if (home !== undefined && isInside(home, root, platform)) return "the home folder, or a folder above it";
  return undefined;
}

function readConfig(path: string): ConfigFile | undefined {
  let text: string;
  try {
    text = readText(path, CONFIG_LIMIT);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (error.missing) return undefined;
    throw new ConfigError(`${path}: ${error.message}`);
  }
  return parseConfig(text, path);
}

/** Where the user's own configuration lies when no variable says otherwise. */
function defaultFolder(home: string, platform: Platform): string {
  return below(home, platform, ...platform === "windows" ? ["AppData", "Roaming"] : [".config"], "nonzero");
}

/** The folder of the user's own configuration. */
function userFolder(home: string | undefined, platform: Platform): string | undefined {
  const base = variable(platform === "windows" ? "APPDATA" : "XDG_CONFIG_HOME");
  if (base !== undefined) return below(base, platform, "nonzero");
  return home === undefined ? undefined : defaultFolder(home, platform);
}

/** Resolves folders that a configuration or a harness names. Throws ConfigError with `source` where one cannot be. */
function resolveAll(paths: readonly string[], place: Place, source: string): string[] {
  return paths.flatMap((path) => {
    const found = resolve(path, { ...place, cwd: "" });
    if ("problem" in found) throw new ConfigError(`${source}: "${path}" ${found.problem}`);
    return found.readings;
  });
}

interface Configuration {
  readonly settings: Settings;
  /** The folder and the file of the user's configuration, links followed. */
  readonly folder: readonly string[];
  /** The path of the user's file, for messages. */
  readonly file: string;
  /** The user's file has an entry for this root that is not obeyed, for it lies where the agent can write. */
  readonly untrusted: boolean;
}

/** The `.nonzero.json` of a worktree. Throws ConfigError. */
function readProject(root: string, platform: Platform): ConfigFile | undefined {
  const path = below(root, platform, PROJECT_CONFIG);
  const file = readConfig(path);
  if (file?.projects) throw new ConfigError(`${path}: "projects" belongs in the user's configuration alone`);
  return file;
}

/** What the user's file says of this root. Throws ConfigError where two entries mean the same one. */
function findEntry(
  user: ConfigFile | undefined,
  root: string,
  place: Place,
  file: string,
): ProjectEntry | undefined {
  const entries = Object.entries(user?.projects ?? {}).filter(([path]) =>
    resolveAll([path], place, file).every((reading) => reading === root)
  );
  if (entries.length > 1) {
    const names = entries.map(([path]) => `"${path}"`).join(" and ");
    throw new ConfigError(`${file}: ${names} are the same folder`);
  }
  return entries[0]?.[1];
}

/**
 * Reads all configuration and joins it for this root. Worktrees that hold it count too, for they only tighten: else a
 * `.git` made in a subfolder would leave them out. Throws ConfigError.
 */
function configure(
  root: Root,
  outer: readonly string[],
  agentsFolders: readonly string[],
  place: Place,
): Configuration {
  const { home, platform } = place;
  const base = userFolder(home, platform);
  const file = base === undefined ? "" : below(base, platform, "config.json");
  const folder = base === undefined ? [] : resolveAll([base, file], place, base);
  if ("problem" in root) return { settings: settle({ root: "" }), folder, file, untrusted: false };
  const projects = [root.path, ...outer].flatMap((base) => {
    const file = readProject(base, platform);
    return file ? [{ base, file }] : [];
  });
  const user = file === "" ? undefined : readConfig(file);
  const entry = findEntry(user, root.path, place, file);
  const untrusted = entry !== undefined && !isUsersOwn({
    folder,
    writable: [root.path, ...agentsFolders],
    isDefault: home !== undefined && base === defaultFolder(home, platform),
    home,
    account: accountHome,
    platform,
  });
  return { settings: settle({ root: root.path, projects, user, entry, untrusted }), folder, file, untrusted };
}

/** More files than an honest call names; each takes several looks at the disk. */
const TARGETS_LIMIT = 1_000;

/** What the call names as written, the redirections of its commands included. */
function* nameTargets(
  call: Call,
  place: Place,
): Generator<{ field: string; path: string; isPattern: boolean }> {
  for (const { field, path } of call.destinations) yield { field, path, isPattern: false };
  for (const { field, text, shell } of call.commands) {
    for (const { path, isPattern, unlessFolder } of redirections(text, shell, place.platform)) {
      if (unlessFolder !== undefined && isFolder(unlessFolder, place)) continue;
      yield { field, path, isPattern };
    }
  }
}

function isFolder(path: string, place: Place): boolean {
  const found = resolve(path, place);
  return "readings" in found && found.readings.every((reading) => disk.kind(reading) === "folder");
}

function unresolved(field: string, written: string, problem: string): Target {
  return { field, written, readings: [], names: [], problem, isExecutable: false };
}

function findTargets(call: Call, place: Place): Target[] {
  const program = executable();
  const targets: Target[] = [];
  for (const { field, path, isPattern } of nameTargets(call, place)) {
    if (targets.length >= TARGETS_LIMIT) {
      targets.push(unresolved(field, path, `is one of more than ${TARGETS_LIMIT} files that the call names`));
      break;
    }
    const found = isPattern
      ? { problem: "is a pattern, which can stand for any name" }
      : resolve(path, place);
    if ("problem" in found) {
      targets.push(unresolved(field, path, found.problem));
      continue;
    }
    const { readings, textual, names } = found;
    const isExecutable = readings.some((reading) => isSameFile(reading, program));
    targets.push({ field, written: path, readings, names: [textual, ...names], isExecutable });
  }
  return targets;
}

/** Whether a file is one that must hold records and nothing else. */
function mustBeRecord(target: Target, records: readonly BoundGlob[], platform: Platform): boolean {
  // It tightens, so it does so for every spelling that such a file system takes for the same, and for every link.
  const fold = (text: string) => platform === "linux" ? text : text.toLowerCase();
  return [...target.readings, ...target.names].some((path) =>
    records.some(({ base, glob }) => {
      const relative = relativeSegments(path, base, platform)?.map(fold);
      return relative !== undefined && matchGlob(relative, fold(glob));
    })
  );
}

/** What a file may hold after the call; none where that is no text in which a record could be. */
function foresee({ path: name, change }: Destination, target: Target, strict: boolean): Document[] {
  const path = target.readings[0];
  if (path === undefined) return [];
  const unknown = (
    why: string,
  ): Document[] => [{ kind: "unknown", name, why: `${why}, so what it will hold cannot be told` }];
  const lines = /\.(?:jsonl|ndjson)$/i.test(path);
  const asText = (text: string): Document => ({ kind: "text", name, text, lines, strict });
  if ("content" in change) return [asText(change.content)];
  if (!("edits" in change)) return strict ? unknown("must be a record, and is not written as a whole") : [];
  let before = "";
  try {
    before = readText(path, DOCUMENT_LIMIT);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (!error.missing) return unknown(error.message);
  }
  const texts = applyEdits(before, change.edits);
  if (texts.length > 0) return texts.map(asText);
  // The client will not apply it either, unless it reads the file in a way of its own: then it had better be none.
  const pieces = [before, ...change.edits.map((edit) => edit.new)].join("");
  return strict || !cannotHoldRecord(pieces) ? unknown("the edit does not apply to the file") : [];
}

function findDocuments(
  call: Call,
  targets: readonly Target[],
  records: readonly BoundGlob[],
  platform: Platform,
): Document[] {
  const { payload } = call;
  const strict = targets.map((target) => mustBeRecord(target, records, platform));
  if (payload !== undefined) {
    const whole = strict[0] ?? false;
    return typeof payload === "string"
      ? [{ kind: "text", name: "payload", text: payload, lines: false, strict: whole }]
      : [{ kind: "value", name: "payload", value: payload, strict: whole }];
  }
  return targets.flatMap((target, index) =>
    foresee(
      call.destinations[index] ?? { field: target.field, path: target.written, change: {} },
      target,
      strict[index] ?? false,
    )
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The budget that the call declares, or else the configured limit against what the session has spent. */
function findBudget({ spending }: Call, limit: number | undefined): Budget | undefined {
  if (!spending) return undefined;
  const unknown = (problem: string) => ({ limit, spent: undefined, estimate: undefined, problem });
  if ("budget" in spending) {
    const { budget } = spending;
    if (!isObject(budget)) return unknown("cannot be judged: budget is no object");
    const { limit, spent, estimate, calibration } = budget;
    if (calibration === undefined) return { limit, spent, estimate };
    if (!isObject(calibration)) return unknown("cannot be judged: calibration is no object");
    const { estimated, actual } = calibration;
    return { limit, spent, estimate, calibration: { estimated, actual } };
  }
  if (limit === undefined) return undefined;
  if (spending.transcript === undefined) {
    return unknown("what was spent cannot be told: the event names no transcript");
  }
  try {
    return { limit, spent: sumUsage(readSession(spending.transcript)), estimate: 0 };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return unknown(`what was spent cannot be told: the transcript ${error.message}`);
  }
}

/** How long a transcript is waited for, in milliseconds. */
const TRANSCRIPT_WAIT = 2_000;

/**
 * The lines of a session's transcript and of those of its subagents, which lie in a folder of its name. A client
 * writes them with some delay, so that the first call of a session can come before there is any (measured). Throws
 * FileError.
 */
function* readSession(transcript: string): Generator<string> {
  waitForFile(transcript, TRANSCRIPT_WAIT);
  yield* readLines(transcript);
  const folder = `${transcript.replace(/\.jsonl$/, "")}/subagents`;
  for (const name of listFiles(folder)) {
    if (name.endsWith(".jsonl")) yield* readLines(`${folder}/${name}`);
  }
}

/** The names below the root that clients read their hooks from and that are links, with what they lead to. */
function findAliases(root: string, place: Place): Facts["guarded"]["aliases"] {
  const absent = new Set<string>();
  return GUARDED_NAMES.flatMap((name) => {
    const above = name.slice(0, -1).join("/");
    if (absent.has(above)) return [];
    const path = below(root, place.platform, ...name);
    const kind = disk.kind(path);
    if (kind !== "folder") absent.add(name.join("/"));
    if (kind !== "link") return [];
    const found = resolve(path, place);
    return "problem" in found ? [] : found.readings.map((path) => ({ path, name }));
  });
}

/** What the guard rests on besides the names that clients know. */
function findGuarded(root: Root, configuration: Configuration, place: Place): Facts["guarded"] {
  const { platform } = place;
  const program = resolveAll([executable()], place, "the running program");
  const folders = program.flatMap((path) => [...ancestors(path, platform)].slice(1, 2));
  const holdsRoot = (folder: string) => "path" in root && isInside(root.path, folder, platform);
  return {
    places: [...configuration.folder, ...program, ...folders.filter((folder) => !holdsRoot(folder))],
    aliases: "path" in root ? findAliases(root.path, place) : [],
    editable: configuration.settings.editable,
  };
}

/** The folders that the agent's own design lets it write; one so wide that it holds the root or the home is none. */
function findAgentsFolders(call: Call, root: Root, place: Place): string[] {
  const { home, platform } = place;
  return call.folders.flatMap((path) => {
    const found = resolve(path, { ...place, cwd: "" });
    if ("problem" in found) return [];
    const inner = [..."path" in root ? [root.path] : [], ...home === undefined ? [] : [home]];
    return found.readings.filter((folder) => !inner.some((path) => isInside(path, folder, platform)));
  });
}

/** What the user's configuration loosens, by the rule that it touches, for refusals. */
function describeLoosened({ settings, file, untrusted }: Configuration): (rule: string) => readonly string[] {
  if (untrusted) return () => [`${file} lies where the agent can write, so it loosens nothing`];
  const { writable, accept, editable, limit, loosensLimit } = settings;
  const loosened: Record<string, readonly string[]> = {
    "stay-inside-worktree": writable,
    "no-secrets-written": accept.map(({ pattern, path, reason }) => `${pattern} in ${path} (${reason})`),
    "guard-untouched": editable,
    "within-budget": loosensLimit ? [`a limit of ${limit}`] : [],
  };
  return (rule) => (loosened[rule] ?? []).map((what) => `loosened by ${file}: ${what}`);
}

/**
 * Gathers, once, all that the rules look at: the only step of a guard that touches the world. Throws ConfigError
 * where a configuration cannot be obeyed.
 */
export function gather(call: Call): { facts: Facts; loosened: (rule: string) => readonly string[] } {
  const platform = currentPlatform();
  const home = findHome(platform);
  const place: Place = { platform, cwd: call.cwd, home, disk };
  const { root: found, outer } = findRoot(call, platform);
  const agentsFolders = findAgentsFolders(call, found, place);
  const configuration = configure(found, outer, agentsFolders, place);
  const { settings } = configuration;
  const wide = "path" in found && !settings.named ? tooWide(found.path, home, platform) : undefined;
  const root: Root = wide === undefined ? found : {
    problem: `the worktree would be ${wide}`,
    satisfy:
      "Work in a project of its own, or let the user's configuration name this folder among its projects.",
    always: false,
  };
  const targets = findTargets(call, place);
  const budget = findBudget(call, settings.limit);
  const facts: Facts = {
    platform,
    root,
    writable: [...agentsFolders, ...resolveAll(settings.writable, place, configuration.file)],
    targets,
    texts: call.texts.map(({ field, text, destination }) =>
      destination === undefined ? { field, text } : { field, text, target: destination }
    ),
    documents: findDocuments(call, targets, settings.records, platform),
    guarded: findGuarded(root, configuration, place),
    accepted: settings.accept,
    ...(home === undefined ? {} : { home }),
    ...(budget === undefined ? {} : { budget }),
  };
  return { facts, loosened: describeLoosened(configuration) };
}
