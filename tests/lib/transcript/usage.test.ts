import { assertEquals } from "@std/assert";
import { sumUsage } from "../../../lib/transcript/usage.ts";

function line(id: string | undefined, usage: unknown): string {
  return JSON.stringify({ type: "assistant", message: { ...id === undefined ? {} : { id }, usage } });
}

Deno.test("sumUsage: input, output and cache creation; what was read from the cache costs nothing", () =>
  assertEquals(
    sumUsage([
      line("a", {
        input_tokens: 1,
        output_tokens: 20,
        cache_creation_input_tokens: 300,
        cache_read_input_tokens: 4_000,
      }),
    ]),
    321,
  ));

Deno.test("sumUsage: the last usage of each message id counts", () =>
  assertEquals(
    sumUsage([
      line("a", { input_tokens: 5, output_tokens: 1 }),
      line("b", { input_tokens: 7 }),
      line("a", { input_tokens: 5, output_tokens: 9 }),
    ]),
    21,
  ));

Deno.test("sumUsage: lines without a message id count each", () =>
  assertEquals(sumUsage([line(undefined, { output_tokens: 2 }), line(undefined, { output_tokens: 3 })]), 5));

Deno.test("sumUsage: amounts that are none count as nothing", () =>
  assertEquals(
    sumUsage([
      line("a", { input_tokens: -5, output_tokens: "9", cache_creation_input_tokens: null }),
      line("b", { input_tokens: 1 }),
    ]),
    1,
  ));

Deno.test("sumUsage: other, cut and invalid lines are passed over", () =>
  assertEquals(
    sumUsage([
      "",
      "null",
      '"usage"',
      '{"usage":1}',
      JSON.stringify({ type: "user", message: { content: 'says "usage"' } }),
      '{"type":"assistant","message":{"id":"x","usage":{"input_tokens":1',
      line("a", { input_tokens: 4 }),
      "\0\ufffd",
    ]),
    4,
  ));
