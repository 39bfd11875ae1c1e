/**
 * Claude Code's events that are not about a tool, as its hooks reference and the client itself have them. They are
 * read leniently: what is not there, or of another type, is left out.
 */
import type { Load } from "../contract/observer.ts";

/** An agent's or a subagent's end of turn. */
export interface Stop {
  /** The turn goes on already because a stop hook asked for it. */
  readonly active: boolean;
  /** Work of the agent goes on in the background. */
  readonly waits: boolean;
  /** What it says at the end. */
  readonly message: string | undefined;
  readonly transcript: string | undefined;
  /** The transcript is a subagent's. */
  readonly isSubagent: boolean;
  readonly cwd: string | undefined;
}

type Event = Readonly<Record<string, unknown>>;

function text(event: Event, key: string): string | undefined {
  const value = event[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** How a task that is over is told. */
const ENDED = /^(?:completed|failed|killed|stopped|cancell?ed|done|error|exited|timed_out)$/;

/**
 * Whether a task in the background goes on, so that the turn is not the end of the work. At a subagent's own end it is
 * itself still among them, and others are beside it.
 */
function goesOn(task: unknown, isSubagent: boolean): boolean {
  if (typeof task !== "object" || task === null) return false;
  if ("status" in task && ENDED.test(String(task.status))) return false;
  return !(isSubagent && "type" in task && task.type === "subagent");
}

/** Reads the event of Stop or SubagentStop. */
export function readStop(event: Event): Stop {
  const isSubagent = event.hook_event_name === "SubagentStop";
  return {
    // Of another type it counts as well: to be asked for ever is worse than to be let go once.
    active: Boolean(event.stop_hook_active),
    waits: Array.isArray(event.background_tasks) &&
      event.background_tasks.some((task) => goesOn(task, isSubagent)),
    message: text(event, "last_assistant_message"),
    transcript: text(event, isSubagent ? "agent_transcript_path" : "transcript_path"),
    isSubagent,
    cwd: text(event, "cwd"),
  };
}

/** The answer that sends the agent back to work. */
export function block(reason: string): string {
  return `${JSON.stringify({ decision: "block", reason })}\n`;
}

/** Reads the event of SessionStart. */
export function readSessionStart(event: Event): { readonly cwd: string | undefined } {
  return { cwd: text(event, "cwd") };
}

/** The answer that gives the agent something to know at the start. */
export function context(text: string): string {
  const hookSpecificOutput = { hookEventName: "SessionStart", additionalContext: text };
  return `${JSON.stringify({ hookSpecificOutput })}\n`;
}

/** Reads the event of InstructionsLoaded. */
export function readLoad(event: Event): Load {
  return {
    filePath: text(event, "file_path") ?? null,
    loadReason: text(event, "load_reason") ?? null,
    cwd: text(event, "cwd") ?? null,
  };
}
