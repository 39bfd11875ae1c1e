/**
 * Sends the calls that a guard must judge, and the ways in which it can be broken, through the built executables, and
 * writes what came of each to artifacts/hooks.json. For Linux and macOS.
 */
import { dirname, join } from "@std/path";
import { preToolUse } from "../hooks/pre-tool-use.ts";
import { registry } from "./registry.ts";
import { bundle, compileWithBun, makeWorkFolder } from "./compile.ts";
import { type BuildRecord, digest, dist } from "./dist.ts";
import { denoFlags } from "./permissions.ts";
import { root } from "./root.ts";
import { getRuntime } from "./runtime.ts";
import { prepare, runToEnd, StartError } from "./spawn.ts";
import { findTarget } from "./targets.ts";

type Decision = "allow" | "deny";

/** What has to come of a case. */
export interface Expected {
  /** `cannot start`: the system does not run it; by a wiring's `onFailure: block` that refuses as any code but 0 does. */
  readonly exit: number | "not 0" | "cannot start";
  readonly decision: Decision;
  /** The rules that refuse; where it is given, the guard must also say its decision itself. */
  readonly rules?: readonly string[];
}

/** What came of a case. */
export interface Outcome {
  readonly exit: number | "cannot start";
  /** By the contract: exit code 0 allows, all else denies. */
  readonly decision: Decision;
  /** The word on standard output. */
  readonly said: string;
  /** What is named on standard error as refusing. */
  readonly rules: readonly string[];
  readonly milliseconds: number;
  /** The SHA-256 of the executable that was run; null where there was none. */
  readonly executable: string | null;
}

export interface Row {
  readonly case: string;
  readonly expected: Expected;
  readonly outcome: Outcome | { readonly problem: string };
}

/** Whether what came of a case is what has to. A case that could not be tried has not come out. */
export function isAsExpected({ expected, outcome }: Row): boolean {
  if ("problem" in outcome || outcome.decision !== expected.decision) {
    return false;
  }
  const exit = expected.exit === "not 0" ? outcome.exit !== 0 : outcome.exit === expected.exit;
  if (!expected.rules) return exit;
  return exit && outcome.said === expected.decision &&
    outcome.rules.join() === expected.rules.join();
}

/** One line for each case, in columns. */
export function report(rows: readonly Row[]): string {
  const cells = rows.map((row) => {
    const { outcome } = row;
    const verdict = isAsExpected(row) ? "ok" : "FAIL";
    if ("problem" in outcome) {
      return [verdict, row.case, outcome.problem, "", ""];
    }
    const exit = typeof outcome.exit === "number" ? `exit ${outcome.exit}` : outcome.exit;
    return [
      verdict,
      row.case,
      exit,
      outcome.decision,
      `${Math.round(outcome.milliseconds)} ms`,
    ];
  });
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  return cells.map((row) =>
    row.map((cell, at) => at === 4 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)).join("  ")
      .trimEnd()
  ).join("\n");
}

/** How a wiring calls the guard: its place below dist/<target>, and the arguments. */
interface Wiring {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

const OWN: Wiring = {
  name: "its own executable",
  program: `hooks/${preToolUse.name}`,
  args: ["-z", "--harness", "native"],
};
const ONE: Wiring = {
  name: "the one program",
  program: "nonzero",
  args: ["-z", "hook", preToolUse.name, "--harness", "native"],
};

const HOST = join(dist, "host");

/** A folder that an agent has prepared: scripts named as our arguments are, and what Bun loads by itself. */
const HOSTILE: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({
    scripts: Object.fromEntries(
      [...OWN.args, ...ONE.args].map((name) => [name, "exit 0"]),
    ),
  }),
  "bunfig.toml": 'preload = ["./allow.js"]\n',
  ".env": "BUN_BE_BUN=1\nBUN_OPTIONS=--preload=./allow.js\n",
  "allow.js": "process.exit(0);\n",
};

/** How long a program may take before it is killed, in milliseconds. */
const LIMIT = 10_000;

/**
 * Runs a program as an agent does: by its path and a list of arguments. Nothing but the system starts it: no shell is
 * given a file that is no program.
 *
 * @param executable The file whose digest is told, if it is not the first word.
 * @param signal The number of what kills it while it waits for the rest of its input.
 */
