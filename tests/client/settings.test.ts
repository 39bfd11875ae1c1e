import { assertEquals } from "@std/assert";
import { join, relative } from "@std/path";
import { CHECKED_KEYS, unreadable } from "../../lib/harness/claude-settings-shape.ts";
import { withFolder } from "../black-box.ts";
import { write } from "./model.ts";
import { environment, findClient, guard, playSession, wirings } from "./session.ts";

/** One of each kind, of which hardly any key takes more than a few. */
const VALUES: readonly unknown[] = [
  ...[null, true, 5, 0, -1, 1.5, "x", "", [], [5], ["x"], {}, { x: 5 }, { x: "x" }, { x: {} }],
];

/** What the client says of the user's settings when it is asked for no more than that. */
async function ask(
  folder: string,
  settings: unknown,
  args: readonly string[],
  cwd: string = folder,
): Promise<string> {
  await Deno.mkdir(join(folder, "home", ".claude"), { recursive: true });
  await Deno.mkdir(join(folder, "tmp"), { recursive: true });
  await Deno.writeTextFile(join(folder, "home", ".claude", "settings.json"), JSON.stringify(settings));
  const { stdout, stderr } = await new Deno.Command(findClient(), {
    args: [...args],
    cwd,
    clearEnv: true,
    // A closed port: it is not to get as far as asking a model.
    env: { ...environment(folder, "http://127.0.0.1:9"), ANTHROPIC_API_KEY: "" },
    stdin: "null",
  }).output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

/** The keys that the client finds wrong, so that it drops the file. */
function wrongKeys(said: string): string[] {
  const lines = [...said.matchAll(/settings\.json › ([\w$]+)[^:]*: (.*)/g)];
  return lines.filter(([, , why = ""]) => !/ignored|honored|skipped|removed/.test(why)).map(([, key = ""]) =>
    key
  );
}

/** At `hooks` the client passes over what is no object; no hooks are read from it all the same. */
const KEYS = CHECKED_KEYS.filter((key) => key !== "hooks");

for (const value of VALUES) {
  Deno.test(`the client takes ${JSON.stringify(value)} for the same keys`, async () => {
    await withFolder({}, async (folder) => {
      const said = await ask(folder, Object.fromEntries(KEYS.map((key) => [key, value])), ["doctor"]);
      assertEquals(
        [...new Set(wrongKeys(said))].sort(),
        KEYS.filter((key) => unreadable({ [key]: value })).sort(),
      );
    });
  });
}

const handler = { type: "command", command: "/bin/true", args: [] };
const before = (entry: unknown) => ({ hooks: { PreToolUse: [{ hooks: [handler, entry] }] } });

/** One at a time, told by whether the client says that the file is not loaded. */
const SETTINGS: readonly unknown[] = [
  { permissions: { allow: 5 } },
  { permissions: { allow: [5] } },
  { permissions: { deny: ["Bash("] } },
  { permissions: { defaultMode: "foo" } },
  { cleanupPeriodDays: 0 },
  { statusLine: { type: "command" } },
  { sandbox: { enabled: "x" } },
  { sandbox: { unknown: 5 } },
  { attribution: { commit: 5 } },
  { enabledPlugins: { "a@b": {} } },
  { env: { A: null } },
  { theme: 5, unknown: 5 },
  { hooks: { Stop: 5 } },
  { hooks: { PreToolUse: {} } },
  before(handler),
  before({ ...handler, unknown: 5 }),
  before({ ...handler, timeout: 0 }),
  before({ type: "prompt" }),
  before({ type: "unknown" }),
  before({ type: "agent", prompt: "x" }),
  before({ type: "http", url: "x" }),
];

for (const settings of SETTINGS) {
  const isRead = unreadable(settings) === undefined;
  Deno.test(`the client ${isRead ? "reads" : "drops"} ${JSON.stringify(settings)}`, async () => {
    await withFolder({}, async (folder) => {
      const said = await ask(folder, settings, ["-p", "x"]);
      assertEquals(!said.includes("These settings did not load"), isRead, said);
    });
  });
}

/** The settings files that the client reads where it is started in a folder: it names each, since all are wrong. */
async function readIn(folder: string, cwd: string): Promise<string[]> {
  const said = await ask(folder, {}, ["doctor"], cwd);
  const files = [...said.matchAll(/(\/\S+settings\S*\.json) ›/g)].map(([, file = ""]) =>
    relative(folder, file)
  );
  return [...new Set(files)].sort();
}

const WRONG = JSON.stringify({ language: 5 });

function settingsIn(...folders: readonly string[]): Record<string, string> {
  const names = ["settings.json", "settings.local.json"];
  return Object.fromEntries(
    folders.flatMap((folder) => names.map((name) => [`${folder}/.claude/${name}`, WRONG])),
  );
}

Deno.test("the client reads its own folder's settings, and the local ones of the worktree around it", async () => {
  const tree = { "p/.git": null, ...settingsIn(".", "p", "p/mid", "p/mid/sub") };
  await withFolder(tree, async (folder) => {
    assertEquals(await readIn(folder, join(folder, "p", "mid", "sub")), [
      "p/.claude/settings.local.json",
      "p/mid/sub/.claude/settings.json",
      "p/mid/sub/.claude/settings.local.json",
    ]);
  });
});

Deno.test("the client reads the local settings of the worktree that another one was made from", async () => {
  await withFolder({ "p/keep": "" }, async (folder) => {
    const git = async (...args: readonly string[]) => {
      const names = ["-c", "user.name=a", "-c", "user.email=a@b"];
      const { success } = await new Deno.Command("git", { args: [...names, ...args], cwd: join(folder, "p") })
        .output();
      assertEquals(success, true, args.join(" "));
    };
    await git("init", "--quiet");
    await git("commit", "--quiet", "--allow-empty", "-m", "x");
    await git("worktree", "add", "--quiet", "../added");
    for (const [path, text] of Object.entries(settingsIn("p", "added"))) {
      await Deno.mkdir(join(folder, path, ".."), { recursive: true });
      await Deno.writeTextFile(join(folder, path), text);
    }
    assertEquals(await readIn(folder, join(folder, "added")), [
      "added/.claude/settings.json",
      "added/.claude/settings.local.json",
      "p/.claude/settings.local.json",
    ]);
  });
});

/** Whether the guard runs where a variable is given to the client, by the user's settings or by the project's. */
async function runsWith(env: Record<string, string>, by: "client" | "user" | "project"): Promise<boolean> {
  const wiring = wirings[0];
  if (!wiring) throw new Error("there is no wiring");
  const hooks = { PreToolUse: [{ hooks: [{ type: "command", ...guard(wiring) }] }] };
  const tree = {
    "project/.git": null,
    "project/.claude/settings.json": JSON.stringify(by === "project" ? { env } : {}),
  };
  return await withFolder(tree, async (folder) => {
    const call = write(join(folder, "outside.txt"), "x");
    const session = await playSession({
      folder,
      settings: by === "user" ? { hooks, env } : { hooks },
      turns: [[call], []],
      env: by === "client" ? env : {},
    });
    return session.outcome(call).hooks.length > 0;
  });
}

for (const name of ["CLAUDE_CODE_SAFE_MODE", "CLAUDE_CODE_SIMPLE"]) {
  Deno.test(`the client runs no hook with ${name}, unless the project sets it or it is off`, async () => {
    assertEquals(await runsWith({ [name]: "1" }, "client"), false);
    assertEquals(await runsWith({ [name]: "1" }, "user"), false);
    assertEquals(await runsWith({ [name]: "1" }, "project"), true);
    assertEquals(await runsWith({ [name]: "0" }, "client"), true);
  });
}
