import type { Gate } from "./gate.ts";
import type { Guard } from "./hook.ts";

/** What an entry may do when it is compiled with least privilege; what is absent is denied. */
export interface Permissions {
  /** `true`: any file. */
  readonly read?: true | readonly string[];
  /** Names of environment variables. */
  readonly env?: readonly string[];
  /** Names of facts about the system, such as `uid`. */
  readonly sys?: readonly string[];
  /** Programs. */
  readonly run?: readonly string[];
  readonly write?: true | readonly string[];
}

/** One row of the registry: a hook or gate, and what it may do. */
export interface Entry {
  readonly folder: "hooks" | "gates";
  readonly unit: Guard | Gate;
  readonly permissions: Permissions;
}

/** What a mistake on the command line throws; the message says what was wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
