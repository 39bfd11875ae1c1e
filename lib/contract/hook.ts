/**
 * What a guard is made of: a rule looks at facts and says what is wrong with them. Nothing here, and nothing in
 * a rule, touches the world: the facts were gathered before, once, by lib/run.
 */

/** The operating system whose paths are meant; a parameter everywhere, so that each is tested on all. */
export type Platform = "linux" | "darwin" | "windows";

/** One reason to refuse. `reason` is one line and never holds the secret that it is about. */
export interface Finding {
  readonly rule: string;
  readonly reason: string;
  /** How to satisfy the rule here, where that is not what it says of itself. */
  readonly satisfy?: string;
}

/** What a rule says: a reason to refuse, or one with how to satisfy the rule in that case. */
export type Objection = string | Pick<Finding, "reason" | "satisfy">;

/** A pure function from facts to reasons to refuse; none means that it has no objection. */
export interface Rule<Facts> {
  /** Kebab-case; what a refusal is known by. */
  readonly id: string;
  /** One line for help and documents: what it refuses. */
  readonly refuses: string;
  /** What to do to satisfy it, said once under a refusal. */
  readonly satisfy: string;
  /** One for each reason to refuse, in one line. May throw: that is a refusal too. */
  readonly check: (facts: Facts) => readonly Objection[];
}

/** Where a write goes. */
export interface Target {
  /** The key of the input that named it, such as `file_path`. */
  readonly field: string;
  /** As it was written. */
  readonly written: string;
  /** Each way to read it, absolute, symlinks resolved; empty where `problem` is set. */
  readonly readings: readonly string[];
  /** Further absolute paths that it goes by: as text alone, and up to each link that it leads through. */
  readonly names: readonly string[];
  /** As it was written, after the call's folder where it is relative; nothing taken out of it. */
  readonly asText: string;
  /** Why it cannot be resolved. */
  readonly problem?: string;
  /** It is the file that the running program was started from, by whatever name. */
  readonly isExecutable: boolean;
}

/** Text that is about to be written. */
export interface Text {
  /** Where in the input it stands, such as `content` or `edits[1].new_string`. */
  readonly field: string;
  readonly text: string;
  /** The index of the target it is written to, where there is one. */
  readonly target?: number;
  /** It is a command line. */
  readonly isCommand: boolean;
}

/** A file or payload as it will be, in which records are looked for. */
export type Document =
  /** A value that is itself claimed to be a record where it has `fields`. */
  | { readonly kind: "value"; readonly name: string; readonly value: unknown; readonly strict: boolean }
  /** The text of a file; `lines`: each line is a document of its own; `strict`: all of it must be records. */
  | {
    readonly kind: "text";
    readonly name: string;
    readonly text: string;
    readonly lines: boolean;
    readonly strict: boolean;
  }
  /** A file whose text after the write cannot be told. */
  | { readonly kind: "unknown"; readonly name: string; readonly why: string };

/** A declared budget; all amounts in one unit. The values are as they came: the rule judges them. */
export interface Budget {
  readonly limit: unknown;
  readonly spent: unknown;
  readonly estimate: unknown;
  readonly calibration?: { readonly estimated: unknown; readonly actual: unknown };
  /** Why the amounts could not be had. */
  readonly problem?: string;
}

/** A secret that the user's configuration accepts. */
export interface Accepted {
  /** The pattern's id. */
  readonly pattern: string;
  /** A glob under the worktree's root. */
  readonly path: string;
  readonly reason: string;
}

/** What a guard's rules look at. Paths are absolute and resolved unless said otherwise. */
export interface Facts {
  readonly platform: Platform;
  /**
   * The folder that writes must stay in, or why there is none. `always`: the call itself is at fault, so that it is
   * refused even where it names nothing that it writes.
   */
  readonly root:
    | { readonly path: string }
    | { readonly problem: string; readonly satisfy: string; readonly always: boolean };
  /** Folders besides the root that may be written. */
  readonly writable: readonly string[];
  /** The user's home, where known. */
  readonly home?: string;
  readonly targets: readonly Target[];
  readonly texts: readonly Text[];
  readonly documents: readonly Document[];
  readonly budget?: Budget;
  /** What the guard itself rests on, beyond what the rule knows by name. */
  readonly guarded: {
    /** Files and folders; a folder guards all that is in it. */
    readonly places: readonly string[];
    /** Where a name below the root that may be guarded is a link: what it leads to. */
    readonly aliases: readonly { readonly path: string; readonly name: readonly string[] }[];
    /** Globs under the root that the user's configuration lets the agent edit. */
    readonly editable: readonly string[];
  };
  readonly accepted: readonly Accepted[];
  /** Names of folders that count as evidence, besides those that always do. */
  readonly evidence: readonly string[];
}

/** A hook that refuses a tool call or lets it be. */
export interface Guard {
  readonly kind: "guard";
  readonly name: string;
  /** One line for help and documents. */
  readonly summary: string;
  readonly rules: readonly Rule<Facts>[];
}

/**
 * Runs every rule, in whatever order: none can hide another. A rule that throws refuses. Once `expired` says so,
 * the rules that are left are not run, and that refuses too.
 */
export function evaluate<Facts>(
  rules: readonly Rule<Facts>[],
  facts: Facts,
  expired: () => boolean = () => false,
): Finding[] {
  const findings: Finding[] = [];
  for (const rule of rules) {
    if (expired()) {
      findings.push({ rule: "deadline", reason: `out of time before ${rule.id} could judge` });
      break;
    }
    try {
      for (const objection of rule.check(facts)) {
        findings.push({
          rule: rule.id,
          ...typeof objection === "string" ? { reason: objection } : objection,
        });
      }
    } catch (error) {
      findings.push({
        rule: rule.id,
        reason: `the rule failed: ${error instanceof Error ? error.message : "unknown error"}`,
      });
    }
  }
  return findings;
}
