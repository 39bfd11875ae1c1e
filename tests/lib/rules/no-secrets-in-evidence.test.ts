import { assertEquals, assertMatch } from "@std/assert";
import type { Target, Text } from "../../../lib/contract/hook.ts";
import { noSecretsInEvidence } from "../../../lib/rules/no-secrets-in-evidence.ts";
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
