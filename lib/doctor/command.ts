/** Says what a configured command starts, and whether it may be started to try it out. */
import type { Hook } from "../contract/entry.ts";
import type { Platform } from "../contract/hook.ts";
import { wire } from "../harness/claude-wiring.ts";
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

/** A line of a program and plain words, which means the same without a shell, and maybe what to do where it fails. */
const PLAIN_LINE =
  /^(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"`$~*?[\](){}<>|&;#!\\]+))((?: [\w-]+)*)(?: *\|\| exit 2)?$/;

/**
 * The program of a command line that can be nothing but one of ours being asked for a hook: the wiring for sh that this
 * program prints, to the letter, or a line of plain words.
 */
function ownProgram(line: string, hook: Hook): string | undefined {
  const quoted = /^test -s '((?:[^']|'\\'')*)' && /.exec(line)?.[1];
  if (quoted !== undefined) {
    const program = quoted.replaceAll("'\\''", "'");
    const handlers = wire([hook], { program, judge: false, shell: true })["PreToolUse"]?.[0]?.hooks ?? [];
    return handlers.some((own) => "command" in own && own.command === line) ? program : undefined;
  }
  const plain = PLAIN_LINE.exec(line);
  const words = plain?.[4]?.split(" ").filter((word) => word !== "") ?? [];
  return plain && isPlain(words, hook) ? plain[1] ?? plain[2] ?? plain[3] : undefined;
}

function isAbsolute(path: string, platform: Platform): boolean {
  return parsePath(path, platform).kind === "absolute";
}

function inShell(line: string, hook: Hook, values: Values, look: Look): Command | Refusal {
  const own = ownProgram(line, hook);
  const isTheirs = (path: string) =>
    isAbsolute(path, look.platform) ? look.isInProject(path) : /^\.{1,2}[\\/]/.test(path);
  if (
    line.includes("CLAUDE_PROJECT_DIR") || line.includes(values.project) ||
    (own === undefined ? pathsOf(line) : [own]).some(isTheirs)
  ) {
    return { ...MOVE, message: `${hook.name} was not run: its command names what is the project's.` };
  }
  // What a shell makes of any other line, and where that leads, cannot be told without running it.
  if (own === undefined || !isAbsolute(own, look.platform)) {
    return {
      id: "shell-line",
      message: `${hook.name} was not run: its command is a line for a shell of more than plain words.`,
      fix: "Take the wiring that `nonzero list --hooks-json --settings` prints: it needs no shell.",
    };
  }
  const shell = look.onPath("sh");
  if (shell === undefined) {
    return {
      id: "no-shell",
      message: `${hook.name} was not run: there is no sh for its command line.`,
      fix: "Take the wiring that `nonzero list --hooks-json --settings` prints: it needs no shell.",
    };
  }
  return { program: shell, args: ["-c", line], own };
}

/** Whether words are nothing but what asks for a hook. */
function isPlain(args: readonly string[], hook: Hook): boolean {
  const words = args.filter((word) => word !== "-z");
  const options = words[0] === "hook" && words[1] === hook.name ? words.slice(2) : words;
  return options.length === 0 || (options.length === 2 && options[0] === "--harness");
}

/** Whether a command is nothing but one of ours being asked for a hook: whatever file it stands in, it can do no harm. */
export function isPlainCall({ args }: Handler, hook: Hook): boolean {
  return args !== undefined && isPlain(args, hook);
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
    isAbsolute(word, platform) && look.isInProject(word) && !look.isRunning(word)
  );
  if (theirs !== undefined) {
    return { ...MOVE, message: `${hook.name} was not run: "${theirs}" lies in the project.` };
  }
  // Another program may make anything of its arguments, also start what lies in the project.
  if (!isPlainCall(handler, hook)) {
    return {
      id: "not-plain",
      message: `${hook.name} was not run: "${command}" is given more than the name of a hook.`,
      fix: "Take the entry that `nonzero list --hooks-json --settings` prints.",
    };
  }
  return { program, args, own: program };
}
