import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { ALLOWED, newIn, ratiosOf, worseInAll, worseThan } from "../../toolchain/ratchet.ts";
import { ROOT } from "../black-box.ts";

Deno.test("ratiosOf: our programs to the first one on the same input, and nobody else's", () =>
  assertEquals(
    ratiosOf([
      { name: "floor", input: "1 KB", p50: 5 },
      { name: "empty", input: "1 KB", p50: 4 },
      { name: "pre-tool-use", input: "1 KB", p50: 10 },
      { name: "sh + python3", input: "1 KB", p50: 40 },
      { name: "floor", input: "1 MiB source", p50: 10 },
      { name: "pre-tool-use", input: "1 MiB source", p50: 15 },
    ]),
    { "1 KB: pre-tool-use": 2, "1 MiB source: pre-tool-use": 1.5 },
  ));

Deno.test("ratiosOf: without an input the name may begin with one", () =>
  assertEquals(
    ratiosOf([
      { name: "floor: reads two files", p50: 5 },
      { name: "pre-review", p50: 6 },
      { name: "pre-review in sh, grep and sed", p50: 7 },
      { name: "the twelve gates in sequence", p50: 75 },
      { name: "100 MB staged: git diff | grep", p50: 1000 },
      { name: "100 MB staged: pre-commit", p50: 1100 },
    ]),
    {
      "evidence: pre-review": 1.2,
      "evidence: the twelve gates in sequence": 15,
      "100 MB staged: pre-commit": 1.1,
    },
  ));

const BASELINE = { a: 2, b: 4 };

Deno.test("worseThan: what is over the baseline by more than is allowed, or was not measured", () => {
  assertEquals(worseThan(BASELINE, { a: 2 * ALLOWED, b: 4 * ALLOWED }), []);
  assertEquals(worseThan(BASELINE, { a: 2 * ALLOWED + 0.01, b: 1 }), ["a"]);
  assertEquals(worseThan(BASELINE, { a: 1 }), ["b"]);
  assertEquals(worseThan(BASELINE, { a: NaN, b: 4 }), ["a"]);
  assertEquals(worseThan(BASELINE, {}), ["a", "b"]);
});

Deno.test("worseInAll: one run in which a ratio is fine clears that ratio alone", () => {
  assertEquals(worseInAll(BASELINE, [{ a: 3, b: 9 }]), ["a", "b"]);
  assertEquals(worseInAll(BASELINE, [{ a: 3, b: 9 }, { a: 2, b: 9 }]), ["b"]);
  assertEquals(worseInAll(BASELINE, [{ a: 3, b: 9 }, { a: 2, b: 9 }, { a: 3, b: 9 }]), ["b"]);
  assertEquals(worseInAll(BASELINE, [{ a: 3, b: 4 }, { a: 2, b: 9 }]), []);
});

Deno.test("newIn: what the baseline does not have", () =>
  assertEquals(newIn(BASELINE, { a: 1, c: 1 }), ["c"]));

Deno.test("bench/baseline.json: has a ratio for hooks, gates and large inputs, all above nothing", async () => {
  const { ratios } = JSON.parse(await Deno.readTextFile(join(ROOT, "bench/baseline.json")));
  const names = Object.keys(ratios);
  for (const part of ["1 KB: pre-tool-use", "1 MiB", "stop-guard", "pre-review", "pre-commit"]) {
    assert(names.some((name) => name.includes(part)), part);
  }
  for (const [name, ratio] of Object.entries(ratios)) {
    assert(Number.isFinite(ratio) && Number(ratio) > 0.1, name);
  }
});
