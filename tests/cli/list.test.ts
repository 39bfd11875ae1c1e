import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { list, pluginHooks, runList } from "../../lib/cli/list.ts";
import { UsageError } from "../../lib/contract/entry.ts";
import { registry } from "../../nonzero.ts";
import { ROOT, run, withFolder } from "../black-box.ts";

const EXE = Deno.build.os === "windows" ? ".exe" : "";
const dist = Deno.env.get("NONZERO_DIST") ?? join(ROOT, "dist", "host");
const runner = (Deno.env.get("NONZERO_RUNNER") ?? "").split(" ").filter((word) => word !== "");
/** Only this machine's own executables have paths as this machine writes them. */
const built = Deno.env.get("NONZERO_FLAVOUR") !== "deno" && runner.length === 0;

const sources = [Deno.execPath(), "run", "--allow-read", "--allow-env", join(ROOT, "nonzero.ts")];

const here = { executable: "/opt/non zero/nonzero", exe: "" };
const say = (...args: string[]) => runList(registry, args, here);

interface Handler {
  readonly type: string;
  readonly command?: string;
  readonly args?: readonly string[];
}
type Events = Record<string, readonly { readonly hooks: readonly Handler[] }[]>;

function handlers(text: string): Handler[] {
  const { hooks }: { hooks: Events } = JSON.parse(text);
  return Object.values(hooks).flat().flatMap((group) => group.hooks);
}

Deno.test("runList: --hooks-json is a plugin's file, and with --settings a user's settings", () => {
  const plugin = say("--hooks-json");
  assertEquals(plugin, pluginHooks(registry, ""));
  assertEquals(Object.keys(JSON.parse(plugin)), ["description", "hooks"]);
  const settings = say("--hooks-json", "--settings");
  assertEquals(Object.keys(JSON.parse(settings)), ["hooks"]);
  assertEquals(
    settings.replaceAll(here.executable, "${CLAUDE_PLUGIN_ROOT}/nonzero"),
    `${JSON.stringify({ hooks: JSON.parse(plugin).hooks }, null, 2)}\n`,
  );
  assertEquals(say("--settings", "--hooks-json"), settings);
});

Deno.test("runList: a plugin for Windows names the .exe", () => {
  const text = runList(registry, ["--hooks-json"], { executable: "C:\\nonzero.exe", exe: ".exe" });
  for (const { type, command } of handlers(text)) {
    if (type === "command") assertEquals(command, "${CLAUDE_PLUGIN_ROOT}/nonzero.exe");
  }
  assertEquals(text.replaceAll("nonzero.exe", "nonzero"), pluginHooks(registry, ""));
});

Deno.test("runList: --no-judge leaves out the question to a model, and nothing else", () => {
  for (const more of [[], ["--settings"]]) {
    const [all, without] = [[], ["--no-judge"]].map((last) =>
      handlers(say("--hooks-json", ...more, ...last))
    );
    assert(all?.some(({ type }) => type === "prompt"));
    assertEquals(without, all?.filter(({ type }) => type !== "prompt"));
  }
});

Deno.test("runList: --shell has the guards alone, as command lines with the absolute path", () => {
  for (const more of [[], ["--settings"], ["--no-judge"]]) {
    const text = say("--hooks-json", "--shell", ...more);
    assertEquals(Object.keys(JSON.parse(text).hooks), ["PreToolUse"]);
    for (const { command = "", args } of handlers(text)) {
      assertEquals(args, undefined);
      assertStringIncludes(command, `'${here.executable}' -z hook `);
    }
  }
});

Deno.test("runList: without options it is one line for each hook and gate", () =>
  assertEquals(say(), list(registry)));

const MISTAKES: readonly (readonly string[])[] = [
  ["x"],
  ["--json"],
  ["--settings"],
  ["--shell"],
  ["--no-judge"],
  ["--settings", "--shell"],
  ["--markdown", "--hooks-json"],
  ["--hooks-json", "--markdown"],
  ["--markdown", "--markdown"],
  ["--hooks-json", "--hooks-json"],
  ["--hooks-json", "--no-judge", "--no-judge"],
  ["--hooks-json", "x"],
  ["--hooks-json=x"],
  ["--hooks-json", ""],
  [""],
];

Deno.test("runList: what it does not know, and what does not go together, is a usage error", () => {
  for (const args of MISTAKES) assertThrows(() => say(...args), UsageError, "", args.join(" "));
});

Deno.test("runList: names no runtime in the place of its own executable", () => {
  for (const executable of ["/usr/bin/deno", "C:\\x\\Deno.exe", "bun", "/opt/bun"]) {
    for (const option of ["--settings", "--shell"]) {
      assertThrows(
        () => runList(registry, ["--hooks-json", option], { executable, exe: "" }),
        UsageError,
        `this one is "${executable}"`,
      );
    }
    assertEquals(runList(registry, ["--hooks-json"], { executable, exe: "" }), pluginHooks(registry, ""));
  }
});

Deno.test("nonzero list: a mistake is exit code 2, one line and nothing on standard output", async () => {
  const program = built ? [join(dist, `nonzero${EXE}`)] : sources;
  for (const args of MISTAKES) {
    const { code, stdout, stderr } = await run(program, { args: ["list", ...args] });
    assertEquals([code, stdout], [2, ""], args.join(" "));
    assertEquals(stderr.split("\n").length, 3, stderr);
  }
});

Deno.test("nonzero list: under deno run it prints the plugin's file, and no settings", async () => {
  const printed = await run(sources, { args: ["list", "--hooks-json"] });
  assertEquals(printed, { code: 0, stdout: pluginHooks(registry, EXE), stderr: "" });
  const refused = await run(sources, { args: ["list", "--hooks-json", "--settings"] });
  assertEquals([refused.code, refused.stdout], [2, ""]);
});

Deno.test({
  name: "nonzero list: the built program names itself, and what it names is there and judges",
  ignore: !built,
  async fn() {
    await withFolder({}, async (folder) => {
      const program = join(folder, `it's nonzero${EXE}`);
      await Deno.copyFile(join(dist, `nonzero${EXE}`), program);
      const { code, stdout } = await run([program], { args: ["-z", "list", "--hooks-json", "--settings"] });
      assertEquals(code, 0);
      const commands = handlers(stdout).filter(({ type }) => type === "command");
      assert(commands.length >= 5);
      for (const { command } of commands) assertEquals(command, program);
      const guard = commands.find(({ args }) => args?.includes("pre-tool-use"));
      const judged = await run([guard?.command ?? "", ...guard?.args ?? []], { stdin: "{}" });
      assertEquals(judged.code, 2);
      assertStringIncludes(judged.stderr, "DENY  ");
      if (Deno.build.os === "windows") return;
      const shell = await run([program], { args: ["list", "--hooks-json", "--shell"] });
      const [line] = handlers(shell.stdout);
      const refused = await run(["sh", "-c", line?.command ?? ""], { stdin: "{}" });
      assertEquals(refused.code, 2);
      assertStringIncludes(refused.stderr, "DENY  ");
    });
  },
});

Deno.test("nonzero --help: names the options of list", async () => {
  const { code, stdout } = await run(built ? [join(dist, `nonzero${EXE}`)] : sources, { args: ["--help"] });
  assertEquals(code, 0);
  for (const option of ["--markdown", "--hooks-json", "--settings", "--shell", "--no-judge"]) {
    assertStringIncludes(stdout, option);
  }
});
