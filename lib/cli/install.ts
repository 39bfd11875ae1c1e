import { parseArgs } from "@std/cli/parse-args";
import { type Hook, UsageError } from "../contract/entry.ts";
import { wire, type Wiring } from "../harness/claude-wiring.ts";
import type { Bytes } from "../install/bytes.ts";
import { detect } from "../install/detect.ts";
import { diffOf } from "../install/diff.ts";
import { type Conflict, type Files, type Platform, PLATFORMS, PROJECT_SETTINGS } from "../install/files.ts";
import { type InstallPlan, planInstall } from "../install/plan-install.ts";
import { enabledPlugins, settingsOf } from "../install/plugin.ts";
import { doubtProgram } from "../install/program.ts";
import { failureJson, type Report, rowsOf, toJson, toText } from "../install/report.ts";
import { wiredPrograms } from "../install/settings.ts";
import { verify } from "../install/verify.ts";
import { FileError, readText } from "../io/files.ts";
import { temporaryFolder } from "../io/folder.ts";
import { realPath } from "../io/programs.ts";
import { platform as currentPlatform } from "../io/system.ts";
import { isInside } from "../paths/compare.ts";
import { printable } from "../run/answer.ts";
import { below } from "../run/roots.ts";
import { findPlugin } from "./plugins.ts";
import { findProgram } from "./program.ts";
import {
  apply,
  clean,
  effective,
  locked,
  openProject,
  openScope,
  otherNames,
  type Project,
} from "./project.ts";

/** What a command that changes files answers. */
export interface InstallAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const HELP = `nonzero install: tells a project's agents what counts as done, and wires the hooks

Usage: nonzero install [options]

Writes a section of its own into the project's memory file (CLAUDE.md or AGENTS.md), rules beside it, and the hooks
into a settings file of Claude Code. What is outside of these stays as it is, byte for byte. All is written or
nothing. nonzero uninstall takes it out again.

A file that is changed is replaced by a new one of its mode and owner. Where it has more than one name (hard links),
the others keep what was there; extended attributes are not kept. What somebody wrote into the section stays: it is
named, and the section is then not renewed.

Options:
  --platform NAME     claude-code (the default), opencode or agents; the latter two read AGENTS.md and have no hooks
  --project-dir DIR   the project; by default the current folder
  --dry-run           shows what would change, and writes nothing
  --no-rules          without the rules
  --no-hooks          without the hooks
  --no-judge          without the hook that asks a model at the end of a turn
  --local             hooks in .claude/settings.local.json: this project, this user; the default
  --user              hooks in the user's own settings: all projects
  --project           hooks in .claude/settings.json: whoever clones the project needs the program at the same path
  --program PATH      the executable that the hooks start, by a path that stays; by default this one. It is started
                      once, and must answer as nonzero does
  --json              prints the report as JSON
  --help

Exit codes: 0 done, 1 not done or not all of it, 64 a mistake on the command line.
`;

/** Where hooks go. */
type Level = "local" | "user" | "project";

const LEVELS: readonly Level[] = ["local", "user", "project"];

interface Options {
  readonly help: boolean;
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly platform: Platform;
  readonly projectDir: string | undefined;
  readonly rules: boolean;
  readonly hooks: boolean;
  readonly judge: boolean;
  readonly level: Level;
  readonly program: string | undefined;
}

/** The value of an option that takes one; undefined where it is not given. Throws UsageError. */
export function valueOf(options: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw new UsageError(`--${name} stands twice`);
  if (value === "") throw new UsageError(`--${name} needs a value`);
  return value;
}

