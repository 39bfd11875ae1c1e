import * as z from "zod/mini";
import { checkShape } from "../contract/shape.ts";

const tokens = () => z.catch(z.number().check(z.nonnegative()), 0);

const lineShape = () =>
  z.looseObject({
    message: z.looseObject({
      id: z.optional(z.string()),
      usage: z.looseObject({
        input_tokens: tokens(),
        output_tokens: tokens(),
        cache_creation_input_tokens: tokens(),
      }),
    }),
  });

/**
 * The tokens that a session has spent, told by the lines of its transcript: input, output and cache creation. One
 * answer of the model is split over lines that share a message id, each with the usage so far: the last counts.
 * Lines that are cut, invalid or of another kind are passed over.
 */
export function sumUsage(lines: Iterable<string>): number {
  const shape = lineShape();
  const byMessage = new Map<string, number>();
  let unnamed = 0;
  for (const text of lines) {
    if (!text.includes('"usage"')) continue;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      continue;
    }
    const line = checkShape(shape, value);
    if (!line.success) continue;
    const { id, usage } = line.data.message;
    const spent = usage.input_tokens + usage.output_tokens + usage.cache_creation_input_tokens;
    if (id === undefined) unnamed += spent;
    else byMessage.set(id, spent);
  }
  return [...byMessage.values()].reduce((sum, spent) => sum + spent, unnamed);
}
