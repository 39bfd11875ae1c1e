import type { Gate } from "./gate.ts";
import type { Guard } from "./hook.ts";
import type { Observer } from "./observer.ts";
import type { StopHook } from "./stop.ts";

/** What an entry may do when it is compiled with least privilege; what is absent is denied. */
export interface Permissions {
  /** `true`: any file. */
  readonly read?: true | readonly string[];
  /** Names of environment variables; `true`: all. */
  readonly env?: true | readonly string[];
  /** Names of facts about the system, such as `uid`. */
  readonly sys?: readonly string[];
  /** Programs; `true`: any. */
  readonly run?: true | readonly string[];
  readonly write?: true | readonly string[];
}

/** What a hook or gate may do: never all variables or any program. */
export type EntryPermissions = Permissions & {
  readonly env?: readonly string[];
  readonly run?: readonly string[];
};

/** What is wired into an agent. */
export type Hook = Guard | StopHook | Observer;

/**
 * One row of the program's table: a hook or gate, loaded when it is called. The program is started for one of them,
 * at every tool call, and need not wait for the others.
 */
export type Row =
  & {
    readonly name: string;
    /** What it may do; a gate, beside what its declarations ask for. */
    readonly permissions: EntryPermissions;
  }
  & (
    | { readonly folder: "hooks"; readonly kind: Hook["kind"]; readonly load: () => Promise<Hook> }
    | { readonly folder: "gates"; readonly kind: Gate["kind"]; readonly load: () => Promise<Gate> }
  );

/** A row that is loaded: a hook or gate, and all that it may do. */
export type Entry =
  & { readonly permissions: EntryPermissions }
  & (
    | { readonly folder: "hooks"; readonly unit: Hook }
    | { readonly folder: "gates"; readonly unit: Gate }
  );

/** What a mistake on the command line throws; the message says what was wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