function parseOptions(args: readonly string[]): Options {
  const options = parseArgs(args, {
    boolean: ["json", "help", "dry-run", "no-rules", "no-hooks", "no-judge", ...LEVELS],
    string: ["platform", "project-dir", "program"],
    unknown(argument) {
      throw new UsageError(`unknown argument "${argument}"`);
    },
  });
  const named = valueOf(options, "platform") ?? "claude-code";
  const platform = PLATFORMS.find((platform) => platform === named);
  if (!platform) throw new UsageError(`unknown platform "${named}"`);
  const levels = LEVELS.filter((level) => options[level] === true);
  if (levels.length > 1) throw new UsageError(`--${levels[0]} and --${levels[1]} exclude each other`);
  return {
    help: options.help === true,
    json: options.json === true,
    dryRun: options["dry-run"] === true,
    platform,
    projectDir: valueOf(options, "project-dir"),
    rules: options["no-rules"] !== true,
    hooks: options["no-hooks"] !== true,
    judge: options["no-judge"] !== true,
    level: levels[0] ?? "local",
    program: valueOf(options, "program"),
  };
}

/** The settings that the hooks of a level go into. */
function settingsPath(level: Level, { agent }: Project): string {
  const [shared = "", local = ""] = PROJECT_SETTINGS;
  return { local, project: shared, user: agent.settings }[level];
}

