import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { registry } from "../../toolchain/registry.ts";
import { denoFlags } from "../../toolchain/permissions.ts";
import { isAsExpected, type Outcome, report, type Row } from "../../toolchain/receipt.ts";
import { ROOT, run, withFolder } from "../black-box.ts";

const outcome: Outcome = {
  exit: 2,
  decision: "deny",
  said: "deny",
  rules: ["unread-fields"],
  milliseconds: 12.3,
  executable: null,
};
const row: Row = {
  case: "a case",
  expected: { exit: 2, decision: "deny", rules: ["unread-fields"] },
  outcome,
};

Deno.test("isAsExpected: the same exit code, decision, word and rules", () => {
  assert(isAsExpected(row));
  const others: Partial<Outcome>[] = [{ exit: 1 }, { decision: "allow" }, { said: "" }, { rules: [] }];
  for (const other of others) {
    assert(!isAsExpected({ ...row, outcome: { ...outcome, ...other } }), JSON.stringify(other));
  }
});

Deno.test("isAsExpected: a broken guard may end in any way but well", () => {
  const broken: Row = {
    case: "broken",
    expected: { exit: "not 0", decision: "deny" },
    outcome: { ...outcome, said: "", rules: [] },
  };
  for (const exit of [1, 2, 126, 127, 139, "cannot start"] as const) {
    assert(isAsExpected({ ...broken, outcome: { ...outcome, exit } }));
  }
  assert(!isAsExpected({ ...broken, outcome: { ...outcome, exit: 0 } }));
});

Deno.test("isAsExpected: what could not be tried has not come out", () =>
  assert(!isAsExpected({ ...row, outcome: { problem: "cannot be tried" } })));

Deno.test("report: one aligned line a case", () =>
  assertEquals(
    report([row, { ...row, case: "another case", outcome: { ...outcome, exit: 0, decision: "allow" } }]),
    "ok    a case        exit 2  deny   12 ms\nFAIL  another case  exit 0  allow  12 ms",
  ));

Deno.test("throwing: a rule that throws refuses what all others allow", () =>
  withFolder({ repo: null }, async (folder) => {
    const permissions = registry.find(({ unit }) => unit.name === "pre-tool-use")?.permissions ?? {};
    const words = [
      Deno.execPath(),
      "run",
      ...denoFlags(permissions),
      join(ROOT, "tests/entries/throwing.ts"),
    ];
    const stdin = JSON.stringify({ target: "a.json", cwd: `${folder}/repo`, payload: {} });
    const { code, stdout, stderr } = await run(words, { stdin, env: { HOME: `${folder}/home` } });
    assertEquals([code, stdout], [2, "deny\n"]);
    assertStringIncludes(stderr, "DENY  always-throws: the rule failed: broken on purpose\n");
  }));
