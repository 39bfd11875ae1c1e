import type { Rule } from "./hook.ts";

/** A claim that work is done, found in what the agent says at the end of its turn. */
export interface StatedClaim {
  /** The words that make it one, such as `all tests pass`. */
  readonly marker: string;
  /** The sentence that they stand in. */
  readonly sentence: string;
}

/** A path under a folder of evidence that the agent cites. */
export interface Citation {
  /** As it was written. */
  readonly path: string;
  /** It lies under the event's cwd, symlinks resolved, and is a file that is not empty or a folder that holds one. */
  readonly exists: boolean;
}

/** What the rules of a stop hook look at. */
export interface StopFacts {
  readonly claims: readonly StatedClaim[];
  /** Something was done in the turn that can be proven: an edit, or a command other than one that reads. */
  readonly worked: boolean;
  readonly citations: readonly Citation[];
  /** What a tool was given or returned shows that the work was tried out. */
  readonly signalled: boolean;
}

/** A hook that lets an agent end its turn, or tells it what is left to do. */
export interface StopHook {
  readonly kind: "stop";
  readonly name: string;
  /** One line for help and documents. */
  readonly summary: string;
  readonly rules: readonly Rule<StopFacts>[];
}
