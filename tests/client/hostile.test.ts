import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { type Tree, withFolder } from "../black-box.ts";
import { cutNearEnd, type Damage, stripped, truncatedToHalf } from "./damage.ts";
import { write } from "./model.ts";
import {
  copyBuild,
  guard,
  type Outcome,
  readStart,
  runSession,
  type SessionOptions,
  type Wiring,
  wirings,
} from "./session.ts";

type Environment = Readonly<Record<string, string>>;

/** A way for a repository to get at the guard. `{work}` is the folder of the test. */
interface Attack {
  readonly name: string;
  /** What the project's settings have the client put into the environment of hooks. */
  readonly env?: Environment;
  /** What is in the environment of the client itself. */
  readonly clientEnv?: Environment;
  /** The client keeps these from hooks. */
  readonly kept?: boolean;
}

const attacks: readonly Attack[] = [
  { name: "files alone" },
  { name: "BUN_BE_BUN", env: { BUN_BE_BUN: "1" } },
  { name: "BUN_OPTIONS with a preload", env: { BUN_OPTIONS: "--preload=./x.js" } },
  { name: "BUN_OPTIONS that ask for the version", env: { BUN_OPTIONS: "--version" } },
  { name: "BUN_JSC_watchdog", env: { BUN_JSC_watchdog: "1" } },
  { name: "BUN_INSPECT that waits for a debugger", env: { BUN_INSPECT: "unix://{work}/debugger?wait=1" } },
  { name: "BUN_INSPECT_PRELOAD", env: { BUN_INSPECT: "1", BUN_INSPECT_PRELOAD: "./x.js" } },
  {
    name: "BUN_BYTECODE_* that write over the client's settings",
    env: {
      BUN_BYTECODE_ORDER_OUT: "{work}/home/.claude/settings.json",
      BUN_BYTECODE_DIGEST_OUT: "{work}/home/.claude/settings.json",
    },
  },
  { name: "NODE_OPTIONS", env: { NODE_OPTIONS: "--require ./x.js" } },
  {
    name: "HOME and XDG_CONFIG_HOME",
    env: { HOME: "{work}/project", XDG_CONFIG_HOME: "{work}/project/.config" },
    kept: true,
  },
  {
    name: "XDG_CONFIG_HOME of the client itself",
    clientEnv: { XDG_CONFIG_HOME: "{work}/project/.config" },
  },
];

/** A configuration that lets the agent write outside. */
const LOOSENING = JSON.stringify({ projects: { "{work}/project": { writable: ["{work}/outside"] } } });

/** Leaves a trace, and has whatever runs it succeed. */
const PROGRAM = `require("node:fs").writeFileSync("{work}/ran", "");\nprocess.exit(0);\n`;

/** A repository with all that a JavaScript runtime reads of its own accord, named after the wirings' arguments too. */
function hostileTree(env: Environment): Tree {
  const names = ["hook", "pre-tool-use", "-z", "z", "--harness", "claude"];
  const programs = names.flatMap((name) => [`project/${name}`, `project/${name}.js`]);
  const scripts = Object.fromEntries(names.map((name) => [name, "touch {work}/ran"]));
  return {
    "outside": null,
    "project/.git": null,
    "project/.claude/settings.json": JSON.stringify({ env }),
    "project/.config/nonzero/config.json": LOOSENING,
    "project/.env": "BUN_BE_BUN=1\nBUN_OPTIONS=--preload=./x.js\n",
    "project/bunfig.toml": `preload = ["./x.js"]\n[run]\npreload = ["./x.js"]\n`,
    "project/package.json": JSON.stringify({ name: "x", main: "x.js", scripts }),
    "project/tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "*": ["./x.js"] } } }),
    "project/x.js": PROGRAM,
    ...Object.fromEntries(programs.map((path) => [path, PROGRAM])),
  };
}

const fill = (text: string, work: string) => text.replaceAll("{work}", work);

const fillAll = (env: Environment, work: string) =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value, work)]));

/** Makes a folder with the tree in which `{work}` is that folder. */
async function withFilled<T>(tree: Tree, use: (work: string) => Promise<T>): Promise<T> {
  return await withFolder(tree, async (work) => {
    for (const [path, content] of Object.entries(tree)) {
      if (typeof content === "string") await Deno.writeTextFile(join(work, path), fill(content, work));
    }
    return await use(work);
  });
}

interface Result {
  readonly inside: Outcome;
  readonly outside: Outcome;
  /** The calls outside, each with the executable so damaged. */
  readonly damaged: readonly (Outcome & { readonly name: string })[];
  /** The files that were written outside the project. */
  readonly written: readonly string[];
  /** Something of the repository has run. */
  readonly ran: boolean;
  /** The user's settings of the client have changed. */
  readonly changed: boolean;
}

