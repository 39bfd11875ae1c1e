import { assert, assertEquals, assertMatch } from "@std/assert";
import { evidenceGuard } from "../../../hooks/evidence-guard.ts";
import { preToolUse } from "../../../hooks/pre-tool-use.ts";
import type { Target, Text } from "../../../lib/contract/hook.ts";
import { noMoreSecretsInEvidence, noSecretsInEvidence } from "../../../lib/rules/no-secrets-in-evidence.ts";
import { noSecretsWritten } from "../../../lib/rules/no-secrets-written.ts";
import { SCAN_LIMIT } from "../../../lib/secrets/texts.ts";
import { expand } from "../../expand.ts";
import { facts, target } from "./facts.ts";

const SECRET = expand("sk-{alnum:24}");

const text = (changes: Partial<Text> = {}): Text => ({
  field: "content",
  text: SECRET,
  isCommand: false,
  ...changes,
});

const check = (targets: readonly Target[], texts: readonly Text[], evidence: readonly string[] = []) =>
  noSecretsInEvidence.check(facts({ targets, texts, evidence }));

const FOUND = ["sk-key in content, line 1"];

Deno.test("noSecretsInEvidence: each way to read a target counts", () => {
  const elsewhere = target(["/repo/a"]);
  assertEquals(check([elsewhere], [text({ target: 0 })]), []);
  const into = [
    target(["/repo/a", "/repo/evidence/a"]),
    { ...elsewhere, names: ["/repo/b", "/repo/evidence/a"] },
    { ...elsewhere, asText: "evidence/a" },
    target([], { problem: "leads in a circle", asText: "/repo/loop/evidence" }),
  ];
  for (const one of into) assertEquals(check([one], [text({ target: 0 })]), FOUND);
});

Deno.test("noSecretsInEvidence: a text goes to its own target, one without a target to any", () => {
  const targets = [target(["/repo/a"]), target(["/repo/evidence/a"])];
  assertEquals(check(targets, [text({ target: 0 })]), []);
  assertEquals(check(targets, [text({ target: 1 })]), FOUND);
  assertEquals(check(targets, [text()]), FOUND);
  assertEquals(check(targets.slice(0, 1), [text()]), []);
});

Deno.test("noSecretsInEvidence: what only speaks of evidence is no command that names it", () => {
  const words = `${SECRET} in evidence/a`;
  assertEquals(check([], [text({ text: words })]), []);
  assertEquals(check([], [text({ text: words, isCommand: true })]), FOUND);
  assertEquals(check([], [text({ text: `${SECRET} in proof/a`, isCommand: true })]), []);
  assertEquals(check([], [text({ text: `${SECRET} in proof/a`, isCommand: true })], ["proof"]), FOUND);
});

Deno.test("noSecretsInEvidence: text for evidence is scanned up to the limit, other text not at all", () => {
  const both = [target(["/repo/evidence/a"]), target(["/repo/a"])];
  const full = text({ text: " ".repeat(SCAN_LIMIT), target: 0 });
  assertEquals(check(both, [full]), []);
  assertMatch(JSON.stringify(check(both, [full, text({ text: " ", target: 0 })])), /larger than the 8 MiB/);
  assertEquals(check(both, [full, text({ text: `${SECRET} `, target: 1 })]), []);
});

Deno.test("noSecretsInEvidence: lines are counted in each text", () => {
  const texts = [text({ text: "\n\n", target: 0 }), text({ field: "more", text: `\n${SECRET}`, target: 0 })];
  assertEquals(check([target(["/repo/evidence/a"])], texts), ["sk-key in more, line 2"]);
});

Deno.test("noSecretsInEvidence: what the user accepts passes in every place or not at all", () => {
  const accepted = [{ pattern: "sk-key", path: "evidence/*", reason: "made up" }];
  const judge = (...readings: string[]) =>
    noSecretsInEvidence.check(facts({ targets: [target(readings)], texts: [text({ target: 0 })], accepted }));
  assertEquals(judge("/repo/evidence/a"), []);
  assertEquals(judge("/repo/evidence/a", "/repo/evidence/b/c"), FOUND);
});

/** A secret of both tables, one of evidence alone, and one that shows only without what has no width. */
const MIXED = `${SECRET}\napi_key=hunter2\n${SECRET.slice(0, 9)}\u200b${SECRET.slice(9)}\n`;
const mixed = facts({ targets: [target(["/repo/evidence/a"])], texts: [text({ target: 0, text: MIXED })] });

Deno.test("noSecretsInEvidence: names each place once, however it is read", () => {
  assertEquals(noSecretsInEvidence.check(mixed), [
    "sk-key in content, line 1",
    "evidence-api-key in content, line 2",
    "sk-key in content, line 3",
  ]);
});

Deno.test("noMoreSecretsInEvidence: with no-secrets-written each place is named once, and none is left out", () => {
  const both = [noSecretsWritten, noMoreSecretsInEvidence].flatMap(({ check }) => check(mixed));
  assertEquals(both.toSorted(), noSecretsInEvidence.check(mixed).toSorted());
  assertEquals(noMoreSecretsInEvidence.id, noSecretsInEvidence.id);
});

Deno.test("noMoreSecretsInEvidence: nothing where nothing goes into evidence", () => {
  assertEquals(noMoreSecretsInEvidence.check({ ...mixed, targets: [target(["/repo/a"])] }), []);
});

Deno.test("preToolUse: has the rule that names what this one leaves to it", () => {
  const rules = preToolUse.rules;
  assert(rules.includes(noMoreSecretsInEvidence) && rules.includes(noSecretsWritten));
  assertEquals(evidenceGuard.rules, [noSecretsInEvidence]);
});

Deno.test("noSecretsInEvidence: what the user accepts leaves what else stands in that line", () => {
  const accepted = [{ pattern: "sk-key", path: "evidence/*", reason: "made up" }];
  const line = `${SECRET} \u001b[1mapi_key\u001b[0m: hunter2`;
  const texts = [text({ target: 0, text: line })];
  const judged = facts({ targets: [target(["/repo/evidence/a"])], texts, accepted });
  assertEquals(noSecretsInEvidence.check(judged), ["evidence-api-key in content, line 1"]);
});
