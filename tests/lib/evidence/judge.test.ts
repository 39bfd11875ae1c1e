/** What gates judge, without a world: the cases of tests/cases/gates again, and what they leave out. */
import { assert, assertEquals } from "@std/assert";
import type { Gate, GateFinding } from "../../../lib/contract/gate.ts";
import { judgeGate, type Reading } from "../../../lib/evidence/judge.ts";
import { printable } from "../../../lib/run/answer.ts";
import { type Case, contentOf, declaredBy, findGate, readCases, titleOf } from "../../gates/cases.ts";

/** The files of a case, as if they were on disk. */
function reader({ files = {} }: Case): (file: string) => Reading {
  return (file) => {
    const bytes = contentOf(files[file]);
    return bytes ? { bytes } : { problem: "does not exist" };
  };
}

function judge(gate: Gate, test: Case): GateFinding[] {
  const declared = declaredBy(test);
  return judgeGate(gate, (variable) => declared[variable] || undefined, reader(test));
}

function lineOf({ file, line, message }: GateFinding): string {
  return printable(
    [...file === undefined ? [] : [file], ...line === undefined ? [] : [line], ""].join(":")
      .replace(/:$/, ": ") + message,
  );
}

for (const { name, gate, cases } of readCases()) {
  // The others are about the world outside.
  if (name === "files" || name === "usage") continue;
  for (const test of cases) {
    Deno.test(`judgeGate: ${titleOf(name, gate.name)}: ${test.case}`, () => {
      const findings = judge(gate, test);
      assertEquals(findings.map(lineOf), test.lines ?? []);
      assertEquals(findings.length === 0 ? 0 : Math.min(...findings.map(({ exit }) => exit)), test.exit);
    });
  }
}

Deno.test("judgeGate: every finding names the variable that it is about", () => {
  for (const { gate, cases } of readCases()) {
    const variables = gate.declarations.map(({ variable }) => variable);
    for (const finding of cases.flatMap((test) => judge(gate, test))) {
      assert(variables.includes(finding.declaration ?? ""), JSON.stringify(finding));
    }
  }
});

Deno.test("judgeGate: an approval that is not needed is not read", () => {
  const read: string[] = [];
  const declared: Record<string, string> = { OAIES_TOOL_EFFECT: "read", OAIES_APPROVAL_FILE: "approval" };
  const findings = judgeGate(findGate("pre-tool-call"), (variable) => declared[variable], (file) => {
    read.push(file);
    return { problem: "does not exist" };
  });
  assertEquals([findings, read], [[], []]);
});

Deno.test("judgeGate: throws what the reader throws", () => {
  let thrown: unknown;
  try {
    judgeGate(findGate("pre-planning"), () => "a", () => {
      throw new RangeError("broken");
    });
  } catch (error) {
    thrown = error;
  }
  assert(thrown instanceof RangeError);
});
