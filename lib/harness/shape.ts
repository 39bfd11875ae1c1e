import type * as z from "zod/mini";

/** Says in one line where a value has the wrong shape and what was expected there. */
export function describe(error: z.core.$ZodError, top = "the event"): string {
  const issue = error.issues[0];
  if (!issue) return `${top} has the wrong shape`;
  const where = issue.path.map(String).join(".") || top;
  switch (issue.code) {
    case "invalid_type":
      return `${where}: expected ${issue.expected}`;
    default:
      return `${where}: wrong type`;
  }
}

/**
 * All strings and keys of a JSON value with where they stand, however deep. A key and its string are one text, as
 * written in JSON, so that an assignment is seen as one. What stands at a key that `passes` is left out.
 */
export function strings(
  value: unknown,
  field: string,
  passes: (key: string) => boolean = () => false,
): { field: string; text: string }[] {
  const found: { field: string; text: string }[] = [];
  const open: { value: unknown; field: string }[] = [{ value, field }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.value === "string") {
      found.push({ field: next.field, text: next.value });
    } else if (Array.isArray(next.value)) {
      next.value.forEach((value, index) => open.push({ value, field: `${next?.field}[${index}]` }));
    } else if (typeof next.value === "object" && next.value !== null) {
      for (const [key, inner] of Object.entries(next.value)) {
        const field = `${next.field}.${key}`;
        if (passes(key)) found.push({ field, text: key });
        else if (typeof inner === "string") found.push({ field, text: `"${key}": "${inner}"` });
        else {
          found.push({ field, text: key });
          open.push({ value: inner, field });
        }
      }
    }
  }
  return found;
}
