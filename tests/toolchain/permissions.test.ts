import { assertEquals, assertThrows } from "@std/assert";
import { registry } from "../../toolchain/registry.ts";
import { denoFlags, unite } from "../../toolchain/permissions.ts";

Deno.test("denoFlags: what is not given is denied, and nobody is asked", () =>
  assertEquals(denoFlags({}), ["--no-prompt"]));

Deno.test("denoFlags: each kind with its scope, or whole", () =>
  assertEquals(
    denoFlags({ read: true, write: ["/a", "/b"], env: ["HOME", "CI"], sys: ["uid"], run: ["git"] }),
    [
      "--no-prompt",
      "--allow-read",
      "--allow-write=/a,/b",
      "--allow-env=HOME,CI",
      "--allow-sys=uid",
      "--allow-run=git",
    ],
  ));

Deno.test("denoFlags: an empty scope allows nothing", () =>
  assertEquals(denoFlags({ run: [] }), ["--no-prompt"]));

Deno.test("denoFlags: refuses a value that would read as two, or as everything", () => {
  assertThrows(() => denoFlags({ read: ["/a,/b"] }), Error, 'Cannot allow read of "/a,/b"');
  assertThrows(() => denoFlags({ env: [""] }), Error, 'Cannot allow env of ""');
});

Deno.test("unite: every scope once, the whole over a part", () =>
  assertEquals(
    unite([{ read: ["/a"], env: ["HOME"] }, { read: true, env: ["CI", "HOME"] }, { run: ["git"] }, {}]),
    { read: true, env: ["CI", "HOME"], run: ["git"] },
  ));

Deno.test("denoFlags: no entry of the registry may use the network, load libraries or run what it likes", () => {
  for (const { unit, permissions } of registry) {
    const flags = denoFlags(permissions);
    assertEquals(
      flags.filter((flag) => /^--allow-(?:all|net|ffi|run)$|^--allow-(?:net|ffi)/.test(flag)),
      [],
      unit.name,
    );
  }
});
