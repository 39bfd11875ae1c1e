/** Sends events through the configured commands, as the client would, and judges what comes of it. */
import type { Hook } from "../contract/entry.ts";
import type { Platform } from "../contract/hook.ts";
import { type Ran, runChild } from "../io/child.ts";
import { FileError, readText } from "../io/files.ts";
import { programState } from "../io/programs.ts";
import { withTemporaryFolder, writeFiles } from "../io/temporary.ts";
import { below } from "../run/roots.ts";
import { type Command, findCommand, isPlainCall, type Look, type Refusal } from "./command.ts";
import type { Finding } from "./finding.ts";
import { type OurEntry, refusesOnFailure } from "./ours.ts";
import { AGENT_FOLDER, probeFor, type Stage, STAGE_FILES } from "./probes.ts";
import { judge } from "./verdict.ts";

/** How long a command may take, in milliseconds. */
const TIMEOUT = 5_000;

/** The most that is kept of what it prints, in bytes. */
const OUTPUT_LIMIT = 256 * 1024;

/** What trying an entry out came to. */
export interface Tried {
  readonly verdict: string;
  readonly harmless: Ran | undefined;
  readonly mustRefuse: Ran | undefined;
  readonly findings: readonly Finding[];
  /** The hook's executable, where it is known and there. */
  readonly program?: string;
}

/** What is the same for all entries. */
export interface Trial {
  readonly platform: Platform;
  readonly project: string;
  readonly look: Look;
  /** The environment that the client gives hooks. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether the user's own record of what was installed has this program in this file of the project's. */
  readonly isRecorded: (file: string, program: string) => boolean;
}

function untried(verdict: string, findings: readonly Finding[]): Tried {
  return { verdict, harmless: undefined, mustRefuse: undefined, findings };
}

function refused({ id, message, fix }: Refusal, level: Finding["level"], file: string): Tried {
  return untried("not run", [{ level, id, message, fix, file }]);
}

/** What it means that a program cannot be started. */
function unstartable(
  program: string,
  state: "missing" | "not executable",
  hook: Hook,
  entry: OurEntry,
): Tried {
  const closed = hook.kind !== "guard" || refusesOnFailure(entry.handler);
  const effect = hook.kind !== "guard"
    ? `${hook.name} does nothing`
    : closed
    ? "the client refuses each call of a tool that writes"
    : "every tool runs unjudged";
  return untried(state, [{
    level: closed ? "warning" : "error",
    id: state === "missing" ? "program-missing" : "not-executable",
    message: `"${program}" ${state === "missing" ? "does not exist" : "cannot be executed"}: ${effect}.`,
    fix: state === "missing"
      ? "Put the executable back, or wire the one that is there."
      : "Make it executable, as by chmod +x.",
    file: entry.place.file,
  }]);
}

function readLog(folder: string): string {
  try {
    return readText(folder, OUTPUT_LIMIT);
  } catch (error) {
    if (error instanceof FileError) return "";
    throw error;
  }
}

async function send(
  entry: OurEntry,
  hook: Hook,
  command: Command,
  trial: Trial,
): Promise<Tried> {
  const { platform, env } = trial;
  return await withTemporaryFolder(async (folder) => {
    writeFiles(folder, STAGE_FILES);
    const stage: Stage = { folder, path: (...names) => below(folder, platform, ...names) };
    const probe = probeFor(hook, entry.handler.event, stage);
    const { pluginRoot } = entry.place;
    const run = (stdin: string) =>
      runChild(command.program, command.args, {
        stdin,
        cwd: stage.path("project"),
        env: {
          ...env,
          CLAUDE_CONFIG_DIR: stage.path(AGENT_FOLDER),
          // Not the project itself: a script of the user's might run what it finds there.
          CLAUDE_PROJECT_DIR: stage.path("project"),
          PWD: stage.path("project"),
          CLAUDECODE: "1",
          ...pluginRoot === undefined ? {} : { CLAUDE_PLUGIN_ROOT: pluginRoot },
        },
        timeout: TIMEOUT,
        limit: OUTPUT_LIMIT,
      });
    const harmless = await run(probe.harmless);
    const mustRefuse = probe.mustRefuse === undefined ? undefined : await run(probe.mustRefuse);
    const log = hook.kind === "observer" && "file" in hook
      ? readLog(stage.path(AGENT_FOLDER, hook.file))
      : "";
    const asked = {
      hook,
      event: entry.handler.event,
      refusesOnFailure: refusesOnFailure(entry.handler),
      file: entry.place.file,
    };
    return { harmless, mustRefuse, ...judge({ harmless, mustRefuse, log }, asked) };
  });
}

/**
 * Tries an entry out. What comes with the repository is run only where the user's own record has it. `hung` keeps the
 * programs that took too long: for guards alone they are waited for again.
 */
export async function tryEntry(entry: OurEntry, trial: Trial, hung: Set<string>): Promise<Tried> {
  const { handler, hook, place } = entry;
  if (!hook) return untried("unknown hook", []);
  const values = { project: trial.project, pluginRoot: place.pluginRoot };
  const command = findCommand(handler, hook, values, trial.look);
  const closed = hook.kind !== "guard" || refusesOnFailure(handler);
  const isTheirs = place.name === "project" || place.name === "local";
  if ("id" in command && !isTheirs) {
    const level = command.id === "program-missing" && !closed ? "error" : "warning";
    return refused(command, level, place.file);
  }
  // A variable may have the user's own folder lie in the project, and a list of plugins lead there.
  if ("id" in command || isTheirs || trial.look.isInProject(place.file)) {
    if ("id" in command || !trial.isRecorded(place.file, command.program) || !isPlainCall(handler, hook)) {
      return refused(
        {
          id: "not-run",
          message: `${hook.name} on ${handler.event} was not run: it comes with the repository.`,
          fix:
            "Look at the entry. `nonzero install` records what it wires, and `nonzero install --user` wires it for all projects.",
        },
        "warning",
        place.file,
      );
    }
  }
  const own = command.own;
  const state = own === undefined ? "fine" : programState(own);
  if (own !== undefined && state !== "fine" && handler.args !== undefined) {
    return unstartable(own, state, hook, entry);
  }
  const key = own ?? command.program;
  if (hook.kind !== "guard" && hung.has(key)) {
    return untried("not asked", [{
      level: "warning",
      id: "hangs",
      message: `${hook.name} on ${handler.event} was not asked: its program took too long before.`,
      fix: "Put the executable of a release in its place, and run nonzero doctor again.",
      file: place.file,
    }]);
  }
  let tried: Tried;
  try {
    tried = await send(entry, hook, command, trial);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown error";
    return untried("not asked", [{
      level: "error",
      id: "no-temporary-folder",
      message: `No hook can be asked: the files that it is asked about cannot be written (${reason}).`,
      fix: "Let TMPDIR name a folder that can be written.",
      file: null,
    }]);
  }
  if ([tried.harmless, tried.mustRefuse].some((ran) => ran?.problem === "took too long")) hung.add(key);
  return own !== undefined && state === "fine" ? { ...tried, program: own } : tried;
}
