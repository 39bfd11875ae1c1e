/** Gates as commands of the one program. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { registry } from "../../toolchain/registry.ts";
import { flavours, run, withFolder } from "../black-box.ts";

const GOOD = { good: "status=passed\nartifact=a\n", bad: "status=failed\nartifact=a\n" };

for (const flavour of flavours().filter(({ name }) => name !== "deno run")) {
  const nonzero = (args: readonly string[], file: string, cwd: string) =>
    run(flavour.start("nonzero"), { args, cwd, env: { OAIES_VERIFY_EVIDENCE: file } });
  const test = (title: string, check: (cwd: string) => Promise<void>) =>
    Deno.test(`nonzero (${flavour.name}): ${title}`, () => withFolder(GOOD, check));

  test("gate NAME is what the executable of that name is", async (cwd) => {
    for (const file of ["good", "bad", "none", ""]) {
      for (const args of [[], ["--json"], ["--help"], ["--version"], ["--bogus"]]) {
        const own = await run(flavour.start("post-code"), {
          args,
          cwd,
          env: { OAIES_VERIFY_EVIDENCE: file },
        });
        assertEquals(await nonzero(["gate", "post-code", ...args], file, cwd), own);
        assertEquals(await nonzero(["-z", "gate", "post-code", ...args], file, cwd), own);
      }
    }
  });

  test("a gate that there is not is a wrong call, and no line of it a runner's command", async (cwd) => {
    for (
      const name of [
        "",
        "post",
        "post-code.ts",
        "pre-tool-use",
        "constructor",
        "::error::x",
        "a\n::error::b",
        "##[error]c",
      ]
    ) {
      const { code, stdout, stderr } = await nonzero(["gate", name], "good", cwd);
      assertEquals([code, stdout], [64, ""]);
      assertMatch(stderr, /^nonzero: no gate is named "[^\n]*"\nRun nonzero --help for what there is\.\n$/);
      assertEquals(/##\[|^\s*::/m.test(stderr), false, stderr);
    }
    assertEquals((await nonzero(["gate"], "good", cwd)).code, 64);
    assertEquals((await nonzero(["hook", "post-code"], "good", cwd)).code, 2);
  });

  test("a gate that there is not is a wrong call, also where nobody can be told", async (cwd) => {
    if (!flavour.posix) return;
    const words = ["sh", "-c", '"$@" 2>/dev/full', "sh", ...flavour.start("nonzero")];
    assertEquals((await run(words, { args: ["-z", "gate", "nope"], cwd })).code, 64);
  });

  test("--help names every gate", async (cwd) => {
    const { code, stdout } = await nonzero(["--help"], "good", cwd);
    assertEquals(code, 0);
    for (const { unit } of registry) assertStringIncludes(stdout, `  ${unit.name} `);
  });
}
