import { parseArgs } from "@std/cli/parse-args";
import { UsageError } from "../contract/entry.ts";
import { diffOf } from "../install/diff.ts";
import { PROJECT_SETTINGS } from "../install/files.ts";
import { settingsOf } from "../install/plugin.ts";
import { planUninstall } from "../install/plan-uninstall.ts";
import type { InstallRecord } from "../install/record.ts";
import { type Report, rowsOf } from "../install/report.ts";
import { wiredPrograms } from "../install/settings.ts";
import { platform as currentPlatform } from "../io/system.ts";
import { isInside } from "../paths/compare.ts";
import { printable } from "../run/answer.ts";
import { ancestors } from "../run/roots.ts";
import { answerBy, type InstallAnswer, valueOf } from "./install.ts";
import {
  apply,
  clean,
  effective,
  hasRecord,
  locked,
  openProject,
  openScope,
  otherNames,
  type Project,
  type Scope,
} from "./project.ts";

const HELP = `nonzero uninstall: takes out of a project what nonzero install wrote

Usage: nonzero uninstall [options]

A file that is as it was written becomes what it was before, byte for byte. From one that was changed since, only what
is nonzero's is taken; what was changed of that is kept, and named. So is what stood there before the first install.
Without a record of an install it goes by the marks in the files.

Options:
  --project-dir DIR   the project; by default the current folder
  --user              also takes the hooks out of the user's own settings
  --dry-run           shows what would change, and writes nothing
  --json              prints the report as JSON
  --help

Exit codes: 0 all is gone, 1 something was kept or not done, 64 a mistake on the command line.
`;

interface Options {
  readonly help: boolean;
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly user: boolean;
  readonly projectDir: string | undefined;
}

function parseOptions(args: readonly string[]): Options {
  const options = parseArgs(args, {
    boolean: ["json", "help", "dry-run", "user"],
    string: ["project-dir"],
    unknown(argument) {
      throw new UsageError(`unknown argument "${argument}"`);
    },
  });
  return {
    help: options.help === true,
    json: options.json === true,
    dryRun: options["dry-run"] === true,
    user: options.user === true,
    projectDir: valueOf(options, "project-dir"),
  };
}

/** The record without the files that are gone by now. */
function present({ record }: Scope, { files }: Project): InstallRecord | undefined {
  return record && { ...record, files: record.files.filter(({ path }) => files.read(path) !== undefined) };
}

/** What is said of hooks that stay since nobody asked for them. */
function usersHooks({ agent, files }: Project): string[] {
  return wiredPrograms(settingsOf(agent.settings, files)).length === 0
    ? []
    : [`${agent.settings} wires the hooks for all projects: --user takes them out`];
}

/** Where around the project there is an install, which this one is not about. */
function aroundHere(project: Project): string[] {
  const { root, worktree } = project;
  const platform = currentPlatform();
  return [...ancestors(root, platform)]
    .filter((folder) => folder !== root && isInside(folder, worktree, platform) && hasRecord(project, folder))
    .map((folder) => `nonzero is installed in ${folder}: uninstall it there, or with --project-dir`);
}

function uninstall({ user, dryRun }: Options, project: Project): Report {
  const { files, agent, digest } = project;
  const folders = [project.root, ...user ? [agent.folder] : []];
  const run = (): Report => {
    if (!dryRun) clean(project, folders);
    const parts = folders.map((folder, at) => {
      const scope = openScope(project, folder);
      const settings = at === 0 ? PROJECT_SETTINGS : [agent.settings];
      return {
        scope: { ...scope, record: present(scope, project) },
        ...planUninstall({ record: scope.record, settings, project: at === 0, digest }, files),
      };
    });
    const changes = parts.flatMap(({ changes }) => changes);
    const changed = effective(project, changes);
    const others = otherNames(project, changed);
    const kept = parts.flatMap(({ kept }) => kept);
    if (!dryRun) apply(project, parts.map(({ scope, changes }) => ({ scope, changes, tidy: true })));
    const [own] = parts;
    const unrecorded = !own?.scope.record && (own?.changes.length ?? 0) > 0;
    const nothing = changed.length === 0 && kept.length === 0;
    return {
      ok: kept.length === 0,
      dryRun,
      files: rowsOf(changed, kept.map((one) => ({ ...one, bytes: files.read(one.path) ?? "" }))),
      criteria: [],
      warnings: others,
      conflicts: kept,
      notes: [
        ...unrecorded ? ["no record of an install: went by the marks in the files"] : [],
        ...nothing ? aroundHere(project) : [],
        ...user ? [] : usersHooks(project),
      ],
      diff: dryRun ? diffOf(changed, printable) : undefined,
    };
  };
  return dryRun ? run() : locked(project, folders, run);
}

/** Runs `nonzero uninstall`. Throws UsageError. */
export async function runUninstall(args: readonly string[]): Promise<InstallAnswer> {
  const options = parseOptions(args);
  if (options.help) return { code: 0, stdout: HELP, stderr: "" };
  return await answerBy("uninstall", options.json, async () => {
    return uninstall(options, await openProject(options.projectDir));
  });
}
