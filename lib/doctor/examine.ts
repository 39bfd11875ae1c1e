/** Looks at every place where hooks are configured, and tries out what it finds there. */
import { ConfigError } from "../config/error.ts";
import type { Hook } from "../contract/entry.ts";
import type { Platform } from "../contract/hook.ts";
import { accountHome } from "../io/account.ts";
import { runChild } from "../io/child.ts";
import { isSameFile } from "../io/disk.ts";
import { FileError, listFiles } from "../io/files.ts";
import { environment, programState, realPath } from "../io/programs.ts";
import { withTemporaryFolder } from "../io/temporary.ts";
import { executable, platform as currentPlatform, variable } from "../io/system.ts";
import { isInside } from "../paths/compare.ts";
import { parsePath } from "../paths/parse.ts";
import { resolve } from "../paths/resolve.ts";
import { configure, readUserConfig } from "../run/configure.ts";
import { ancestors, below, disk, findHome, findRoot, tooWide } from "../run/roots.ts";
import { readInstalledPlugins } from "./claude-settings.ts";
import { checkClient } from "./client.ts";
import type { Look } from "./command.ts";
import { checkDigest } from "./digest.ts";
import { checkEnvironment, isHazard } from "./environment.ts";
import { checkFile, checkManagedOnly, type PlacedSettings, readOptional, readPlaces } from "./files.ts";
import { type Finding, sortFindings } from "./finding.ts";
import { checkLoosened } from "./loosened.ts";
import { identify, type OurEntry, type Place } from "./ours.ts";
import { installedPluginsFile, pluginPlace, settingsPlaces, sharedSettings } from "./places.ts";
import { readRecords } from "./record.ts";
import { checkSwitch, SWITCHES } from "./switches.ts";
import { checkTimeout } from "./timeout.ts";
import { type Tried, tryEntry } from "./try.ts";
import { canBeAsked, checkWiring } from "./wiring.ts";
import { originOf } from "./worktree.ts";

/** What was found. */
export interface Examination {
  readonly entries: readonly { readonly entry: OurEntry; readonly tried: Tried }[];
  /** The gravest first. */
  readonly findings: readonly Finding[];
}

/** What is to be examined. */
export interface Subject {
  /** The hooks that there are. */
  readonly hooks: readonly Hook[];
  /** The folder of the project, absolute. */
  readonly project: string;
  /** Ask the client for its version. */
  readonly client: boolean;
  /** The settings files; those of this machine where it is left out. */
  readonly places?: readonly Place[];
}

/** What is known before any file is read. */
interface Ground {
  readonly platform: Platform;
  readonly home: string | undefined;
  readonly agentFolder: string | undefined;
  /** The project's folder and that of its worktree, links followed. */
  readonly projects: readonly string[];
  /** The worktree that the project's was made from; the client reads the local settings of that one. */
  readonly origin: string | undefined;
  readonly look: Look;
}

/** The folders of PATH that are not the project's. */
function pathFolders(platform: Platform, isInProject: (path: string) => boolean): readonly string[] {
  const folders = (variable("PATH") ?? variable("Path") ?? "").split(platform === "windows" ? ";" : ":");
  return folders.filter((folder) => parsePath(folder, platform).kind === "absolute" && !isInProject(folder));
}

