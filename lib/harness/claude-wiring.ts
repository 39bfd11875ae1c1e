/** How hooks are wired into Claude Code: what stands under `hooks` in its settings, and in a plugin's hooks.json. */
import type { Hook } from "../contract/entry.ts";
import { STOP_JUDGE } from "./stop-judge.ts";

/** A program that the client starts itself. */
export interface ExecHandler {
  readonly type: "command";
  readonly command: string;
  readonly args: readonly string[];
  /** In seconds. */
  readonly timeout: number;
  /** Refuse the tool where the program is missing, crashes or takes too long (2.1.295 or later). */
  readonly onFailure?: "block";
}

/** A command line for a shell, for clients that know no `args`. */
export interface ShellHandler {
  readonly type: "command";
  readonly command: string;
  readonly timeout: number;
}

/** A question that the client puts to a model. */
export interface PromptHandler {
  readonly type: "prompt";
  readonly prompt: string;
  readonly timeout: number;
}

/** Any handler that a wiring holds. */
export type Handler = ExecHandler | ShellHandler | PromptHandler;

/** The handlers of an event, with what they are for. */
export interface Group {
  readonly matcher?: string;
  readonly hooks: readonly Handler[];
}

/** By event. */
export type Wiring = Readonly<Record<string, readonly Group[]>>;

/** The tools that a guard judges. */
export const TOOLS = "^(Write|Edit|MultiEdit|NotebookEdit|Bash|PowerShell|mcp__.*)$";

/** How long the client waits, in seconds; a guard refuses by itself before. */
const TIMEOUT = 10;
const JUDGE_TIMEOUT = 30;

/** Where a hook of a kind stands: the client's events, and what each is narrowed to. */
function eventsOf(hook: Hook): readonly { readonly event: string; readonly matcher?: string }[] {
  switch (hook.kind) {
    case "guard":
      return [{ event: "PreToolUse", matcher: TOOLS }];
    case "stop":
      return [{ event: "Stop" }, { event: "SubagentStop" }];
    case "observer":
      return "says" in hook
        ? [{ event: "SessionStart", matcher: "startup|resume|clear|compact" }]
        : [{ event: "InstructionsLoaded" }];
  }
}

/**
 * The hooks that are wired: no guard whose rules another guard runs too, so that a tool call waits for one process. Of
 * guards with the same rules the first is wired. Rules are the same by their ids: one may leave out what another names.
 */
export function wiredHooks(hooks: readonly Hook[]): readonly Hook[] {
  const covers = (one: Hook, other: Hook) =>
    one.kind === "guard" && other.kind === "guard" &&
    other.rules.every(({ id }) => one.rules.some((rule) => rule.id === id)) &&
    (one.rules.length > other.rules.length || hooks.indexOf(one) < hooks.indexOf(other));
  return hooks.filter((hook) => !hooks.some((other) => covers(other, hook)));
}

/** The arguments that start a hook; the first is one that a damaged executable refuses. */
export function argumentsOf(hook: Hook): readonly string[] {
  return ["-z", "hook", hook.name, "--harness", "claude"];
}

/** How the wiring is wanted. */
export interface WiringOptions {
  /** The path of `nonzero`, as the client is to read it. */
  readonly program: string;
  /** With the prompt hook that judges the end of a turn. */
  readonly judge: boolean;
  /** As command lines for sh, the guards alone: at the end of a turn a missing program would be a trap. */
  readonly shell?: boolean;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function shellHandler(hook: Hook, program: string): ShellHandler {
  // sh takes a backslash of a path of Windows for an escape in some places; the system takes slashes too.
  const path = quote(/^[A-Za-z]:\\|^\\\\/.test(program) ? program.replaceAll("\\", "/") : program);
  const run = `${path} ${argumentsOf(hook).join(" ")}`;
  const command = `test -s ${path} && ${run} || { echo nonzero refused, or is missing >&2; exit 2; }`;
  return { type: "command", command, timeout: TIMEOUT };
}

function execHandler(hook: Hook, program: string): ExecHandler {
  const handler: ExecHandler = {
    type: "command",
    command: program,
    args: argumentsOf(hook),
    timeout: TIMEOUT,
  };
  return hook.kind === "guard" ? { ...handler, onFailure: "block" } : handler;
}

/** The wiring of the hooks, in the order of the registry. */
export function wire(hooks: readonly Hook[], { program, judge, shell = false }: WiringOptions): Wiring {
  const wiring: Record<string, Group[]> = {};
  for (const hook of wiredHooks(hooks)) {
    if (shell && hook.kind !== "guard") continue;
    for (const { event, matcher } of eventsOf(hook)) {
      const handler = shell ? shellHandler(hook, program) : execHandler(hook, program);
      (wiring[event] ??= []).push(
        matcher === undefined ? { hooks: [handler] } : { matcher, hooks: [handler] },
      );
    }
  }
  const stop = wiring["Stop"]?.[0];
  if (judge && stop) {
    const handler: PromptHandler = { type: "prompt", prompt: STOP_JUDGE, timeout: JUDGE_TIMEOUT };
    wiring["Stop"] = [{ ...stop, hooks: [...stop.hooks, handler] }];
  }
  return wiring;
}
