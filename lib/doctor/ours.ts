/** Tells the project's own hooks among those that a file wires, and what is wrong with how one is wired. */
import type { Hook } from "../contract/entry.ts";
import type { Handler } from "./claude-settings.ts";

/** Where a hook is wired. */
export interface Place {
  /** Who the file belongs to. */
  readonly name: "managed" | "user" | "project" | "local" | "plugin";
  readonly file: string;
  /** What `${CLAUDE_PLUGIN_ROOT}` stands for. */
  readonly pluginRoot?: string;
}

/** One of the project's hooks, as a file wires it. */
export interface OurEntry {
  readonly place: Place;
  readonly handler: Handler;
  /** Undefined where the command does not say which hook it runs and its event asks for none. */
  readonly hook: Hook | undefined;
}

/** The last name of a path, without `.exe`. */
function baseName(path: string): string {
  return path.replace(/^.*[\\/]/s, "").replace(/\.exe$/i, "");
}

/** The events that a hook is made for. */
export function rightEvents(hook: Hook): readonly string[] {
  switch (hook.kind) {
    case "guard":
      return ["PreToolUse"];
    case "stop":
      return ["Stop", "SubagentStop"];
    case "observer":
      return "says" in hook ? ["SessionStart"] : ["InstructionsLoaded"];
  }
}

function hookFor(event: string, hooks: readonly Hook[]): Hook | undefined {
  return hooks.find((hook) => rightEvents(hook).includes(event));
}

/** The words of a command line, roughly: as far as is needed to find names in it. */
function wordsOf({ command, args }: Handler): readonly string[] {
  if (args) return [command, ...args];
  return command.split(/[\s;&|(){}]+/).map((word) => word.replace(/^["']+|["']+$/g, ""));
}

/** Whether a command is given what only this project's programs take: other people name their scripts alike. */
function speaksOurs(words: readonly string[]): boolean {
  return words.includes("-z") || words.includes("--harness");
}

/** The hook that a handler runs; undefined where it runs none of ours, null where it does not say which. */
export function identify(
  handler: Handler,
  hooks: readonly Hook[],
  isBuild: (program: string) => boolean,
): Hook | null | undefined {
  const words = wordsOf(handler);
  const find = (name: string | undefined) => hooks.find((hook) => hook.name === name);
  for (const [at, word] of words.entries()) {
    const named = word === "hook" ? find(words[at + 1]) : undefined;
    if (named) return named;
  }
  const programs = handler.args ? words.slice(0, 1) : words;
  for (const program of programs) {
    const named = find(baseName(program));
    if (named && /[\\/]/.test(program) && (speaksOurs(words) || isBuild(program))) return named;
  }
  if (!programs.some((program) => baseName(program) === "nonzero")) return undefined;
  return hookFor(handler.event, hooks) ?? null;
}

/** What the shell form of the wiring does where the program fails: it refuses. */
function refusesByShell({ args, command }: Handler): boolean {
  return args === undefined && /\|\|[^]*\bexit 2\b/.test(command);
}

/** Whether the client refuses the tool where the hook cannot judge. */
export function refusesOnFailure(handler: Handler): boolean {
  return handler.onFailure === "block" || refusesByShell(handler);
}

/** Whether `-z` comes first, which a damaged executable refuses. */
export function refusesDamaged({ args, command }: Handler): boolean {
  return args === undefined ? /(?:^|[\s"'])-z\s/.test(command) : args[0] === "-z";
}

/** The command as it stands, for people. */
export function describeCommand({ command, args }: Handler): string {
  return args === undefined ? command : [command, ...args].join(" ");
}
