import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { cut, printable, refusal } from "../../../lib/run/answer.ts";
import { expand } from "../../expand.ts";

Deno.test("printable: a secret is named, not shown", () => {
  const secret = expand("ghp_{alnum:36}");
  const shown = printable(`target "../${secret}"`);
  assert(!shown.includes(secret.slice(4, 20)));
  assertStringIncludes(shown, "[redacted");
});

Deno.test("printable: a secret that the limit would cut in half is not shown either", () => {
  const secret = expand("ghp_{alnum:36}");
  for (let before = 1_950; before <= 2_005; before++) {
    const shown = printable(`${"x".repeat(before)} ${secret}`);
    assert(!shown.includes("ghp_"), `after ${before} characters: ${shown.slice(1_940)}`);
  }
});

Deno.test("printable: always one line of printable characters within the limit", () => {
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 5_000 }), fc.string({ unit: "grapheme" }));
  fc.assert(fc.property(text, (input) => {
    const shown = printable(input);
    assert(shown.length <= 2_000);
    assert(shown.isWellFormed());
    assert(!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(shown), JSON.stringify(shown));
  }));
});

Deno.test("printable: plain text stays as it is", () =>
  assertEquals(printable("déjà vu: 名前 ~/a b.txt"), "déjà vu: 名前 ~/a b.txt"));

Deno.test("cut: never splits a pair of surrogates", () => {
  assertEquals(cut("a".repeat(2_000)), "a".repeat(2_000));
  const shown = cut(`${"a".repeat(1_998)}😀b`);
  assert(shown.length <= 2_000 && shown.isWellFormed());
});

Deno.test("refusal: a line for each finding, then how to satisfy each rule, then what was loosened", () => {
  const findings = [
    { rule: "a", reason: "one" },
    { rule: "b", reason: "two" },
    { rule: "a", reason: "three" },
  ];
  const text = refusal(
    findings,
    (rule) => rule === "a" ? "do a" : undefined,
    (rule) => rule === "b" ? ["by x"] : [],
  );
  assertEquals(text, "DENY  a: one\nDENY  b: two\nDENY  a: three\nFIX   a: do a\nNOTE  b: by x");
});

Deno.test("refusal: past twenty, findings are counted", () => {
  const findings = Array.from({ length: 25 }, (_, at) => ({ rule: "a", reason: String(at) }));
  const lines = refusal(findings, () => undefined).split("\n");
  assertEquals(lines.length, 21);
  assertEquals(lines.at(-1), "DENY  and 5 more");
});
