/** The trial of a built executable passes the real one, and no program that answers the same to everything. */
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { smoke } from "../../toolchain/smoke.ts";
import { findTarget } from "../../toolchain/targets.ts";
import { ROOT, withFolder } from "../black-box.ts";

Deno.test("smoke: the build for this machine does what it must", async () =>
  assertEquals(await smoke(join(ROOT, "dist/host", `nonzero${findTarget("host").exe}`)), []));

for (const code of [0, 2]) {
  Deno.test({
    name: `smoke: a program that always exits ${code} does not pass`,
    ignore: Deno.build.os === "windows",
    fn: () =>
      withFolder({}, async (folder) => {
        const program = join(folder, "program");
        await Deno.writeTextFile(program, `#!/bin/sh\ncat >/dev/null\nexit ${code}\n`, { mode: 0o755 });
        assert((await smoke(program)).length >= 5);
      }),
  });
}

Deno.test({
  name: "smoke: a program that reads no more than 64 KiB does not pass",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withFolder({}, async (folder) => {
      const program = join(folder, "program");
      const real = join(ROOT, "dist/host/nonzero");
      await Deno.writeTextFile(program, `#!/bin/sh\nhead -c 65536 | "${real}" "$@"\n`, { mode: 0o755 });
      const faults = await smoke(program);
      assertEquals(faults.map((fault) => fault.split(":")[0]), ["2 MiB through a pipe"]);
    }),
});