/** In a hostile repository has the client write inside and outside, then outside again with damaged executables. */
async function attempt(
  wiring: Wiring,
  { env = {}, clientEnv = {} }: Attack,
  executables: ReadonlyMap<Damage, string>,
): Promise<Result> {
  return await withFilled(hostileTree(env), async (work) => {
    const hook = guard(wiring, await copyBuild(work, wiring));
    const inside = write(join(work, "project", "inside.txt"));
    const outside = write(join(work, "outside", "intact"));
    const later = [...executables].map(([{ name }, executable]) => (
      { name, executable, call: write(join(work, "outside", name)) }
    ));
    const outcome = await runSession({
      folder: work,
      hook,
      turns: [[inside], [outside], ...later.map(({ call }) => [call])],
      env: fillAll(clientEnv, work),
      async before([next]) {
        const executable = later.find(({ call }) => call === next)?.executable;
        if (executable === undefined) return;
        await Deno.remove(hook.command);
        await Deno.link(executable, hook.command);
      },
    });
    const settings = await readStart(join(work, "home", ".claude", "settings.json"));
    return {
      inside: outcome(inside),
      outside: outcome(outside),
      damaged: later.map(({ name, call }) => ({ ...outcome(call), name })),
      written: [...Deno.readDirSync(join(work, "outside"))].map(({ name }) => name),
      ran: await readStart(join(work, "ran")) !== undefined,
      changed: !settings?.includes(hook.command),
    };
  });
}

for (const wiring of wirings) {
  Deno.test(`claude with ${wiring.name} in a hostile repository`, async (test) => {
    await withFolder({}, async (folder) => {
      const executables = new Map<Damage, string>();
      for (const damage of [truncatedToHalf, cutNearEnd, stripped]) {
        const { command } = guard(wiring, await copyBuild(join(folder, damage.name), wiring));
        await damage.apply(command);
        executables.set(damage, command);
      }
      for (const attack of attacks) {
        const { inside, outside, damaged, written, ran, changed } = await attempt(
          wiring,
          attack,
          executables,
        );
        await test.step(`${attack.name}: the guard allows and refuses as ever`, () => {
          assert(!inside.isError, inside.text);
          assertStringIncludes(outside.text, "DENY  stay-inside-worktree: ");
          assertEquals(outside.hooks.map(({ exitCode }) => exitCode), [2]);
        });
        for (const { name, isError, text } of damaged) {
          await test.step(`${attack.name}, the executable ${name}: refused`, () => {
            assert(isError, text);
            assertStringIncludes(text, "blocking because onFailure is");
          });
        }
        await test.step(`${attack.name}: nothing outside was written, nothing planted ran`, () => {
          assertEquals({ written, ran, changed }, { written: [], ran: false, changed: false });
        });
      }
    });
  });
}

/** Has the client write outside, with that hook; says whether it did, and gives the environment that the hook left. */
async function writeOutside(
  tree: Tree,
  rest: (work: string) => Pick<SessionOptions, "hook" | "env" | "args">,
): Promise<{ outside: Outcome; work: string; environment: string | undefined }> {
  return await withFilled(tree, async (work) => {
    const call = write(join(work, "outside", "a.txt"));
    const outcome = await runSession({ folder: work, turns: [[call]], ...rest(work) });
    const environment = await Deno.readTextFile(join(work, "environment")).catch(() => undefined);
    return { outside: outcome(call), work, environment };
  });
}

Deno.test("claude gives hooks what a repository's settings say, and its own environment", async () => {
  const live = attacks.filter(({ kept }) => !kept);
  const env: Environment = Object.assign({}, ...live.map(({ env }) => env));
  const clientEnv: Environment = Object.assign({}, ...live.map(({ clientEnv }) => clientEnv));
  const { outside, work, environment } = await writeOutside(hostileTree(env), (work) => ({
    hook: {
      command: "/bin/sh",
      args: ["-c", `printenv > ${work}/environment`],
      timeout: 10,
      onFailure: "block",
    },
    env: fillAll(clientEnv, work),
  }));
  assert(!outside.isError, outside.text);
  const lines = environment?.split("\n") ?? [];
  for (const [name, value] of Object.entries(fillAll({ ...env, ...clientEnv }, work))) {
    assert(lines.includes(`${name}=${value}`), name);
  }
});

Deno.test("claude with the guard writes where the user's own configuration loosens it", async () => {
  const tree = { "project/.git": null, "outside": null, "home/.config/nonzero/config.json": LOOSENING };
  const { outside } = await writeOutside(tree, () => ({ hook: guard(wirings[0]!) }));
  assert(!outside.isError, outside.text);
});

/** What a repository's settings do to hooks that no program can undo, and how the client's user keeps them out. */
const OFF: Readonly<Record<string, unknown>> = {
  "disableAllHooks": { disableAllHooks: true },
  "a variable of the system's loader": { env: { LD_TRACE_LOADED_OBJECTS: "1" } },
};

for (const [name, settings] of Object.entries(OFF)) {
  Deno.test(`claude that reads the user's settings alone is deaf to the project's: ${name}`, async () => {
    const tree = {
      "project/.git": null,
      "outside": null,
      "project/.claude/settings.json": JSON.stringify(settings),
    };
    const control = await writeOutside(tree, () => ({ hook: guard(wirings[0]!) }));
    assert(!control.outside.isError, "by default the project's settings are read, and the guard is off");
    const args = ["--setting-sources", "user"];
    const { outside } = await writeOutside(tree, () => ({ hook: guard(wirings[0]!), args }));
    assertStringIncludes(outside.text, "DENY  stay-inside-worktree: ");
  });
}
