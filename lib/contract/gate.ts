/** What a gate is made of: what must be declared, of what kind each is, and the conditions on it. */

/** 64: how it was called; 65: the evidence is not what it must be; 70: sound evidence, and a condition failed. */
export type GateExit = 64 | 65 | 70;

/** The most findings of one kind that are told of one source; the rest are counted. */
export const FINDINGS_LIMIT = 100;

/** One reason to fail. */
export interface GateFinding {
  /** What kind of failure, such as `malformed` or `not-passed`. */
  readonly id: string;
  readonly exit: GateExit;
  readonly message: string;
  /** The environment variable that the failure is about. */
  readonly declaration?: string;
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
}

/** A condition on one key of a file of evidence. */
export interface Condition {
  readonly key: string;
  /** For documents: what must be there, such as `status=passed`. */
  readonly wants: string;
  /** What is wrong with the value of a key that is there; undefined where nothing is. */
  readonly judge: (value: string) => Pick<GateFinding, "id" | "exit" | "message"> | undefined;
  /** For documents: the exit codes of all that `judge` may find. */
  readonly exits: readonly (65 | 70)[];
}

/** The words that are declared, by their variables. */
export type Words = Readonly<Record<string, string>>;

/** One environment variable that a gate goes by. */
export type Declaration =
  & { readonly variable: string }
  & (
    /** Names a file of evidence. */
    | {
      readonly kind: "evidence";
      /** May depend on the words declared. */
      readonly conditions: (words: Words) => readonly Condition[];
      /** For documents: when it must be declared; absent: always. */
      readonly neededFor?: string;
      /** Whether it must be declared; where it need not be it is not read. */
      readonly needed?: (words: Words) => boolean;
    }
    /** Names a file that must hold text. */
    | { readonly kind: "text" }
    /** Is itself what is judged. */
    | { readonly kind: "word" } & Omit<Condition, "key">
  );

/** A gate: passes where everything that it requires is declared and every condition holds. */
export interface Gate {
  readonly kind: "gate";
  readonly name: string;
  /** One line for help and documents. */
  readonly summary: string;
  readonly declarations: readonly Declaration[];
  /** It looks at what is staged in git, too. */
  readonly staged?: true;
}
