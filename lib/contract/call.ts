/** What an agent is about to do, in no agent's own words. A harness makes it of its event. */

/** One replacement in a file's text. */
export interface Edit {
  readonly old: string;
  readonly new: string;
  readonly all: boolean;
}

/** What the file at a target will hold. */
export type Change =
  | { readonly content: string }
  | { readonly edits: readonly Edit[] }
  /** The path alone is known. */
  | Record<never, never>;

/** A path that the call names as one it writes. */
export interface Destination {
  /** The key of the input that names it. */
  readonly field: string;
  readonly path: string;
  readonly change: Change;
}

/** A command line, whose redirections name files too. */
export interface Command {
  readonly field: string;
  readonly text: string;
  readonly shell: "sh" | "powershell";
}

/** A text of the call that is written somewhere; `destination`: the index of the one it goes to. */
export interface CallText {
  readonly field: string;
  readonly text: string;
  readonly destination?: number;
}

/** One tool call. */
export interface Call {
  /** Absolute, as the event gives it; not checked yet. Empty where it gives none. */
  readonly cwd: string;
  /** Whether writes must stay in cwd itself, or in the git worktree that holds it. */
  readonly root: "cwd" | "worktree";
  /** Folders besides the root that the agent's own design lets it write; `~/` is the user's home. */
  readonly folders: readonly string[];
  readonly destinations: readonly Destination[];
  readonly commands: readonly Command[];
  /** All text that the call writes, the commands included. */
  readonly texts: readonly CallText[];
  /** A payload that is itself to be published. */
  readonly payload?: unknown;
  /** How it can be told what the session has spent; absent: nothing is said of it. */
  readonly spending?:
    /** The call itself declares its budget. */
    | { readonly budget: unknown }
    /** The session's transcript tells; undefined where the event does not name it. */
    | { readonly transcript: string | undefined };
}

/** An event that a guard cannot judge; the message says what is wrong with it. */
export class EventError extends Error {
  override readonly name = "EventError";
}

/** The names of the agents that are known, in the order in which an event of unknown origin is read as one's. */
export const HARNESS_NAMES = ["native", "claude"] as const;

/** The name of an agent that is known. */
export type HarnessName = typeof HARNESS_NAMES[number];

/** One agent: how its event is read, and what it is answered. */
export interface Harness {
  readonly name: HarnessName;
  /** Whether an event whose sender is not known reads as this agent's. */
  readonly recognises: (event: Readonly<Record<string, unknown>>) => boolean;
  /** Whether a sender recognised by its event alone gets this agent's words on stdout too. */
  readonly answersUnnamed: boolean;
  /** What the event is about to do; undefined where it is nothing that writes. Throws EventError. */
  readonly read: (event: Readonly<Record<string, unknown>>) => Call | undefined;
  /** What stdout says; the exit code and stderr are the same for all. */
  readonly allow: string;
  readonly deny: (reason: string) => string;
}
