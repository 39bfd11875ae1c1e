import * as z from "zod/mini";
import type { Accepted } from "../contract/hook.ts";

/** What either file may say: it tightens. */
export interface Limits {
  /** Globs of files that must hold records. */
  readonly records?: readonly string[] | undefined;
  /** The most that may be spent, in tokens. */
  readonly budget?: { readonly limit: number } | undefined;
  /** Names of folders that count as evidence, too. */
  readonly evidence?: readonly string[] | undefined;
}

/** What the user's own file may say of one project: it may loosen, too. */
export interface ProjectEntry extends Limits {
  /** Folders that the agent may write. */
  readonly writable?: readonly string[] | undefined;
  /** Secrets that may be written. */
  readonly accept?: readonly Accepted[] | undefined;
  /** Globs of guarded files that the agent may edit. */
  readonly editable?: readonly string[] | undefined;
}

/**
 * A configuration file as it was read. The project's `.nonzero.json` may only tighten, so `projects` has no place in
 * it; the user's file may say the same for all projects and, by path, tighten or loosen for one.
 */
export interface ConfigFile extends Limits {
  /** For editors. */
  readonly $schema?: string | undefined;
  /** By the path of the worktree's root. */
  readonly projects?: Readonly<Record<string, ProjectEntry>> | undefined;
}

const limits = () => ({
  records: z.optional(z.array(z.string())),
  budget: z.optional(z.strictObject({ limit: z.number().check(z.nonnegative()) })),
  evidence: z.optional(z.array(z.string())),
});

const acceptedShape = () =>
  z.strictObject({
    pattern: z.string(),
    path: z.string(),
    reason: z.string().check(z.minLength(1)),
  });

const projectShape = () =>
  z.strictObject({
    ...limits(),
    writable: z.optional(z.array(z.string())),
    accept: z.optional(z.array(acceptedShape())),
    editable: z.optional(z.array(z.string())),
  });

/** The schema of both configuration files. Made on demand: most projects have neither. */
export function configShape(): z.ZodMiniType<ConfigFile> {
  return z.strictObject({
    $schema: z.optional(z.string()),
    ...limits(),
    projects: z.optional(z.record(z.string(), projectShape())),
  });
}
