/** Each way to bring all hooks into the real client: a plugin's folder, an installed plugin, the user's settings. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { sessionStart } from "../../hooks/session-start.ts";
import { run, type Tree, withFolder } from "../black-box.ts";
import { write } from "./model.ts";
import { DIST, environment, findClient, playSession, PROGRAM, type SessionOptions } from "./session.ts";

const PLUGIN = join(DIST, "plugin");
const TREE: Tree = { "project/.git": null, "outside": null };
const CLAIM = "The login is done.";

/** The text that a session starts with. */
const DOCTRINE = "says" in sessionStart ? sessionStart.says([]) ?? "" : "";

type Wired = Pick<SessionOptions, "settings" | "args">;

/** Runs the client's own commands. */
async function claude(folder: string, ...args: readonly string[]) {
  const env = environment(folder, "http://127.0.0.1:9");
  return await run([
    "env",
    "-i",
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    findClient(),
  ], {
    args,
    cwd: folder,
  });
}

async function install(folder: string): Promise<Wired> {
  const market = join(folder, "market");
  await Deno.mkdir(join(market, ".claude-plugin"), { recursive: true });
  await Deno.mkdir(join(folder, "tmp"), { recursive: true });
  const plugins = [{ name: "nonzero", source: "./plugin", description: "the plugin under test" }];
  await Deno.writeTextFile(
    join(market, ".claude-plugin", "marketplace.json"),
    JSON.stringify({ name: "here", description: "of this test", owner: { name: "nobody" }, plugins }),
  );
  await copy(PLUGIN, join(market, "plugin"));
  for (const args of [["marketplace", "add", market], ["install", "nonzero@here"]]) {
    const { code, stdout, stderr } = await claude(folder, "plugin", ...args);
    assertEquals(code, 0, stdout + stderr);
  }
  return { settings: JSON.parse(await Deno.readTextFile(join(folder, "home/.claude/settings.json"))) };
}

async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copy(join(from, name), join(to, name));
    else await Deno.copyFile(join(from, name), join(to, name));
  }
}

interface Settings {
  readonly hooks: Readonly<Record<string, readonly unknown[]>>;
}

/** What the program prints for the user's settings, beside what stands in them. */
async function merge(): Promise<Wired> {
  const { code, stdout } = await run([PROGRAM], { args: ["list", "--hooks-json", "--settings"] });
  assertEquals(code, 0);
  const printed: Settings = JSON.parse(stdout);
  const own = [{ matcher: "Write", hooks: [{ type: "command", command: "true" }] }];
  const hooks = { ...printed.hooks, PreToolUse: [...own, ...printed.hooks.PreToolUse ?? []] };
  return { settings: { includeCoAuthoredBy: false, hooks } };
}

const WAYS: Readonly<Record<string, (folder: string) => Promise<Wired>>> = {
  "by --plugin-dir": () => Promise.resolve({ settings: {}, args: ["--plugin-dir", PLUGIN] }),
  "installed": install,
  "in the user's settings": merge,
};

async function playAll(wire: (folder: string) => Promise<Wired>) {
  return await withFolder(TREE, async (folder) => {
    const [outside, inside] = ["outside", "project"].map((name) => write(join(folder, name, "new.txt")));
    assert(outside && inside);
    const session = await playSession({
      folder,
      ...await wire(folder),
      turns: [[outside], [inside], CLAIM, "UNVERIFIED: the login was not tried."],
    });
    const written = await Promise.all(
      [outside, inside].map(({ input }) => Deno.stat(String(input.file_path)).then(() => true, () => false)),
    );
    return { session, written, refusal: session.outcome(outside) };
  });
}

for (const [name, wire] of Object.entries(WAYS)) {
  Deno.test(`claude with all hooks, ${name}: refuses a write outside, starts with the doctrine, and proves the end`, async () => {
    const { session, written, refusal } = await playAll(wire);
    assertEquals(written, [false, true]);
    assertStringIncludes(refusal.text, "DENY  stay-inside-worktree: ");
    assert(session.hooks("PreToolUse").some(({ exitCode }) => exitCode === 2));
    const turns = session.asked.filter(({ kind }) => kind === "turn");
    assertStringIncludes(turns[0]?.text ?? "", DOCTRINE);
    assertEquals(session.hooks("Stop").map(({ stdout }) => stdout.includes('"decision":"block"')), [
      true,
      false,
    ]);
    assertStringIncludes(turns[3]?.last ?? "", "stop-guard:");
    assertEquals(turns.length, 4);
    assertEquals(session.asked.filter(({ kind }) => kind === "verdict").length, 2);
    assertEquals(session.hooks("InstructionsLoaded").filter(({ exitCode }) => exitCode !== 0), []);
  });
}

Deno.test("claude without the hooks writes outside, knows no doctrine and takes the claim", async () => {
  const { session, written } = await playAll(() => Promise.resolve({ settings: {} }));
  assertEquals(written, [true, true]);
  assert(!session.asked.some(({ text }) => text.includes(DOCTRINE)));
  assertEquals(session.asked.filter(({ kind }) => kind === "turn").length, 3);
});

Deno.test("claude with the plugin: offers its commands", async () => {
  const files = await Array.fromAsync(Deno.readDir(join(PLUGIN, "commands"))).catch(() => []);
  const wanted = files.map((file) => `nonzero:${file.name.replace(/\.md$/, "")}`).sort();
  for (const way of ["by --plugin-dir", "installed"]) {
    const { session } = await playAll(WAYS[way]!);
    assertEquals(session.commands.filter((name) => name.startsWith("nonzero:")).sort(), wanted, way);
  }
});

Deno.test("claude plugin validate --strict: takes the plugin, and notices what is wrong with one", async () => {
  await withFolder({ "tmp": null }, async (folder) => {
    const validate = async (path: string) =>
      (await claude(folder, "plugin", "validate", "--strict", path)).code;
    assertEquals(await validate(PLUGIN), 0);
    const broken = join(folder, "broken");
    await copy(PLUGIN, broken);
    assertEquals(await validate(broken), 0);
    const hooks = join(broken, "hooks/hooks.json");
    const text = await Deno.readTextFile(hooks);
    await Deno.writeTextFile(hooks, text.replace('"PreToolUse"', '"PreToolUze"'));
    assert(await validate(broken) !== 0, "an event that there is not");
    await Deno.writeTextFile(hooks, text.replace('"command":', '"comand":'));
    assert(await validate(broken) !== 0, "a handler without its command");
    await Deno.writeTextFile(hooks, text);
    const manifest = join(broken, ".claude-plugin/plugin.json");
    await Deno.writeTextFile(manifest, (await Deno.readTextFile(manifest)).replace('"version"', '"vesion"'));
    assert(await validate(broken) !== 0, "a key that there is not");
  });
});
