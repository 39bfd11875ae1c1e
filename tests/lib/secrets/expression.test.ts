import { assert, assertEquals, assertMatch } from "@std/assert";
import { countSteps, parse, problems } from "./expression.ts";

Deno.test("problems: finds each way to more than linear time", () => {
  assertMatch(problems("(?:a+)+")[0]!, /repeats/);
  assertEquals(problems("(?:a{1,9}b?){2,9}"), ["repeats what varies"]);
  assertEquals(problems("(?:ab)*"), ["repeats more than a character without bound"]);
  assertEquals(problems("[a-z]+k"), ["repeats without bound what may also follow"]);
  assertEquals(problems("[a-z]+(?:-|(?:x|[0-9]))"), ["repeats without bound what may also follow"]);
  assertEquals(problems("[a-z]+\\.[a-z]+"), ["repeats without bound more than once"]);
  assertEquals(problems("a{1,99999}"), ["has too high a bound"]);
  for (const unknown of ["(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)", "a+?", ".", "\\d", "a{1,2}+"]) {
    assertMatch(problems(unknown)[0]!, /^SyntaxError/);
  }
});

Deno.test("problems: none in what is linear", () => {
  for (
    const source of ["ab[c-e]{2,30}", "a(?:b|c)?[x-z]{16,}={0,2}(?![x-z])", "x{3}\\.[a-z]{1,9}\\.[a-z]{1,9}"]
  ) {
    assertEquals(problems(source), []);
  }
});

Deno.test("countSteps: grows as the engine's work does", () => {
  const evil = parse("(?:a{1,30}){1,30}b");
  assert(countSteps(evil, "a".repeat(14), 0) > 10 * countSteps(evil, "a".repeat(7), 0));
  const good = parse("[a-z]{1,30}b");
  assert(countSteps(good, "a".repeat(1_000), 0) < 100);
  assertEquals(countSteps(parse("k-[a-z]{2}(?![a-z])", true), "K-AB.", 0), 5);
});
