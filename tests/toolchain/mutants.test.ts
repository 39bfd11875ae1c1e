import { assert, assertEquals, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { judge, type Mutant, mutate, readRun } from "../../toolchain/mutants.ts";
import { ROOT } from "../black-box.ts";

const mutants: Mutant[] = JSON.parse(await Deno.readTextFile(join(ROOT, "toolchain", "mutants.json")));

Deno.test("mutate: makes the change in the one place where it can be made", () => {
  assertEquals(mutate("a > b", { find: ">", replace: "$&=" }), "a $&= b");
  assertThrows(() => mutate("a > b > c", { find: ">", replace: ">=" }), Error, "found 2 times, not once: >");
  assertThrows(() => mutate("a", { find: ">", replace: ">=" }), Error, "found 0 times");
});

Deno.test("readRun: the closing line of a test run", () => {
  assertEquals(readRun("x ... ok\n\nok | 12 passed (3 steps) | 0 failed (2s)\n", false), {
    passed: 12,
    failed: 0,
    broken: false,
    timedOut: false,
  });
  assertEquals(readRun("FAILED | 1 passed | 2 failed | 5 filtered out (3ms)", false).failed, 2);
  assert(readRun("error: Module not found", false).broken);
  assert(readRun("./a.test.ts (uncaught error)\n\nFAILED | 0 passed | 1 failed (4ms)", false).broken);
});

Deno.test("judge: only a red test has noticed", () => {
  const run = { passed: 1, failed: 0, broken: false, timedOut: false };
  assertEquals(judge({ ...run, failed: 1 }, {}), "killed");
  assertEquals(judge(run, {}), "survived");
  assertEquals(judge({ ...run, failed: 1, broken: true }, {}), "broken");
  assertEquals(judge({ ...run, timedOut: true }, {}), "timed out");
  assertEquals(judge({ ...run, timedOut: true }, { mayTimeOut: true }), "killed");
});

Deno.test("mutants.json: each change can be made to the sources as they are, and is another one", async () => {
  for (const mutant of mutants) {
    const text = await Deno.readTextFile(join(ROOT, mutant.file));
    try {
      assert(mutate(text, mutant) !== text);
    } catch (error) {
      throw new Error(`${mutant.file}: ${mutant.why}: ${error}`);
    }
    assert((await Deno.stat(join(ROOT, mutant.test))).isFile, mutant.why);
  }
  const reasons = mutants.map(({ why }) => why);
  assertEquals(reasons.length, new Set(reasons).size);
});
