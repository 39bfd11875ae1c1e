import { assertEquals } from "@std/assert";
import { isEvidence, namesEvidence } from "../../../lib/paths/evidence.ts";

Deno.test("isEvidence: by a whole name, in any case, on any system", () => {
  for (
    const path of [
      "evidence",
      "/evidence/",
      "a/EVIDENCE/b",
      "./e2e-evidence/a",
      "C:\\a\\Evidence\\b",
      "C:\\a\\evidence::$INDEX_ALLOCATION\\b",
      "\\\\server\\share\\evidence",
      "a/evidence. /b",
      "a/evid\u200bence/b",
      "evidence\0.txt",
      "a/../evidence",
      "../evidence",
      "x/../../evidence/a",
    ]
  ) {
    assertEquals(isEvidence(path, []), true, JSON.stringify(path));
  }
  for (
    const path of [
      "",
      "/",
      "a",
      "evidence/..",
      "evidence/../a",
      "evidence\\..\\a",
      "evidence.txt",
      "my-evidence/a",
      "evidence2/a",
      ".evidence/a",
      "evi/dence",
    ]
  ) {
    assertEquals(isEvidence(path, []), false, JSON.stringify(path));
  }
});

Deno.test("isEvidence: further names, of one folder or of some in a row", () => {
  assertEquals(isEvidence("a/Proof/b", ["proof"]), true);
  assertEquals(isEvidence("a/proofs/b", ["proof"]), false);
  assertEquals(isEvidence("a/qa/out/b", ["qa/out"]), true);
  assertEquals(isEvidence("a/qa/b/out", ["qa/out"]), false);
  assertEquals(isEvidence("a/evidence", ["proof"]), true);
  assertEquals(isEvidence("a/b", ["", "/"]), false);
});

Deno.test("namesEvidence: as a whole name anywhere in a command", () => {
  for (
    const command of [
      "evidence",
      "cd evidence && ls",
      "ls ./E2E-Evidence/",
      "x >evidence/a",
      "x --out=evidence",
      "x -oevidence/a",
      "x @evidence/a",
      'x "C:\\a\\evidence\\b"',
      "x ev''idence/a",
      "x ev\\\nidence/a",
      "x evidence.",
      "x evidence;y",
      "$HOME/evidence",
    ]
  ) {
    assertEquals(namesEvidence(command, []), true, command);
  }
  for (
    const command of ["", "ls my-evidence", "ls evidence.txt", "ls evidence-2", "ls .evidence", "evidences"]
  ) {
    assertEquals(namesEvidence(command, []), false, command);
  }
});

Deno.test("namesEvidence: further names, whose characters stand for themselves", () => {
  assertEquals(namesEvidence("ls a/qa\\out/b", ["qa/out"]), true);
  assertEquals(namesEvidence("ls a+b", ["a+b"]), true);
  assertEquals(namesEvidence("ls aab", ["a+b"]), false);
  assertEquals(namesEvidence("ls a", ["", "/"]), false);
});

Deno.test("namesEvidence: takes linear time", () => {
  for (const unit of ["evidence-", "e2e-", " -a", "evidence.a", "\\", "'"]) {
    assertEquals(namesEvidence(unit.repeat(300_000), []), false, unit);
  }
});
