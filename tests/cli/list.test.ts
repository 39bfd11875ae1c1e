import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { list, pluginHooks, runList } from "../../lib/cli/list.ts";
import { UsageError } from "../../lib/contract/entry.ts";
import { registry } from "../../toolchain/registry.ts";
import { flavours, run, withFolder } from "../black-box.ts";

const EXE = Deno.build.os === "windows" ? ".exe" : "";
const SOURCES = "deno run";

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

Deno.test("runList: --help tells every option", () => {
  const help = say("--help");
  for (const option of ["--markdown", "--hooks-json", "--settings", "--shell", "--no-judge"]) {
    assertMatch(help, new RegExp(`^  ${option} `, "m"));
  }
});

const MISTAKES: readonly (readonly string[])[] = [
  ["x"],
  ["--json"],
  ["--help", "--markdown"],
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

for (const flavour of flavours()) {
  const words = flavour.start("nonzero");
  const test = (title: string, check: () => Promise<void>) =>
    Deno.test(`nonzero list (${flavour.name}): ${title}`, check);

  test("a mistake is exit code 2, one line and nothing on standard output", async () => {
    for (const args of MISTAKES) {
      const { code, stdout, stderr } = await run(words, { args: ["list", ...args] });
      assertEquals([code, stdout], [2, ""], args.join(" "));
      assertEquals(stderr.split("\n").length, 3, stderr);
    }
  });

  test("--help is no mistake", async () => {
    const { code, stdout, stderr } = await run(words, { args: ["list", "--help"] });
    assertEquals([code, stderr], [0, ""]);
    assertStringIncludes(stdout, "Usage: nonzero list ");
  });

  test("nonzero --help names its options", async () => {
    const { code, stdout } = await run(words, { args: ["--help"] });
    assertEquals(code, 0);
    for (const option of ["--markdown", "--hooks-json", "--settings", "--shell", "--no-judge"]) {
      assertStringIncludes(stdout, option);
    }
  });

  if (flavour.name === SOURCES) {
    test("it prints the plugin's file, and no settings", async () => {
      const printed = await run(words, { args: ["list", "--hooks-json"] });
      assertEquals(printed, { code: 0, stdout: pluginHooks(registry, EXE), stderr: "" });
      const refused = await run(words, { args: ["list", "--hooks-json", "--settings"] });
      assertEquals([refused.code, refused.stdout], [2, ""]);
    });
    continue;
  }

  // Its path is the last word; those before it run it. What was built for this machine is named by way of a link.
  const [runner, path] = [words.slice(0, -1), words.at(-1) ?? ""];
  const own = runner.length === 0 ? Deno.realPathSync(path) : path;

  test("the built program names itself, and what it names is there and judges", async () => {
    const { code, stdout } = await run(words, { args: ["-z", "list", "--hooks-json", "--settings"] });
    assertEquals(code, 0);
    const commands = handlers(stdout).filter(({ type }) => type === "command");
    assert(commands.length >= 5);
    for (const { command } of commands) assertEquals(command, own);
    const guard = commands.find(({ args }) => args?.includes("pre-tool-use"));
    const judged = await run([...runner, guard?.command ?? "", ...guard?.args ?? []], { stdin: "{}" });
    assertEquals(judged.code, 2);
    assertStringIncludes(judged.stderr, "DENY  ");
  });

  test("the built program prints the plugin's file", async () => {
    const { code, stdout } = await run(words, { args: ["list", "--hooks-json"] });
    assertEquals([code, stdout], [0, pluginHooks(registry, flavour.posix ? "" : ".exe")]);
  });

  if (runner.length > 0) continue;

  test("a program with a space and a quote in its path names itself", () =>
    withFolder({}, async (folder) => {
      const program = join(folder, `it's nonzero${EXE}`);
      await Deno.copyFile(own, program);
      const { code, stdout } = await run([program], { args: ["-z", "list", "--hooks-json", "--settings"] });
      assertEquals(code, 0);
      for (const { type, command } of handlers(stdout)) {
        if (type === "command") assertEquals(command, program);
      }
      if (!flavour.posix) return;
      const shell = await run([program], { args: ["list", "--hooks-json", "--shell"] });
      const [line] = handlers(shell.stdout);
      const refused = await run(["sh", "-c", line?.command ?? ""], { stdin: "{}" });
      assertEquals(refused.code, 2);
      assertStringIncludes(refused.stderr, "DENY  ");
    }));
}
