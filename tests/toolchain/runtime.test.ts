import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { delimiter } from "node:path";
import { join } from "@std/path";
import { targets } from "../../toolchain/targets.ts";
import { withFolder } from "../black-box.ts";
import { copyTree, list, runTool } from "./tree.ts";

const WINDOWS = Deno.build.os === "windows";

/** An npm that leaves half a package behind, and then fails or not. */
function npm(code: number): { readonly name: string; readonly text: string } {
  return WINDOWS
    ? {
      name: "npm.cmd",
      text: `@mkdir node_modules\r\n@echo half> node_modules\\half\r\n@exit /b ${code}\r\n`,
    }
    : { name: "npm", text: `#!/bin/sh\nmkdir node_modules && echo half > node_modules/half; exit ${code}\n` };
}

Deno.test("getRuntime: what npm could not install whole is not there the next time", async () => {
  const other = targets.find(({ triple, deno }) => triple !== Deno.build.target && deno);
  assert(other);
  await withFolder({ "tree": null, "bin": null }, async (folder) => {
    const tree = join(folder, "tree");
    await copyTree(tree);
    const fetch = async (code: number) => {
      const { name, text } = npm(code);
      await Deno.writeTextFile(join(folder, "bin", name), text, { mode: 0o755 });
      const path = `${join(folder, "bin")}${delimiter}${Deno.env.get("PATH")}`;
      return await runTool(tree, "toolchain/runtime.ts", [other.triple], { PATH: path });
    };
    const runtimes = join(tree, ".cache/runtimes");

    const failed = await fetch(1);
    assertEquals(failed.code, 1);
    assertStringIncludes(failed.text, `Cannot get the runtime of ${other.triple}: npm failed`);
    assertEquals(await list(runtimes), []);

    assertEquals((await fetch(0)).code, 0);
    assertEquals(await list(runtimes), [`${other.triple}-bun`, `${other.triple}-deno`]);

    // Now they are there: npm is not asked again.
    assertEquals(await fetch(1), { code: 0, text: "" });

    // Another version is pinned: what is there is of no use.
    const lock = join(tree, "toolchain/package-lock.json");
    const text = await Deno.readTextFile(lock);
    await Deno.writeTextFile(lock, text.replaceAll(/"sha512-[^"]{8}/g, '"sha512-AAAAAAAA'));
    assertEquals((await fetch(1)).code, 1);
  });
});
