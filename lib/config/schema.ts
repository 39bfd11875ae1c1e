import * as z from "zod/mini";

const Limits = {
  records: z.optional(z.array(z.string())),
  budget: z.optional(z.strictObject({ limit: z.number().check(z.nonnegative()) })),
  evidence: z.optional(z.array(z.string())),
};

const Accepted = z.strictObject({
  pattern: z.string(),
  path: z.string(),
  reason: z.string().check(z.minLength(1)),
});

/** What the user's own file may say of one project: it may loosen too. */
const Project = z.strictObject({
  ...Limits,
  writable: z.optional(z.array(z.string())),
  accept: z.optional(z.array(Accepted)),
  editable: z.optional(z.array(z.string())),
});

/**
 * Both configuration files. The project's `.nonzero.json` may only tighten, so `projects` has no place in it;
 * the user's file may say the same for all projects and, by path, tighten or loosen for one.
 */
export const ConfigFile = z.strictObject({
  $schema: z.optional(z.string()),
  ...Limits,
  projects: z.optional(z.record(z.string(), Project)),
});

export type ConfigFile = z.infer<typeof ConfigFile>;
