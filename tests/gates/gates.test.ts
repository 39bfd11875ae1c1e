/** The twelve gates from outside: every case of tests/cases/gates. */
import { assert, assertEquals } from "@std/assert";
import { type Flavour, flavours, leftOut, type Outcome, run, type Tree, withFolder } from "../black-box.ts";
import type { Gate } from "../../lib/contract/gate.ts";
import { type Case, contentOf, declaredBy, readCases, titleOf } from "./cases.ts";

/** How to recover comes after the findings. */
const REMEDY = /^(?:To recover: |Run [a-z-]+ --help for what it takes\.$)/;

function assertVerdict(gate: Gate, test: Case, { code, stdout, stderr }: Outcome): void {
  const context = JSON.stringify({ code, stdout, stderr }).slice(0, 2_000);
  assertEquals(code, test.exit, context);
  const printed = stderr.split("\n").slice(0, -1);
  const findings = printed.filter((line) => !REMEDY.test(line));
  assertEquals(findings, (test.lines ?? []).map((line) => `${gate.name}: ${line}`), context);
  if (test.exit === 0) {
    assertEquals([stdout, stderr], [`${gate.name}: passed: ${gate.summary}\n`, ""]);
    return;
  }
  assertEquals(stdout, "");
  assert(findings.length > 0 && printed.length > findings.length, "a failure says why, and how to recover");
  assertEquals(printed.slice(0, findings.length), findings, "the remedy comes last");
}

async function check(gate: Gate, test: Case, flavour: Flavour): Promise<void> {
  const tree: Record<string, Tree[string]> = {};
  const fifos: string[] = [];
  for (const [path, file] of Object.entries(test.files ?? {})) {
    if (file === null || typeof file === "object" && "link" in file) tree[path] = file;
    else if (typeof file === "object" && "fifo" in file) fifos.push(path);
    else if (file !== false) tree[path] = contentOf(file) ?? "";
  }
  await withFolder(tree, async (folder) => {
    for (const path of fifos) await run(["mkfifo", path], { cwd: folder });
    const args = test.args ?? [];
    // By LC_ALL Wine tells in which encoding variables are.
    const env = { LC_ALL: "C.UTF-8", ...declaredBy(test) };
    const outcome = await run(flavour.start(gate.name), { args, env, cwd: folder });
    assertVerdict(gate, test, outcome);
  });
}

for (const flavour of flavours()) {
  for (const { name, gate, cases } of readCases()) {
    // What a line may be is the same wherever the parser runs: on this engine tests/lib/evidence holds it.
    if (name === "evidence" && flavour.name === "deno run") continue;
    for (const [at, test] of cases.entries()) {
      if (test.posix && !flavour.posix) continue;
      Deno.test({
        name: `${titleOf(name, gate.name)} (${flavour.name}): ${test.case}`,
        ignore: leftOut(at),
        fn: () => check(gate, test, flavour),
      });
    }
  }
}
