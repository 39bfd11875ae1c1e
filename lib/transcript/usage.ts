import * as z from "zod/mini";

const Tokens = z.catch(z.number().check(z.nonnegative()), 0);

const Line = z.looseObject({
  message: z.looseObject({
    id: z.optional(z.string()),
    usage: z.looseObject({
      input_tokens: Tokens,
      output_tokens: Tokens,
      cache_creation_input_tokens: Tokens,
    }),
  }),
});

/**
 * The tokens that a session has spent, told by the lines of its transcript: input, output and cache creation. One
 * answer of the model is split over lines that share a message id, each with the usage so far: the last counts.
 * Lines that are cut, invalid or of another kind are passed over.
 */
export function sumUsage(lines: Iterable<string>): number {
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
    const line = z.safeParse(Line, value);
    if (!line.success) continue;
    const { id, usage } = line.data.message;
    const tokens = usage.input_tokens + usage.output_tokens + usage.cache_creation_input_tokens;
    if (id === undefined) unnamed += tokens;
    else byMessage.set(id, tokens);
  }
  return [...byMessage.values()].reduce((sum, tokens) => sum + tokens, unnamed);
}
