import { assertEquals } from "@std/assert";
import { stayInsideWorktree } from "../../../lib/rules/stay-inside-worktree.ts";
import { facts, target } from "./facts.ts";

const check = (...readings: string[]) => stayInsideWorktree.check(facts({ targets: [target(readings)] }));

Deno.test("stayInsideWorktree: every reading must be inside", () => {
  assertEquals(check("/repo/a", "/repo/b"), []);
  for (const readings of [["/repo/a", "/b"], ["/b", "/repo/a"]]) {
    assertEquals(check(...readings), ['file_path "a" resolves to /b, outside /repo']);
  }
});

Deno.test("stayInsideWorktree: a target that leads nowhere is not inside", () =>
  assertEquals(check().length, 1));

Deno.test("stayInsideWorktree: each target is judged", () => {
  const targets = [target(["/b"]), target(["/repo/a"]), target(["/c"], { field: "path" })];
  assertEquals(stayInsideWorktree.check(facts({ targets })).length, 2);
});

Deno.test("stayInsideWorktree: a folder that is writable besides is inside", () =>
  assertEquals(stayInsideWorktree.check(facts({ targets: [target(["/b/c"])], writable: ["/b"] })), []));
