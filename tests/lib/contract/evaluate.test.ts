import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { evaluate, type Rule } from "../../../lib/contract/hook.ts";

function rule(id: string, check: Rule<null>["check"]): Rule<null> {
  return { id, refuses: "", satisfy: "", check };
}

const allows = rule("allows", () => []);
const refuses = rule("refuses", () => ["one", "two"]);
const throws = rule("throws", () => {
  throw new Error("broken");
});
const throwsOddly = rule("throws-oddly", () => {
  throw "text";
});

Deno.test("evaluate: no objection, no finding", () => assertEquals(evaluate([allows, allows], null), []));

Deno.test("evaluate: each reason is a finding with the rule's id", () =>
  assertEquals(evaluate([allows, refuses], null), [
    { rule: "refuses", reason: "one" },
    { rule: "refuses", reason: "two" },
  ]));

Deno.test("evaluate: a rule that throws refuses, and hides no other", () =>
  assertEquals(evaluate([throws, refuses, throwsOddly], null), [
    { rule: "throws", reason: "the rule failed: broken" },
    { rule: "refuses", reason: "one" },
    { rule: "refuses", reason: "two" },
    { rule: "throws-oddly", reason: "the rule failed: unknown error" },
  ]));

Deno.test("evaluate: a rule that runs out of stack refuses", () => {
  const deep = rule("deep", () => {
    const dig = (): number => dig() + 1;
    return [String(dig())];
  });
  assertEquals(evaluate([deep], null).map(({ rule }) => rule), ["deep"]);
});

Deno.test("evaluate: what is out of time is not run, and refuses", () => {
  let asked = 0;
  const found = evaluate([allows, refuses, throws], null, () => ++asked > 1);
  assertEquals(found, [{ rule: "deadline", reason: "out of time before refuses could judge" }]);
});

Deno.test("evaluate: order makes no difference to what is found", () => {
  const rules = [allows, refuses, throws, throwsOddly];
  const key = (order: readonly Rule<null>[]) =>
    evaluate(order, null).map(({ rule, reason }) => `${rule}: ${reason}`).sort();
  fc.assert(fc.property(fc.shuffledSubarray(rules, { minLength: rules.length }), (order) => {
    assertEquals(key(order), key(rules));
  }));
});
