import { assertEquals } from "@std/assert";
import { quantile, table } from "../../toolchain/bench.ts";

Deno.test("quantile: the value below which that share lies", () => {
  const values = Array.from({ length: 100 }, (_, at) => at);
  assertEquals([0, 0.5, 0.95, 1].map((share) => quantile(values, share)), [0, 50, 95, 99]);
});

Deno.test("quantile: of nothing there is none", () => assertEquals(quantile([], 0.5), NaN));

Deno.test("table: words to the left, numbers to the right", () =>
  assertEquals(table([["", "ms"], ["floor", "12.5"]]), "         ms\nfloor  12.5"));
