import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { CHECKED_KEYS, unreadable } from "../../lib/harness/claude-settings-shape.ts";
import { withFolder } from "../black-box.ts";
import { environment, findClient } from "./session.ts";

/** One of each kind, of which hardly any key takes more than a few. */
const VALUES: readonly unknown[] = [
  ...[null, true, 5, 0, -1, 1.5, "x", "", [], [5], ["x"], {}, { x: 5 }, { x: "x" }, { x: {} }],
];

/** What the client says of the user's settings when it is asked for no more than that. */
async function ask(folder: string, settings: unknown, ...args: readonly string[]): Promise<string> {
  await Deno.mkdir(join(folder, "home", ".claude"), { recursive: true });
  await Deno.mkdir(join(folder, "tmp"), { recursive: true });
  await Deno.writeTextFile(join(folder, "home", ".claude", "settings.json"), JSON.stringify(settings));
  const { stdout, stderr } = await new Deno.Command(findClient(), {
    args: [...args],
    cwd: folder,
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
      const said = await ask(folder, Object.fromEntries(KEYS.map((key) => [key, value])), "doctor");
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
      const said = await ask(folder, settings, "-p", "x");
      assertEquals(!said.includes("These settings did not load"), isRead, said);
    });
  });
}
