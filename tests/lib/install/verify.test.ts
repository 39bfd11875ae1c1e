import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { applyPatch } from "npm:diff@9.0.0/lib/patch/apply.js";
import { decode } from "../../../lib/install/bytes.ts";
import { diffOf } from "../../../lib/install/diff.ts";
import { ruleFiles } from "../../../lib/install/template.ts";
import { isRule } from "../../../lib/install/verify.ts";

Deno.test("isRule: the rules that are written, and front matter that is a list of paths", () => {
  for (const { name, content } of ruleFiles({ tui: ["ink"] })) {
    assert(isRule(content), name);
    assert(isRule(content.replaceAll("\n", "\r\n")), name);
  }
  assert(isRule("---\npaths: [a, 'b/**']\n---\ntext\n"));
  assert(isRule("# No front matter\n"));
});

Deno.test("isRule: nothing, and front matter that is cut, no YAML or no list of paths", () => {
  const bad = [
    "",
    "\n",
    "---\npaths:\n  - a\n",
    "---\npaths: a\n---\n",
    "---\npaths: []\n---\n",
    "---\npaths: [1]\n---\n",
    "---\npath:\n  - a\n---\n",
    "---\npaths: *.ts\n---\n",
    "---\n- a\n---\n",
  ];
  assertEquals(bad.filter(isRule), []);
});

const text = fc.array(fc.constantFrom("a", "b", "c", "", "é", "- x"), { maxLength: 12 })
  .chain((lines) => fc.constantFrom(lines.join("\n"), `${lines.join("\n")}\n`));

Deno.test("diffOf: a patch that makes the one text of the other", () =>
  fc.assert(fc.property(text, text, (one, other) => {
    fc.pre(one !== other);
    const bytes = (text: string) =>
      Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
    const change = { path: "f", kind: "memory" as const, before: bytes(one), after: bytes(other) };
    assertEquals(applyPatch(one, diffOf([change], (line) => line)), other);
    assertEquals(decode(change.after), other);
  })));

Deno.test("diffOf: files that come and go, and none that stay", () => {
  const change = (before: string | undefined, after: string | undefined) =>
    diffOf([{ path: "f", kind: "rule", before, after }], (line) => line);
  assertEquals(change(undefined, "a\n"), "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n");
  assertEquals(change("a\nb\n", undefined), "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n");
  assertEquals(change("a\n", "a\n"), "");
});

Deno.test("diffOf: what a file holds is made safe, a tab stays", () =>
  assertEquals(
    diffOf([{ path: "f", kind: "rule", before: undefined, after: "\x1b\tx\r\n" }], (line) =>
      line.replace("\x1b", "?")),
    "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+?\tx\n",
  ));
