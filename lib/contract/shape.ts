import * as z from "zod/mini";

/**
 * Checks a value against a schema. A program judges one event and ends, so the schema is not compiled to a function
 * first, as it would be otherwise.
 */
export function checkShape<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
): { readonly success: true; readonly data: T } | {
  readonly success: false;
  readonly error: z.core.$ZodError;
} {
  return z.safeParse(schema, value, { jitless: true });
}
