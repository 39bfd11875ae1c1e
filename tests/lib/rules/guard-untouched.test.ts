import { assertEquals } from "@std/assert";
import { guardUntouched } from "../../../lib/rules/guard-untouched.ts";
import { facts, target } from "./facts.ts";

Deno.test("guardUntouched: the running program by another name", () => {
  const check = (isExecutable: boolean) =>
    guardUntouched.check(facts({ targets: [target(["/repo/tool"], { written: "tool", isExecutable })] }));
  assertEquals(check(true), ['file_path "tool" touches the guard\'s own program']);
  assertEquals(check(false), []);
});

Deno.test("guardUntouched: what a target is called counts as much as where it leads", () => {
  const named = target(["/elsewhere"], { written: ".nonzero.json", names: ["/repo/.nonzero.json"] });
  assertEquals(guardUntouched.check(facts({ targets: [named] })).length, 1);
});