/** The hooks that are wanted, with what is to be said of them. */
interface Hooks {
  readonly hooks?: { readonly path: string; readonly wiring: Wiring; readonly program: string };
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

/** What is to be said of a program that hooks start. */
function doubtsOf(program: string, { worktree }: Project): string[] {
  const platform = currentPlatform();
  const doubt = doubtProgram(program, [temporaryFolder()], platform);
  const isInProject = [program, realPath(program) ?? program].some((path) =>
    isInside(path, worktree, platform)
  );
  return [
    ...doubt === undefined ? [] : [
      `${doubt}. The hooks refuse every write where it is missing: name a path that stays by --program`,
    ],
    ...isInProject
      ? [
        `${program} lies in the project, where the agent can write: keep it elsewhere, and name that by --program`,
      ]
      : [],
  ];
}

async function decideHooks(options: Options, hooks: readonly Hook[], project: Project): Promise<Hooks> {
  const { platform, level, judge } = options;
  const none = (note: string): Hooks => ({ warnings: [], notes: [note] });
  if (!options.hooks) return none("no hooks, as asked");
  if (platform !== "claude-code") {
    return none(`no hooks: for ${platform === "opencode" ? "OpenCode" : "other agents"} there are none yet`);
  }
  const all = [project.agent.settings, ...PROJECT_SETTINGS]
    .map((path) => ({ path, settings: settingsOf(path, project.files) }));
  // What is for all projects is not for one of them to say.
  const heard = level === "user" ? all.slice(0, 1) : all;
  const enabled = enabledPlugins(heard.map(({ settings }) => settings));
  const plugin = findPlugin(enabled, hooks, project, level === "user");
  if (plugin !== undefined) return none(`no hooks: the plugin ${plugin} wires them already`);
  const program = await findProgram(options.program, hooks, project.root);
  const path = settingsPath(level, project);
  const warnings = [
    ...doubtsOf(program, project),
    ...level === "project"
      ? [`${path} comes with the project: whoever clones it and has no ${program} can write nothing`]
      : [],
    ...enabled.map((name) =>
      `the plugin ${name} is switched on, and is not installed or not as this nonzero: so the hooks are wired here`
    ),
    ...all.filter(({ settings }) => settings["disableAllHooks"] === true)
      .map(({ path }) => `${path} switches all hooks off ("disableAllHooks")`),
    ...all.filter((one) => one.path !== path && wiredPrograms(one.settings).length > 0)
      .map((one) => `${one.path} wires hooks of nonzero, too`),
  ];
  return { hooks: { path, program, wiring: wire(hooks, { program, judge }) }, warnings, notes: [] };
}

/** How many loads are shown. */
const LOADS = 3;

/** The largest log of loads that is looked at, in bytes. */
const LOG_LIMIT = 16 * 1024 * 1024;

/** What a line of the log says of a file of the project; undefined where it is of none. */
function readLoad(line: string, root: string): string | undefined {
  try {
    const { ts, filePath, loadReason } = JSON.parse(line);
    if (typeof filePath !== "string" || !isInside(filePath, root, currentPlatform())) return undefined;
    return JSON.stringify({ ts, filePath, loadReason });
  } catch {
    return undefined;
  }
}

/** The last loads of the project's instructions that the agent has logged. */
function findLoads({ agent, root }: Project): readonly string[] {
  try {
    const log = readText(below(agent.folder, currentPlatform(), "proofpunk-loads.jsonl"), LOG_LIMIT);
    return log.split("\n").flatMap((line) => readLoad(line, root) ?? []).slice(-LOADS);
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}

/** The memory file, where its section is somebody else's and stays. */
function keptMemory({ memory, conflicts }: InstallPlan, files: Files): (Conflict & { bytes: Bytes })[] {
  return conflicts.filter(({ path }) => path === memory)
    .map((conflict) => ({ ...conflict, bytes: files.read(memory) ?? "" }));
}

/** Files as they would be. */
function after({ changes }: InstallPlan, files: Files): Files {
  return {
    ...files,
    read(path) {
      const change = changes.find((change) => change.path === path);
      return change ? change.after : files.read(path);
    },
  };
}

async function install(options: Options, hooks: readonly Hook[], project: Project): Promise<Report> {
  const { platform, rules, dryRun, level } = options;
  const { hooks: wanted, warnings, notes } = await decideHooks(options, hooks, project);
  const scopes = [project.root, ...wanted && level === "user" ? [project.agent.folder] : []];
  const run = (): Report => {
    if (!dryRun) clean(project, scopes);
    const [own, user] = scopes.map((folder) => openScope(project, folder));
    const detected = detect(project.text);
    const plan = planInstall({
      platform,
      rules,
      detected,
      hooks: wanted,
      record: own?.record,
      digest: project.digest,
    }, project.files);
    const changed = effective(project, plan.changes);
    const others = otherNames(project, changed);
    if (own && !dryRun) {
      const isUsers = ({ kind }: { kind: string }) => user !== undefined && kind === "settings";
      apply(project, [
        {
          scope: own,
          changes: plan.changes.filter((change) => !isUsers(change)),
          program: user ? undefined : wanted?.program,
        },
        ...user ? [{ scope: user, changes: plan.changes.filter(isUsers), program: wanted?.program }] : [],
      ]);
    }
    const criteria = verify(plan, wanted, dryRun ? after(plan, project.files) : project.files);
    return {
      ok: criteria.every(({ pass }) => pass),
      dryRun,
      files: rowsOf(plan.changes, keptMemory(plan, project.files)),
      criteria,
      warnings: [...plan.warnings, ...others, ...warnings],
      conflicts: plan.conflicts,
      found: [
        ...detected.manifests,
        ...detected.commands.map(({ command }) => command),
        ...detected.tui.map((name) => `${name} for a terminal interface`),
      ],
      notes,
      loads: findLoads(project),
      diff: dryRun ? diffOf(changed, printable) : undefined,
    };
  };
  return dryRun ? run() : locked(project, scopes, run);
}

/** Answers by a report, or by why there is none. */
export async function answerBy(
  command: string,
  json: boolean,
  work: () => Promise<Report>,
): Promise<InstallAnswer> {
  try {
    const report = await work();
    return {
      code: report.ok ? 0 : 1,
      stdout: json ? toJson(report) : toText(report, printable),
      stderr: "",
    };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = printable(error instanceof Error ? error.message : "unknown error");
    return {
      code: 1,
      stdout: json ? failureJson(reason) : "",
      stderr: `nonzero ${command}: ${reason}\nNothing was changed.\n`,
    };
  }
}

/** Runs `nonzero install`. Throws UsageError. */
export async function runInstall(hooks: readonly Hook[], args: readonly string[]): Promise<InstallAnswer> {
  const options = parseOptions(args);
  if (options.help) return { code: 0, stdout: HELP, stderr: "" };
  return await answerBy("install", options.json, async () => {
    return await install(options, hooks, await openProject(options.projectDir));
  });
}
