import * as z from "zod/mini";

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

/** What the user's own file may say of one project: it may loosen too. */
const projectShape = () =>
  z.strictObject({
    ...limits(),
    writable: z.optional(z.array(z.string())),
    accept: z.optional(z.array(acceptedShape())),
    editable: z.optional(z.array(z.string())),
  });

/**
 * The schema of both configuration files. The project's `.nonzero.json` may only tighten, so `projects` has no place
 * in it; the user's file may say the same for all projects and, by path, tighten or loosen for one. Made on demand:
 * most projects have neither file.
 */
export const configShape = () =>
  z.strictObject({
    $schema: z.optional(z.string()),
    ...limits(),
    projects: z.optional(z.record(z.string(), projectShape())),
  });

/** A configuration file as it was read. */
export type ConfigFile = z.infer<ReturnType<typeof configShape>>;
