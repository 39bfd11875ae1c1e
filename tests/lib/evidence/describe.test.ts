/** What gates say of themselves is what they do, and the cases leave none of it out. */
import { assert, assertEquals } from "@std/assert";
import type { Condition, Gate, GateFinding } from "../../../lib/contract/gate.ts";
import { describeDeclarations, exitsOf } from "../../../lib/evidence/describe.ts";
import { judgeGate } from "../../../lib/evidence/judge.ts";
import { registry } from "../../../toolchain/registry.ts";
import { type Case, contentOf, declaredBy, findGate, readCases } from "../../gates/cases.ts";

const gates = registry.flatMap(({ unit }) => unit.kind === "gate" ? [unit] : []);

function findings(gate: Gate, test: Case): GateFinding[] {
  const declared = declaredBy(test);
  return judgeGate(gate, (variable) => declared[variable] || undefined, (file) => {
    const bytes = contentOf(test.files?.[file]);
    return bytes ? { bytes } : { problem: "does not exist" };
  });
}

for (const gate of gates) {
  const cases = readCases().find(({ name }) => name === gate.name)?.cases ?? [];

  Deno.test(`cases: ${gate.name} passes, and fails with each exit code that it has`, () => {
    const exits = [...new Set(cases.map(({ exit }) => exit))].sort((a, b) => a - b);
    assertEquals(exits, [...exitsOf(gate)]);
  });

  Deno.test(`cases: ${gate.name} fails by each declaration and each condition`, () => {
    const all = cases.flatMap((test) => findings(gate, test));
    const has = (what: string, wanted: (finding: GateFinding) => boolean) => assert(all.some(wanted), what);
    for (const declaration of gate.declarations) {
      const { variable } = declaration;
      const own = (finding: GateFinding) => finding.declaration === variable;
      has(`${variable} is not declared`, (finding) => own(finding) && finding.exit === 64);
      if (declaration.kind === "word") {
        for (const exit of declaration.exits) {
          has(`${variable}: ${exit}`, (finding) => own(finding) && finding.exit === exit);
        }
        continue;
      }
      has(`${variable} cannot be read`, (finding) => own(finding) && finding.id === "unreadable");
      if (declaration.kind === "text") continue;
      for (const { key, exits } of declaration.conditions({})) {
        has(`no ${key} in ${variable}`, (finding) => own(finding) && finding.message === `no key "${key}"`);
        for (const exit of exits) {
          has(
            `${key} in ${variable}: ${exit}`,
            (finding) =>
              own(finding) && finding.exit === exit && finding.line !== undefined &&
              finding.message.startsWith(`${key} `),
          );
        }
      }
    }
  });

  Deno.test(`exits: ${gate.name} has no failure that its conditions do not own up to`, () => {
    const declared = gate.declarations.flatMap<Pick<Condition, "judge" | "exits">>((declaration) =>
      declaration.kind === "evidence"
        ? declaration.conditions({})
        : declaration.kind === "word"
        ? [declaration]
        : []
    );
    const values = [
      "",
      "x",
      "passed",
      "healthy",
      "0",
      "1",
      "-1",
      "1.5",
      "sha256:0a",
      "read",
      "deployment",
      "workspace-write",
    ];
    for (const { judge, exits } of declared) {
      for (const value of values) {
        const exit = judge(value)?.exit;
        assert(exit === undefined || exits.some((own) => own === exit), `${value}: ${exit}`);
      }
    }
  });
}

Deno.test("describeDeclarations: says what must be declared, when, and what must stand in it", () => {
  const mark = (wanted: string) => `<${wanted}>`;
  assertEquals(describeDeclarations(findGate("pre-tool-call"), mark), [
    { variable: "OAIES_TOOL_EFFECT", when: "", names: "", wants: "a known effect" },
    {
      variable: "OAIES_APPROVAL_FILE",
      when: "for high effects",
      names: "a file of evidence",
      wants: "<effect=$OAIES_TOOL_EFFECT>, <target>",
    },
  ]);
});
