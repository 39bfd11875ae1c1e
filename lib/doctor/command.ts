/** Says what a configured command starts, and whether it may be started to try it out. */
import type { Hook } from "../contract/entry.ts";
import type { Platform } from "../contract/hook.ts";
import { segments } from "../paths/compare.ts";
import { parsePath } from "../paths/parse.ts";
import type { Handler } from "./claude-settings.ts";

/** A command with its placeholders filled in. */
export interface Command {
  /** The program to start, as it was found; the shell where there is one. */
  readonly program: string;
  readonly args: readonly string[];
  /** The hook's own program, where it can be told. */
  readonly own: string | undefined;
}

/** What the placeholders of a wiring stand for. */
export interface Values {
  readonly project: string;
  readonly pluginRoot: string | undefined;
}

/** The text with its placeholders filled in, as the client does it before it starts anything. */
export function fill(text: string, { project, pluginRoot }: Values): string {
  return text.replaceAll("${CLAUDE_PROJECT_DIR}", project)
    .replaceAll("${CLAUDE_PLUGIN_ROOT}", pluginRoot ?? "${CLAUDE_PLUGIN_ROOT}");
}

/** What tells whether a path is the project's own, and finds programs. */
export interface Look {
  readonly platform: Platform;
  readonly isInProject: (path: string) => boolean;
  /** The path of a program of that name in the folders that are not the project's; undefined: there is none. */
  readonly onPath: (name: string) => string | undefined;
  /** The file is the program that is running. */
  readonly isRunning: (path: string) => boolean;
}

/** Why a command is not tried out, and what that weighs. */
export interface Refusal {
  readonly id: string;
  readonly message: string;
  readonly fix: string;
}

const MOVE: Pick<Refusal, "id" | "fix"> = {
  id: "in-project",
  fix: "Keep the executable where the agent cannot write, and name it by its absolute path.",
};

/** The words of a command line that are paths, roughly. */
function pathsOf(line: string): readonly string[] {
  return line.split(/[\s;&|(){}<>=]+/).map((word) => word.replace(/^["']+|["']+$/g, ""))
    .filter((word) => /[\\/]/.test(word));
}

/** The program of a command line that is one of ours by its name. */
function ownProgram(line: string, hook: Hook): string | undefined {
  // Between quotes a path may have spaces.
  const quoted = [...line.matchAll(/'([^']*)'|"([^"]*)"/g)].map((match) => match[1] ?? match[2] ?? "");
  return [...quoted, ...pathsOf(line)].find((path) => {
    const name = path.replace(/^.*[\\/]/s, "").replace(/\.exe$/i, "");
    return /[\\/]/.test(path) && (name === "nonzero" || name === hook.name);
  });
}

function isAbsolute(path: string, platform: Platform): boolean {
  return parsePath(path, platform).kind === "absolute";
}

function inShell(line: string, hook: Hook, values: Values, look: Look): Command | Refusal {
  const inProject = pathsOf(line).find((path) =>
    isAbsolute(path, look.platform) ? look.isInProject(path) : /^\.{1,2}[\\/]/.test(path)
  );
  if (inProject !== undefined || line.includes("CLAUDE_PROJECT_DIR") || line.includes(values.project)) {
    return { ...MOVE, message: `${hook.name} was not run: its command names what is the project's.` };
  }
  const shell = look.onPath("sh");
  if (shell === undefined) {
    return {
      id: "no-shell",
      message: `${hook.name} was not run: there is no sh for its command line.`,
      fix: "Take the wiring that `nonzero list --hooks-json --settings` prints: it needs no shell.",
    };
  }
  return { program: shell, args: ["-c", line], own: ownProgram(line, hook) };
}

/** What a wired command starts, or why it is not tried out. */
export function findCommand(handler: Handler, hook: Hook, values: Values, look: Look): Command | Refusal {
  const { platform } = look;
  const command = fill(handler.command, values);
  if (handler.args === undefined) return inShell(command, hook, values, look);
  const args = handler.args.map((word) => fill(word, values));
  const isBare = !/[\\/]/.test(command);
  if (!isBare && !isAbsolute(command, platform)) {
    return {
      id: "relative-program",
      message: `${hook.name} was not run: "${command}" is another file in each folder that a session is in.`,
      fix: "Name the executable by its absolute path.",
    };
  }
  const program = isBare ? look.onPath(command) : command;
  if (program === undefined) {
    return {
      id: "program-missing",
      message: `"${command}" is not on PATH.`,
      fix: "Name the executable by its absolute path.",
    };
  }
  const theirs = [program, ...args].find((word) =>
    segments(word, platform) !== undefined && look.isInProject(word) && !look.isRunning(word)
  );
  if (theirs !== undefined) {
    return { ...MOVE, message: `${hook.name} was not run: "${theirs}" lies in the project.` };
  }
  return { program, args, own: program };
}

/** Whether a command is nothing but one of ours being asked for a hook: whatever file it stands in, it can do no harm. */
export function isPlainCall({ args }: Handler, hook: Hook): boolean {
  if (args === undefined) return false;
  const words = args[0] === "-z" ? args.slice(1) : args;
  const options = words[0] === "hook" && words[1] === hook.name ? words.slice(2) : words;
  return options.length === 0 || (options.length === 2 && options[0] === "--harness");
}
