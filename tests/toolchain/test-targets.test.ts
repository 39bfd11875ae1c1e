/** What `make test-targets` makes of what its suites tell, and what it runs them in. */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { ways } from "../../toolchain/targets-places.ts";
import { listTree, makeRoot, readLibraries } from "../../toolchain/targets-root.ts";
import { allPassed, cell, choose, countTests, type Row, table } from "../../toolchain/targets-table.ts";
import { targets } from "../../toolchain/targets.ts";
import { ROOT, withFolder } from "../black-box.ts";

const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="6" failures="1" errors="0" time="0.018">
    <testsuite name="./a.test.ts" tests="6" disabled="2" errors="0" failures="1">
        <testcase name="a (/dist): one" classname="./a.test.ts" time="0.001" line="1" col="6">
        </testcase>
        <testcase name="a (/dist): two &lt;skipped" classname="./a.test.ts" time="0.001" line="2" col="6">
        </testcase>
        <testcase name="a (/dist): three" classname="./a.test.ts" time="0.000" line="3" col="6">
            <skipped/>
        </testcase>
        <testcase name="a (/dist): four" classname="./a.test.ts" time="0.001" line="4" col="6">
            <failure message="Uncaught Error: &lt;skipped/&gt;">Error</failure>
        </testcase>
        <testcase name="of no build" classname="./dist/a.test.ts" line="5" col="6">
            <skipped/>
        </testcase>
        <testcase name="of no build either" classname="./dist/a.test.ts" line="6" col="6">
        </testcase>
    </testsuite>
</testsuites>
`;

Deno.test("countTests: counts those of the build alone", () =>
  assertEquals(countTests(REPORT, "/dist"), { passed: 2, failed: 1, ignored: 1 }));

Deno.test("countTests: a report of no test that was run is no pass", () => {
  assertThrows(() => countTests(REPORT, "/elsewhere"), Error, "No test was run");
  assertThrows(() => countTests(REPORT, "three"), Error, "No test was run");
  assertThrows(() => countTests("", "/dist"), Error, "No test was run");
});

Deno.test("choose: all, some in their own order, and none that there is not", () => {
  const known = ["hooks", "gates", "cli"];
  assertEquals(choose("", known), known);
  assertEquals(choose(" ", known), known);
  assertEquals(choose("cli, hooks", known), ["hooks", "cli"]);
  assertThrows(() => choose("hooks,gate", known), Error, "There is no gate; there are hooks, gates, cli");
});

Deno.test("cell: says how many ran, and of how many", () => {
  assertEquals(cell({ passed: 9, failed: 0, ignored: 0 }), "passed 9");
  assertEquals(cell({ passed: 9, failed: 0, ignored: 50 }), "passed 9 of 59");
  assertEquals(cell({ passed: 9, failed: 1, ignored: 0 }), "FAILED 1 of 10 run");
  assertEquals(cell({ passed: 9, failed: 1, ignored: 50 }), "FAILED 1 of 10 run of 60");
  assertEquals(cell({ why: "no" }), "cannot be run");
});

const GOOD: Row = {
  target: "one",
  by: "qemu",
  results: { hooks: { passed: 1, failed: 0, ignored: 0 }, cli: { passed: 2, failed: 0, ignored: 0 } },
};
const NEVER: Row = { target: "two", by: "", results: { hooks: { why: "no way" }, cli: { why: "no way" } } };

Deno.test("table: a row for each target, and below it by what it ran or why it did not", () =>
  assertEquals(
    table([GOOD, NEVER], ["hooks", "cli"]),
    [
      "| target | hooks | cli |",
      "| -- | -- | -- |",
      "| one | passed 1 | passed 2 |",
      "| two | cannot be run | cannot be run |",
      "",
      "- one: qemu",
      "- two: cannot be run: no way",
      "",
    ].join("\n"),
  ));

Deno.test("allPassed: what failed counts, what cannot be run does not", () => {
  assertEquals(allPassed([GOOD, NEVER]), true);
  const bad = { ...GOOD, results: { ...GOOD.results, cli: { passed: 8, failed: 1, ignored: 0 } } };
  assertEquals(allPassed([GOOD, bad, NEVER]), false);
});

Deno.test("ways: every target that is built has one, or it is said why not", () => {
  assertEquals(Object.keys(ways).sort(), targets.map(({ triple }) => triple).sort());
  for (const way of Object.values(ways)) if ("why" in way) assert(way.why.length > 20);
});

Deno.test({
  name: "makeRoot: holds the files, what links lead to, and places for /proc and the devices alone",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withFolder({ "in/real": "x", "in/link": { link: "real" } }, async (folder) => {
      const root = join(folder, "root");
      await makeRoot(root, await listTree(join(folder, "in"), "/put"), ["null"]);
      const files = (await listTree(root, "/")).map(({ to }) => to).sort();
      assertEquals(files, ["/dev/null", "/put/link", "/put/real"]);
      assertEquals((await Deno.lstat(join(root, "put/link"))).isFile, true);
      assertEquals([...Deno.readDirSync(root)].map(({ name }) => name).sort(), ["dev", "proc", "put", "tmp"]);
    }),
});

Deno.test({
  name: "readLibraries: the C library and its loader, and no answer for what is no executable",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const libraries = await readLibraries(join(ROOT, "dist/host/nonzero"));
    for (const { from, to } of libraries) assertEquals([from, (await Deno.stat(from)).isFile], [to, true]);
    assertMatch(libraries.map(({ to }) => to).join("\n"), /\/(?:ld-linux|ld-musl)/);
    const odd = await readLibraries(join(ROOT, "README.md")).catch(({ message }) => message);
    assertMatch(String(odd), /^ldd .*README\.md failed with exit code 1/);
  },
});
