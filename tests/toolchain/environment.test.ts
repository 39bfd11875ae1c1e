/** What an agent's project can set or plant must not change the verdict of a built guard. */
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { getRuntime } from "../../toolchain/runtime.ts";
import { findTarget } from "../../toolchain/targets.ts";
import { ROOT, withFolder } from "../black-box.ts";

const GUARD = join(ROOT, "dist/host/hooks", `pre-tool-use${findTarget("host").exe}`);

/** A program that says it was here, and allows. */
const INTRUDER = 'require("fs").writeFileSync("intruded", ""); console.log("allow"); process.exit(0);\n';

const HOSTILE: Readonly<Record<string, string>> = {
  "x.js": INTRUDER,
  ".env": "BUN_OPTIONS=--preload=./x.js\nBUN_BE_BUN=1\nHOME=/nowhere\n",
  "bunfig.toml": 'preload = ["./x.js"]\n[run]\npreload = ["./x.js"]\n',
  "package.json": JSON.stringify({
    main: "./x.js",
    scripts: {
      "hook": "true",
      "pre-tool-use": "true",
      "-z": "true",
      "--harness": "true",
      "preinstall": "true",
    },
  }),
  "tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "*": ["./x.js"] } } }),
  "node_modules/zod/package.json": JSON.stringify({ name: "zod", main: "../../x.js" }),
};

interface Answer {
  readonly code: number;
  readonly stdout: string;
}

/** Asks the guard about a write inside, or outside, of the folder that it runs in; one that hangs is killed. */
async function ask(folder: string, verdict: "allow" | "deny", env: Record<string, string>): Promise<Answer> {
  const event = { target: verdict === "allow" ? "a.txt" : "../a.txt", cwd: folder, payload: { text: "b" } };
  const child = new Deno.Command(GUARD, {
    args: [],
    cwd: folder,
    clearEnv: true,
    env: { HOME: join(folder, "..", "home"), USERPROFILE: join(folder, "..", "home"), ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
    signal: AbortSignal.timeout(20_000),
  }).spawn();
  const writer = child.stdin.getWriter();
  const feed = writer.write(new TextEncoder().encode(JSON.stringify(event))).then(() => writer.close());
  const [{ code, stdout }] = await Promise.all([child.output(), feed.catch(() => {})]);
  return { code, stdout: new TextDecoder().decode(stdout) };
}

const ALLOWED: Answer = { code: 0, stdout: "allow\n" };
const DENIED: Answer = { code: 2, stdout: "deny\n" };

const listing = async (folder: string) =>
  (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();

/** Makes a worktree in which everything is planted that a runtime might load. */
async function withHostileFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const tree = Object.fromEntries(
    Object.entries(HOSTILE).map(([path, content]) => [`work/${path}`, content]),
  );
  await withFolder(tree, (folder) => use(join(folder, "work")));
}

async function checkVerdicts(env: Record<string, string>): Promise<void> {
  await withHostileFolder(async (folder) => {
    const before = await listing(folder);
    assertEquals(await ask(folder, "deny", env), DENIED);
    assertEquals(await ask(folder, "allow", env), ALLOWED);
    assertEquals(await listing(folder), before);
  });
}

Deno.test("pre-tool-use: planted .env, bunfig.toml, package.json, tsconfig.json, node_modules have no effect", () =>
  checkVerdicts({}));

for (
  const [name, value] of [
    ["BUN_BE_BUN", "1"],
    ["BUN_OPTIONS", "--preload=./x.js"],
    ["BUN_OPTIONS", "--version"],
    ["BUN_JSC_watchdog", "1"],
    ["BUN_JSC_useJIT", "0"],
    ["BUN_INSPECT", "ws://127.0.0.1:0/x?wait=1"],
    ["BUN_INSPECT", "./x.js"],
    ["BUN_BYTECODE_ORDER_OUT", "intruded"],
    ["BUN_BYTECODE_DIGEST_OUT", "intruded"],
    ["JSC_SIGNAL_FOR_GC", "0"],
    ["SIMDUTF_FORCE_IMPLEMENTATION", "x"],
    ["MIMALLOC_DISALLOW_OS_ALLOC", "1"],
    ["NODE_OPTIONS", "--require=./x.js"],
    ["", "1"],
  ] as const
) {
  Deno.test(`pre-tool-use: ${name}=${value} has no effect`, () => checkVerdicts({ [name]: value }));
}

/** Every name in the runtime that reads as a variable's, with those that it puts together itself. */
async function variableNames(): Promise<string[]> {
  const { compiler } = JSON.parse(await Deno.readTextFile(join(ROOT, "dist/host/BUILD.json")));
  const runtime = await Deno.readFile((await getRuntime(findTarget("host"), compiler.name)).path);
  const text = new TextDecoder("latin1").decode(runtime);
  const found =
    text.match(/(?:BUN|DENO|NODE|JSC|UV|MIMALLOC|OTEL|RUST|WTF|SIMDUTF|ICU)_[A-Za-z0-9_]{2,60}/g) ?? [];
  const options = found.filter((name) => name.startsWith("JSC_")).map((name) => `BUN_${name}`);
  const allocator = [
    "DISALLOW_OS_ALLOC",
    "LIMIT_OS_ALLOC",
    "VERBOSE",
    "SHOW_STATS",
    "SHOW_ERRORS",
    "RESERVE_OS_MEMORY",
  ];
  return [...new Set([...found, ...options, ...allocator.map((name) => `MIMALLOC_${name}`)])].sort();
}

Deno.test("pre-tool-use: no variable that its runtime knows turns a refusal into something else", async () => {
  const names = await variableNames();
  assert(names.length > 500, `only ${names.length} names found`);
  await withHostileFolder(async (folder) => {
    const before = await listing(folder);
    /** The names, of these, that have an effect. */
    const effective = async (some: readonly string[], value: string): Promise<string[]> => {
      const { code, stdout } = await ask(
        folder,
        "deny",
        Object.fromEntries(some.map((name) => [name, value])),
      );
      if (code === DENIED.code && stdout === DENIED.stdout) return [];
      if (some.length === 1) return [`${some[0]}=${value}: exit code ${code}, ${JSON.stringify(stdout)}`];
      const half = some.length >> 1;
      return [...await effective(some.slice(0, half), value), ...await effective(some.slice(half), value)];
    };
    for (const value of ["1", "0", "true", "./x.js", "--preload=./x.js", "./missing", "-1", "99999999999"]) {
      for (let at = 0; at < names.length; at += 100) {
        assertEquals(await effective(names.slice(at, at + 100), value), []);
      }
      assertEquals(await listing(folder), before, value);
    }
  });
});
