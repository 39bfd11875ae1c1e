import { assert, assertEquals, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { root } from "../../toolchain/root.ts";
import { locked, manifests } from "../../toolchain/runtime.ts";
import { findTarget, targets } from "../../toolchain/targets.ts";

const lock = Deno.readTextFileSync(join(root, "toolchain/package-lock.json"));

Deno.test("targets: each package is pinned, with a digest, for just the system and processor of its target", () => {
  const { packages } = JSON.parse(lock);
  for (const target of targets) {
    for (const tool of ["bun", "deno"] as const) {
      if (!target[tool]) continue;
      const pinned = locked(lock, target, tool);
      assert(/^\d+\.\d+\.\d+$/.test(pinned.version) && /^sha512-/.test(pinned.integrity), pinned.package);
      const { os, cpu, libc } = packages[`node_modules/${pinned.package}`];
      const { npm } = target;
      assertEquals({ os, cpu, libc }, {
        os: [npm.os],
        cpu: [npm.cpu],
        libc: npm.libc ? [npm.libc] : undefined,
      });
    }
  }
});

Deno.test("targets: all Buns are one version, and all Denos", () => {
  const versions = (tool: "bun" | "deno") =>
    new Set(targets.filter((target) => target[tool]).map((target) => locked(lock, target, tool).version));
  assertEquals(versions("bun").size, 1);
  assertEquals([...versions("deno")], [Deno.version.deno]);
});

Deno.test("findTarget: host is this machine's", () =>
  assertEquals(findTarget("host").triple, Deno.build.target));

Deno.test("findTarget: an unknown triple is an error that lists the known", () => {
  const error = assertThrows(() => findTarget("riscv64gc-unknown-linux-gnu"), Error, "Cannot build for");
  for (const { triple } of targets) assert(error.message.includes(triple));
});

Deno.test("locked: a package without a digest is not taken", () => {
  const target = findTarget("x86_64-apple-darwin");
  const open = JSON.parse(lock);
  delete open.packages["node_modules/@oven/bun-darwin-x64"].integrity;
  assertThrows(() => locked(JSON.stringify(open), target, "bun"), Error, "does not pin it");
  assertThrows(() => locked(lock, findTarget("x86_64-unknown-linux-musl"), "deno"), Error, "there is none");
});

Deno.test("manifests: one package, of the version and digest that the lock file has", () => {
  const pinned = { package: "@oven/bun-darwin-x64", version: "1.2.3", integrity: "sha512-abc" };
  const { package: manifest, lock } = manifests(pinned);
  assertEquals(JSON.parse(manifest).dependencies, { "@oven/bun-darwin-x64": "1.2.3" });
  const { "": _, ...packages } = JSON.parse(lock).packages;
  assertEquals(packages, {
    "node_modules/@oven/bun-darwin-x64": { version: "1.2.3", integrity: "sha512-abc" },
  });
});
