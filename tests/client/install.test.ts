/** What `nonzero install` writes, and the plugin's command for it, in the real client. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { run, type Tree, withFolder } from "../black-box.ts";
import { startModel, type ToolCall, write } from "./model.ts";
import { DIST, environment, findClient, playSession, PROGRAM } from "./session.ts";

const PLUGIN = join(DIST, "plugin");
const TREE: Tree = { "project/.git": null, "home/.claude": null, "outside": null, "tmp": null };

/** Runs the program in the project of a folder. */
async function nonzero(folder: string, ...args: readonly string[]): Promise<string> {
  const env = { HOME: join(folder, "home") };
  const { code, stdout, stderr } = await run([PROGRAM], { args, cwd: join(folder, "project"), env });
  assertEquals(code, 0, stderr);
  return stdout;
}

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);

for (
  const [name, before] of [["new settings", undefined], [
    "settings with a BOM",
    '\ufeff{\n\t"model": "m"\n}\r\n',
  ]] as const
) {
  Deno.test(`install: the client obeys hooks in ${name}, and no more once they are taken out`, async () => {
    await withFolder(TREE, async (folder) => {
      const settings = join(folder, "project", ".claude", "settings.local.json");
      if (before !== undefined) {
        await Deno.mkdir(join(folder, "project", ".claude"));
        await Deno.writeTextFile(settings, before);
      }
      const call = write(join(folder, "outside", "new.txt"));
      const play = async () => (await playSession({ folder, settings: {}, turns: [[call]] })).outcome(call);
      await nonzero(folder, "install");
      const refused = await play();
      assertEquals([refused.isError, await exists(join(folder, "outside", "new.txt"))], [true, false]);
      assertStringIncludes(refused.text, "stay-inside-worktree");
      const { loads } = JSON.parse(await nonzero(folder, "install", "--json"));
      const loaded = loads.map((load: string) => JSON.parse(load).filePath);
      assert(loaded.includes(join(folder, "project", "CLAUDE.md")), String(loaded));
      await nonzero(folder, "uninstall");
      assertEquals(await exists(settings), before !== undefined);
      assertEquals([(await play()).isError, await exists(join(folder, "outside", "new.txt"))], [false, true]);
    });
  });
}

/** What comes of a command line that the model asks for after the user has typed the plugin's command. */
async function typeCommand(folder: string, command: string) {
  const call: ToolCall = { tool: "Bash", input: { command, description: "as told" } };
  // Words of the command's own text.
  const model = startModel({ conversations: { "Run this once, as it stands": [[call]] } });
  try {
    const { success } = await new Deno.Command(findClient(), {
      args: ["-p", "/nonzero:install --json", "--permission-mode", "default", "--plugin-dir", PLUGIN],
      cwd: join(folder, "project"),
      clearEnv: true,
      env: environment(folder, model.address),
      stdin: "null",
      signal: AbortSignal.timeout(60_000),
    }).output();
    assert(success);
    return { told: model.asked.map(({ text }) => text).join("\n"), result: model.results.get(call) };
  } finally {
    await model.stop();
  }
}

Deno.test("install: the plugin's command tells the very command line, and that one alone needs no leave", async () => {
  await withFolder(TREE, async (folder) => {
    const command = `"${PLUGIN}/nonzero" install --no-hooks --json`;
    const { told, result } = await typeCommand(folder, command);
    assertStringIncludes(told, command);
    assertEquals(result?.isError, false, result?.text);
    const report = JSON.parse(result?.text ?? "");
    assertEquals([report.ok, report.notes], [true, ["no hooks, as asked"]]);
    assert(await exists(join(folder, "project", "CLAUDE.md")));
    for (
      const other of [
        `"${PLUGIN}/nonzero" uninstall`,
        `${command}; touch here`,
        `"${PLUGIN}/nonzero" install`,
      ]
    ) {
      assertEquals((await typeCommand(folder, other)).result?.isError, true, other);
    }
    assert(await exists(join(folder, "project", "CLAUDE.md")));
    assertEquals(await exists(join(folder, "project", "here")), false);
  });
});