/** What a look at the file system gives, or that where it fails. */
function attempt<Found>(look: () => Found, otherwise: Found): Found {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

function survey(project: string): Ground {
  const platform = currentPlatform();
  const home = findHome(platform);
  const named = variable("CLAUDE_CONFIG_DIR");
  const agentFolder = named ?? (home === undefined ? undefined : below(home, platform, ".claude"));
  const { root } = findRoot({ cwd: project, root: "worktree" }, platform);
  const real = realPath(project) ?? project;
  const projects = [...new Set([real, ..."path" in root ? [root.path] : []])];
  // Where the home itself is the project, the user's own programs lie in it. A variable alone makes no home.
  const isHome = [undefined, home].includes(accountHome());
  const own = projects.filter((folder) => !isHome || tooWide(folder, home, platform) === undefined);
  const isInProject = (path: string) => {
    // Every name on the way counts, and `..` as text and as the system reads it.
    const found = resolve(path, { platform, cwd: real, home, disk });
    const spellings = "problem" in found ? [] : [found.textual, ...found.readings, ...found.names];
    return [path, realPath(path), ...spellings].some((spelling) =>
      spelling !== undefined && own.some((folder) => isInside(spelling, folder, platform))
    );
  };
  const running = executable();
  return {
    platform,
    home,
    agentFolder,
    projects,
    origin: originOf(projects.at(-1) ?? real, platform),
    look: {
      platform,
      isInProject,
      isRunning: (path) => attempt(() => isSameFile(path, running), false),
      onPath: (name) =>
        pathFolders(platform, isInProject)
          .flatMap((folder) =>
            (platform === "windows" ? [`${name}.exe`, name] : [name]).map((file) =>
              below(folder, platform, file)
            )
          )
          .find((path) => programState(path) === "fine" && !isInProject(path)),
    },
  };
}

function dropIns(folder: string): string[] {
  try {
    return listFiles(folder).map((path) => path.replace(/^.*[\\/]/s, ""));
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}

/** The names of plugins that need no quotes on a command line. */
const PLUGIN_NAME = /^\w[\w.-]*@\w[\w.-]*$/;

/** The wirings of the plugins that are switched on, and what stands against those of this program. */
function findPlugins(
  files: readonly PlacedSettings[],
  { agentFolder, platform, projects }: Ground,
): { readonly places: readonly Place[]; readonly findings: readonly Finding[] } {
  const rank = ["user", "project", "local", "managed"];
  const settled = new Map<string, { on: boolean; place: Place; byUser: boolean }>();
  for (const name of rank) {
    for (const { place, plugins, problem } of files) {
      if (place.name !== name || problem) continue;
      for (const [plugin, on] of plugins) {
        const byUser = settled.get(plugin)?.byUser ?? (on && name === "user");
        settled.set(plugin, { on, place, byUser });
      }
    }
  }
  const isThisProject = (path: string) => projects.includes(realPath(path) ?? path);
  const listed = agentFolder === undefined
    ? undefined
    : readOptional(installedPluginsFile(agentFolder, platform)).text;
  const installed = listed === undefined
    ? new Map<string, string[]>()
    : readInstalledPlugins(listed, isThisProject);
  const places: Place[] = [];
  const findings: Finding[] = [];
  for (const [plugin, { on, place, byUser }] of settled) {
    const folders = installed.get(plugin) ?? [];
    const isOurs = plugin.startsWith("nonzero@");
    if (on) places.push(...folders.map((folder) => pluginPlace(folder, platform)));
    if (isOurs && on && folders.length === 0) {
      findings.push({
        level: byUser ? "error" : "warning",
        id: "plugin-missing",
        message: `The plugin ${plugin} is switched on and not installed.`,
        // No command line is made of what a repository has written.
        fix: byUser && PLUGIN_NAME.test(plugin)
          ? `Run: claude plugin install ${plugin}`
          : 'Take it out of "enabledPlugins", or install it as its source says.',
        file: place.file,
      });
    }
    if (isOurs && !on && byUser) {
      findings.push({
        level: "warning",
        id: "hooks-switched-off",
        message: `The project switches off the user's plugin ${plugin}.`,
        fix: "Take it out of the file, or start the client with --setting-sources user.",
        file: place.file,
      });
    }
  }
  return { places, findings };
}

function isBuild(program: string, platform: Platform): boolean {
  const real = realPath(program);
  const folder = real === undefined ? undefined : [...ancestors(real, platform)][2];
  return folder !== undefined &&
    attempt(() => disk.kind(below(folder, platform, "BUILD.json")), "missing") === "file";
}

function findOurs(
  files: readonly PlacedSettings[],
  hooks: readonly Hook[],
  platform: Platform,
): Map<PlacedSettings, OurEntry[]> {
  return new Map(files.map((file) => [
    file,
    file.handlers.flatMap((handler) => {
      const hook = identify(handler, hooks, (program) => isBuild(program, platform));
      return hook === undefined ? [] : [{ place: file.place, handler, hook: hook ?? undefined }];
    }),
  ]));
}

/** What the configuration of the guards themselves says and loosens. */
async function checkConfiguration({ home, platform, projects }: Ground): Promise<Finding[]> {
  const cwd = projects[0] ?? "";
  const broken = (error: unknown): Finding[] => {
    if (!(error instanceof ConfigError)) throw error;
    return [{
      level: "warning",
      id: "configuration",
      message: `${error.message}: the guards refuse each call.`,
      fix: "Correct the file, or remove it.",
      file: null,
    }];
  };
  const found: Finding[] = [];
  try {
    const { root, outer } = findRoot({ cwd, root: "worktree" }, platform);
    const { untrusted, file } = await configure(root, outer, [], { platform, cwd, home, disk });
    if (untrusted) {
      found.push({
        level: "warning",
        id: "configuration",
        message: "The user's configuration lies where the agent can write, so it loosens nothing.",
        fix: "Keep it outside of the project.",
        file,
      });
    }
    const user = await readUserConfig(home, platform);
    if (user) found.push(...checkLoosened(user.config, user.file));
  } catch (error) {
    found.push(...broken(error));
  }
  return found;
}

/** Settings of ours around the project, which the client does not read where it is started. */
function checkAround({ projects, platform }: Ground): Finding[] {
  const [project, ...around] = projects;
  return around.flatMap((folder): Finding[] => {
    const file = sharedSettings(folder, platform);
    if (!/nonzero/i.test(readOptional(file).text ?? "")) return [];
    return [{
      level: "warning",
      id: "not-read-here",
      message: `A client that is started in ${project} does not read this file.`,
      fix: "Start it in the folder above, or run `nonzero install` there without --project.",
      file,
    }];
  });
}

function checkSwitches({ projects, platform }: Ground): Finding[] {
  return projects.flatMap((folder) =>
    SWITCHES.flatMap((one) => {
      const file = below(folder, platform, ...one.path);
      const { text } = readOptional(file);
      return text === undefined ? [] : checkSwitch(one, text, file);
    })
  );
}

async function askClient({ look }: Ground, env: Readonly<Record<string, string>>): Promise<Finding[]> {
  const program = look.onPath("claude");
  if (program === undefined) return checkClient(undefined);
  return await withTemporaryFolder(async (cwd) => {
    const options = { stdin: "", cwd, env: { ...env, PWD: cwd }, timeout: 5_000, limit: 4096 };
    return checkClient((await runChild(program, ["--version"], options)).stdout);
  });
}

/** The variables by which the client lets no settings say where things lie. */
const KEPT = /^(?:HOME|USERPROFILE|APPDATA|XDG_\w+|CLAUDE_\w+|PATH)$/i;

/** The variables that lead to the folder that this program was started in, or to the project's programs. */
const WHERE = /^(?:PATH|PWD|OLDPWD|INIT_CWD)$/i;

/**
 * The environment of hooks: this program's own and what the user's settings add. What the project's add may have
 * something of the repository loaded into whatever is run.
 */
function hookEnvironment(
  files: readonly PlacedSettings[],
  { look, platform }: Ground,
): Record<string, string> {
  // A file of the repository must not be loaded, whoever says so.
  const isTheirs = (part: string) => parsePath(part, platform).kind === "absolute" && look.isInProject(part);
  const isSafe = ([name, value]: readonly [string, string]) =>
    !isHazard(name) || !value.split(/[\s:;=]+/).some(isTheirs);
  const added = files.filter(({ place, problem }) =>
    !problem && (place.name === "user" || place.name === "managed")
  )
    .flatMap(({ env, place }) => look.isInProject(place.file) ? [] : Object.entries(env))
    .filter(([name]) => !KEPT.test(name));
  const own = Object.entries(environment()).filter(([name]) => !WHERE.test(name));
  return {
    ...Object.fromEntries([...own, ...added].filter(isSafe)),
    PATH: pathFolders(platform, look.isInProject).join(platform === "windows" ? ";" : ":"),
  };
}

/** Examines a project and the user's own settings. Throws only what the system throws where nothing can be done. */
export async function examine({ hooks, project, client, places }: Subject): Promise<Examination> {
  const ground = survey(project);
  const { platform, agentFolder, projects, origin, look } = ground;
  const [started = project, ...around] = projects;
  const locals = [...around, ...origin === undefined ? [] : [origin]];
  const settings = readPlaces(
    places ?? settingsPlaces({ platform, agentFolder, project: started, locals, dropIns }),
  );
  const plugins = findPlugins(settings.files, ground);
  const wirings = readPlaces(plugins.places);
  const files = [...settings.files, ...wirings.files];
  const ours = findOurs(files, hooks, platform);
  // Of a file that the client does not read nothing is wired.
  const wired = [...ours].flatMap(([{ problem }, entries]) => problem ? [] : entries);
  const env = hookEnvironment(files, ground);
  const isRecorded = await readRecords({
    ...ground,
    projects: [started, ...locals],
    isInProject: look.isInProject,
  });
  const isSafeFolder = (folder: string) =>
    parsePath(folder, platform).kind === "absolute" && !look.isInProject(folder);
  const trial = { platform, project, look, env, isRecorded };
  const hung = new Set<string>();
  const entries: { entry: OurEntry; tried: Tried }[] = [];
  for (const entry of wired) {
    const tried = canBeAsked(entry) ? await tryEntry(entry, trial, hung) : {
      verdict: entry.handler.dropped === undefined ? "wrong event" : "left out",
      harmless: undefined,
      mustRefuse: undefined,
      findings: [],
    };
    entries.push({ entry, tried });
  }
  const programs = new Set(entries.flatMap(({ tried }) => tried.program ?? []));
  const unread = files.some((file) => file.problem && (file.mentionsUs || (ours.get(file) ?? []).length > 0));
  return {
    entries,
    findings: sortFindings([
      ...settings.findings,
      ...plugins.findings,
      ...wirings.findings,
      ...files.flatMap((file) => checkFile(file, (ours.get(file) ?? []).length > 0, isSafeFolder)),
      ...checkManagedOnly(files, wired.map(({ place }) => place)),
      ...checkWiring(wired).filter(({ id }) => !(unread && id === "no-wiring")),
      ...entries.flatMap(({ tried }) => tried.findings),
      ...entries.flatMap(({ entry, tried }) => checkTimeout(entry, tried)),
      ...(await Promise.all([...programs].map(checkDigest))).flat(),
      ...checkEnvironment(environment(), null, "own", isSafeFolder),
      ...checkAround(ground),
      ...checkSwitches(ground),
      ...await checkConfiguration(ground),
      ...client ? await askClient(ground, env) : [],
    ]),
  };
}