async function run(
  words: readonly string[],
  { cwd, input, executable = words[0] ?? "", signal }: {
    cwd: string;
    input: string;
    executable?: string;
    signal?: number;
  },
): Promise<Outcome> {
  const folder = dirname(cwd);
  const output = {
    stdout: join(folder, "stdout"),
    stderr: join(folder, "stderr"),
  };
  for (const file of Object.values(output)) await Deno.writeTextFile(file, "");
  const kept = ["PATH", "DENO_DIR"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  const program = prepare(words, {
    ...Object.fromEntries(kept),
    HOME: join(folder, "home"),
  }, output);
  const bytes = new TextEncoder().encode(input);
  const sum = await digest(executable).catch(() => null);
  // A program that is started begins where this one is.
  const before = Deno.cwd();
  Deno.chdir(cwd);
  const start = performance.now();
  let exit: Outcome["exit"];
  try {
    exit = runToEnd(program, bytes, { limit: LIMIT, signal });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    exit = "cannot start";
  } finally {
    Deno.chdir(before);
  }
  const milliseconds = Math.round(10 * (performance.now() - start)) / 10;
  const reasons = (await Deno.readTextFile(output.stderr)).matchAll(
    /^DENY {2}([a-z-]+): /gm,
  );
  return {
    exit,
    decision: exit === 0 ? "allow" : "deny",
    said: (await Deno.readTextFile(output.stdout)).trim().slice(0, 100),
    rules: [...new Set([...reasons].map(([, rule = ""]) => rule))],
    milliseconds,
    executable: sum,
  };
}

/** A fresh folder for the agent to work in, with a home beside it, removed after use. */
async function inFolder<T>(
  files: Readonly<Record<string, string>>,
  use: (cwd: string) => Promise<T>,
): Promise<T> {
  const parent = join(root, ".cache");
  await Deno.mkdir(parent, { recursive: true });
  const folder = await Deno.makeTempDir({ dir: parent, prefix: "receipt-" });
  try {
    const cwd = join(folder, "work");
    for (const path of [cwd, join(folder, "home")]) await Deno.mkdir(path);
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(cwd, name), text);
    }
    return await use(cwd);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A call whose payload is a whole record, with what a case changes of it. */
function event(
  changes: Readonly<Record<string, unknown>>,
): (cwd: string) => string {
  const payload = {
    fields: { total: { value: 1, page: 4 } },
    extraction: { unreadable: [] },
  };
  return (cwd) => JSON.stringify({ target: "out/record.json", cwd, payload, ...changes });
}

const CLEAN = event({});
const UNREADABLE = event({
  payload: {
    fields: { reserveTotalUsd: { value: 1, page: 4 } },
    extraction: { unreadable: ["reserveTotalUsd"] },
  },
});

interface Path {
  readonly case: string;
  readonly input: (cwd: string) => string;
  readonly rules: readonly string[];
}

/** The paths through the guard. */
const PATHS: readonly Path[] = [
  { case: "clean write", input: CLEAN, rules: [] },
  {
    case: "field published while listed unreadable",
    input: UNREADABLE,
    rules: ["unread-fields"],
  },
  {
    case: "field published with no page citation",
    input: event({
      payload: {
        fields: { total: { value: 1 } },
        extraction: { unreadable: [] },
      },
    }),
    rules: ["unread-fields"],
  },
  {
    case: "payload cannot say what it failed to read",
    input: event({ payload: { fields: { total: { value: 1, page: 4 } } } }),
    rules: ["unread-fields"],
  },
  {
    case: "write escapes the worktree",
    input: event({ target: "../elsewhere/record.json" }),
    rules: ["stay-inside-worktree"],
  },
  {
    case: "credential in the payload",
    // In two pieces, lest this file hold one.
    input: event({ payload: { note: `AKIA${"Z7Q4M2XK5T3PW6RB"}` } }),
    rules: ["no-secrets-written"],
  },
  {
    case: "over declared budget",
    input: event({ budget: { limit: 100, spent: 90, estimate: 11 } }),
    rules: ["within-budget"],
  },
  { case: "unparseable input", input: () => "{", rules: ["event"] },
];

async function tryPath(path: Path): Promise<Row> {
  const allows = path.rules.length === 0;
  return {
    case: path.case,
    expected: {
      exit: allows ? 0 : 2,
      decision: allows ? "allow" : "deny",
      rules: path.rules,
    },
    outcome: await inFolder(
      {},
      (cwd) =>
        run([join(HOST, OWN.program), ...OWN.args], {
          cwd,
          input: path.input(cwd),
        }),
    ),
  };
}

/** A guard whose rule throws, on a call that it would otherwise allow: from its source, and compiled. */
async function tryThrowing(): Promise<Row[]> {
  const source = join("tests", "entries", "throwing.ts");
  const permissions = registry.find(({ unit }) => unit.name === preToolUse.name)?.permissions ??
    {};
  const work = await makeWorkFolder();
  try {
    await bundle(source, join(work, "throwing.js"));
    const target = findTarget("host");
    const runtime = await getRuntime(target, "bun");
    const made = await compileWithBun({
      work,
      name: "throwing",
      target,
      compiler: runtime,
      runtime,
    });
    const deno = [
      Deno.execPath(),
      "run",
      ...denoFlags(permissions),
      join(root, source),
    ];
    const ways = { "under deno run": deno, "compiled by bun": [made] };
    const rows: Row[] = [];
    for (const [way, words] of Object.entries(ways)) {
      rows.push({
        case: `a rule throws: ${way}`,
        expected: { exit: 2, decision: "deny", rules: ["always-throws"] },
        outcome: await inFolder(
          {},
          (cwd) => run([...words, ...OWN.args], { cwd, input: CLEAN(cwd) }),
        ),
      });
    }
    return rows;
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** A way to break an executable. Throws where it cannot be done on this machine. */
interface Damage {
  readonly name: string;
  readonly apply: (path: string, size: number) => Promise<void>;
}

async function strip(path: string): Promise<void> {
  const before = await digest(path);
  const { success } = await new Deno.Command("strip", {
    args: [path],
    stdout: "null",
    stderr: "null",
  }).output()
    .catch(() => {
      throw new Error("cannot be tried: there is no strip, which binutils has");
    });
  if (!success || await digest(path) === before) {
    throw new Error("cannot be tried: strip changes nothing");
  }
}

async function cutOut(path: string, at: number, length: number): Promise<void> {
  const bytes = await Deno.readFile(path);
  bytes.copyWithin(at, at + length);
  await Deno.writeFile(path, bytes.subarray(0, bytes.length - length));
}

const DAMAGES: readonly Damage[] = [
  { name: "cut to 1 byte", apply: (path) => Deno.truncate(path, 1) },
  { name: "cut to 4 KiB", apply: (path) => Deno.truncate(path, 4096) },
  {
    name: "cut to a quarter",
    apply: (path, size) => Deno.truncate(path, size >> 2),
  },
  {
    name: "cut to a half",
    apply: (path, size) => Deno.truncate(path, size >> 1),
  },
  {
    name: "cut by 1 MiB",
    apply: (path, size) => Deno.truncate(path, size - 1024 * 1024),
  },
  {
    name: "cut by 4 KiB",
    apply: (path, size) => Deno.truncate(path, size - 4096),
  },
  {
    name: "cut by 1 byte",
    apply: (path, size) => Deno.truncate(path, size - 1),
  },
  {
    name: "16 bytes cut out at its beginning",
    apply: (path) => cutOut(path, 64, 16),
  },
  {
    name: "16 bytes cut out at a quarter",
    apply: (path, size) => cutOut(path, size >> 2, 16),
  },
  {
    name: "16 bytes cut out at the middle",
    apply: (path, size) => cutOut(path, size >> 1, 16),
  },
  {
    name: "16 bytes cut out near its end",
    apply: (path, size) => cutOut(path, size - 65_536, 16),
  },
  { name: "stripped", apply: strip },
  { name: "not executable", apply: (path) => Deno.chmod(path, 0o644) },
];

/** Puts a copy of the guard, broken, into a folder that is prepared for that, and sends it a call to refuse. */
async function tryDamage(
  { name, apply }: Damage,
  wiring: Wiring,
): Promise<Row> {
  const outcome = await inFolder(
    HOSTILE,
    async (cwd): Promise<Row["outcome"]> => {
      const program = join(cwd, wiring.program.replace(/^.*\//, ""));
      await Deno.copyFile(join(HOST, wiring.program), program);
      try {
        await apply(program, (await Deno.stat(program)).size);
      } catch (error) {
        if (error instanceof Error) return { problem: error.message };
        throw error;
      }
      return await run([program, ...wiring.args], {
        cwd,
        input: UNREADABLE(cwd),
      });
    },
  );
  return {
    case: `${name}: ${wiring.name}`,
    expected: { exit: "not 0", decision: "deny" },
    outcome,
  };
}

/** The numbers are the same on Linux and macOS. */
const SIGNALS = { SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 };

async function tryKilled(
  name: keyof typeof SIGNALS,
  wiring: Wiring,
): Promise<Row> {
  const words = [join(HOST, wiring.program), ...wiring.args];
  return {
    case: `killed by ${name}: ${wiring.name}`,
    expected: { exit: "not 0", decision: "deny" },
    outcome: await inFolder(
      HOSTILE,
      (cwd) => run(words, { cwd, input: UNREADABLE(cwd), signal: SIGNALS[name] }),
    ),
  };
}

/**
 * What is no program at all cannot be started by the system. Yet a shell takes an empty file for a script that does
 * nothing, and well; so do Node, Deno and `env`, which give to a shell what the system does not start. For shell
 * lines the wiring looks at the file first; an agent that runs on such a start is a gap, shown as what it is.
 */
async function tryNoProgram(
  name: string,
  content: Uint8Array,
  wiring: Wiring,
): Promise<Row[]> {
  return await inFolder(HOSTILE, async (cwd) => {
    const program = join(cwd, "guard");
    await Deno.writeFile(program, content, { mode: 0o755 });
    const words = [program, ...wiring.args];
    const attempt = async (
      how: string,
      expected: Expected,
      words: readonly string[],
    ): Promise<Row> => ({
      case: `${name}${how}: ${wiring.name}`,
      expected,
      outcome: await run(words, {
        cwd,
        input: UNREADABLE(cwd),
        executable: program,
      }),
    });
    const line = `test -s "$0" && "$0" "$@" || { echo broken >&2; exit 2; }`;
    return [
      await attempt("", { exit: "cannot start", decision: "deny" }, words),
      await attempt(", by the wiring for a shell", {
        exit: 2,
        decision: "deny",
      }, [
        "/bin/sh",
        "-c",
        line,
        ...words,
      ]),
      await attempt(", by a start that falls back to a shell (gap)", {
        exit: 0,
        decision: "allow",
      }, [
        "/usr/bin/env",
        ...words,
      ]),
    ];
  });
}

async function tryDeleted(wiring: Wiring): Promise<Row> {
  return {
    case: `deleted: ${wiring.name}`,
    expected: { exit: "cannot start", decision: "deny" },
    outcome: await inFolder(
      HOSTILE,
      (cwd) =>
        run([join(cwd, "guard"), ...wiring.args], {
          cwd,
          input: UNREADABLE(cwd),
        }),
    ),
  };
}

async function tryAll(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const path of PATHS) rows.push(await tryPath(path));
  rows.push(...await tryThrowing());
  for (const wiring of [OWN, ONE]) {
    for (const damage of DAMAGES) rows.push(await tryDamage(damage, wiring));
    for (const signal of ["SIGKILL", "SIGSEGV", "SIGTERM"] as const) {
      rows.push(await tryKilled(signal, wiring));
    }
    rows.push(await tryDeleted(wiring));
    rows.push(
      ...await tryNoProgram("zero bytes long", new Uint8Array(), wiring),
    );
    rows.push(
      ...await tryNoProgram(
        "all bytes zero",
        new Uint8Array(1024 * 1024),
        wiring,
      ),
    );
  }
  return rows;
}

if (import.meta.main) {
  const { name, version, target, source }: BuildRecord = JSON.parse(
    await Deno.readTextFile(join(HOST, "BUILD.json")),
  );
  const rows = await tryAll();
  console.log(report(rows));
  const cases = rows.map(({ case: title, expected, outcome }) => ({
    case: title,
    expected,
    ...outcome,
  }));
  const receipt = {
    name,
    version,
    target,
    commit: source?.commit ?? null,
    dirty: source?.dirty ?? null,
    cases,
  };
  await Deno.mkdir(join(root, "artifacts"), { recursive: true });
  await Deno.writeTextFile(
    join(root, "artifacts", "hooks.json"),
    `${JSON.stringify(receipt, null, 2)}\n`,
  );
  const failed = rows.filter((row) => !isAsExpected(row)).length;
  console.log(
    `${rows.length - failed} as expected, ${failed} not; all in artifacts/hooks.json`,
  );
  if (failed > 0) Deno.exit(1);
}
