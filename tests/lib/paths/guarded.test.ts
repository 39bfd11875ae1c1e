import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Platform } from "../../../lib/contract/hook.ts";
import {
  GUARDED_IN_HOME,
  GUARDED_IN_WORKTREE,
  GUARDED_NAMES,
  guardedBy,
} from "../../../lib/paths/guarded.ts";
import cases from "../../cases/paths/guarded.json" with { type: "json" };

interface Case {
  /** All of them where it is not said. */
  readonly on?: Platform;
  readonly where?: "worktree" | "home";
  readonly path: string;
  readonly is: string | null;
}

const PLATFORMS: readonly Platform[] = ["linux", "darwin", "windows"];

function split(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

for (const { on, where, path, is } of cases as readonly Case[]) {
  Deno.test(`guardedBy: ${on ?? "everywhere"}, ${JSON.stringify(path)} in the ${where ?? "worktree"}`, () => {
    for (const platform of on ? [on] : PLATFORMS) {
      assertEquals(guardedBy(split(path), platform, where), is ?? undefined, platform);
    }
  });
}

Deno.test("guardedBy: knows each of its own names, all that is in it and the folders above it", () => {
  for (const where of ["worktree", "home"] as const) {
    for (const guarded of where === "home" ? GUARDED_IN_HOME : GUARDED_IN_WORKTREE) {
      const path = split(guarded.replaceAll("*", ".x"));
      for (const platform of PLATFORMS) {
        for (let length = 1; length <= path.length; length++) {
          assert(guardedBy(path.slice(0, length), platform, where) !== undefined, guarded);
        }
        assert(guardedBy([...path, "a", "b"], platform, where) !== undefined, guarded);
        if (where === "worktree") {
          assert(guardedBy(["a", "b", ...path], platform, where) !== undefined, guarded);
        }
      }
    }
  }
});

Deno.test("GUARDED_NAMES: has every guarded name and the folders above it, and no other", () => {
  for (const name of GUARDED_NAMES) assert(guardedBy(name, "linux") !== undefined, name.join("/"));
  const known = GUARDED_NAMES.map((name) => name.join("/"));
  for (const guarded of GUARDED_IN_WORKTREE) {
    const path = split(guarded.replace("*", ""));
    for (let length = 1; length <= path.length; length++) {
      assert(known.includes(path.slice(0, length).join("/")), guarded);
    }
  }
});

Deno.test("guardedBy: is total", () => {
  const name = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(".claude", "settings.json", "~1", "git~1", ""),
  );
  fc.assert(fc.property(fc.array(name), fc.constantFrom(...PLATFORMS), (path, platform) => {
    guardedBy(path, platform);
    guardedBy(path, platform, "home");
  }));
});
