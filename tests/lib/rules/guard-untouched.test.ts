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

Deno.test("guardUntouched: a place that the guard rests on, what is in it and the folder that it is in", () => {
  const guarded = { places: ["/etc/nonzero/config.json"], aliases: [], editable: [] };
  const check = (path: string) => guardUntouched.check(facts({ targets: [target([path])], guarded })).length;
  for (const path of ["/etc/nonzero/config.json", "/etc/nonzero/config.json/a", "/etc/nonzero", "/etc"]) {
    assertEquals(check(path), 1, path);
  }
  for (const path of ["/etc/nonzero/config", "/etc/nonzero/other.json", "/var"]) {
    assertEquals(check(path), 0, path);
  }
});

Deno.test("guardUntouched: a place in the worktree does not guard the folders above the worktree", () => {
  const guarded = { places: ["/home/ann/repo/dist/tool"], aliases: [], editable: [] };
  const check = (path: string) =>
    guardUntouched.check(facts({ root: { path: "/home/ann/repo" }, targets: [target([path])], guarded }))
      .length;
  assertEquals(check("/home/ann/repo/dist"), 1);
  assertEquals(check("/home/ann"), 0);
});
