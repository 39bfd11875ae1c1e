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

/** What is wired into an agent. */
export type Hook = Guard | StopHook | Observer;

/** One row of the registry: a hook or gate, and what it may do. */
export type Entry =
  & { readonly permissions: Permissions }
  & (
    | { readonly folder: "hooks"; readonly unit: Hook }
    | { readonly folder: "gates"; readonly unit: Gate }
  );

/** What a mistake on the command line throws; the message says what was wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
