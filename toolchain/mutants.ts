/**
 * Makes one small change after the other to a copy of the sources, and runs the test file that must go red for it. A
 * change that no test notices shows what is not tested. The changes are in mutants.json; `--only TEXT` tries those
 * alone whose reason or file has the text.
 */
import { dirname, join } from "@std/path";
import { parseArgs } from "@std/cli/parse-args";
import { root } from "./root.ts";

export interface Mutant {
  /** What is broken, in a few words. */
  readonly why: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** The test file that must notice. */
  readonly test: string;
  /** Text of the titles of the tests to run in it; without it, all. */
  readonly filter?: string;
  /** A test that runs out of time counts as one that noticed. */
  readonly mayTimeOut?: boolean;
}

/** How a run of a test file ended. */
export interface Run {
  readonly passed: number;
  readonly failed: number;
  /** It did not even come to run its tests. */
  readonly broken: boolean;
  readonly timedOut: boolean;
}

/** What is known of a mutant: only `killed` is well. */
export type Verdict = "killed" | "survived" | "timed out" | "broken";

/** Reads the closing line of a test run. */
export function readRun(output: string, timedOut: boolean): Run {
  const [, passed, failed] = /(\d+) passed.*? \| (\d+) failed/.exec(output) ?? [];
  return {
    passed: Number(passed ?? 0),
    failed: Number(failed ?? 0),
    broken: passed === undefined || output.includes("(uncaught error)"),
    timedOut,
  };
}

/** Whether a test noticed the mutant. A file that does not load has noticed nothing. */
export function judge(
  { failed, broken, timedOut }: Run,
  { mayTimeOut = false }: Pick<Mutant, "mayTimeOut">,
): Verdict {
  if (timedOut) return mayTimeOut ? "killed" : "timed out";
  if (broken) return "broken";
  return failed > 0 ? "killed" : "survived";
}

/**
 * The file's text with the change made.
 *
 * @throws {Error} Where what is to be replaced does not stand there exactly once.
 */
export function mutate(text: string, { find, replace }: Pick<Mutant, "find" | "replace">): string {
  const count = text.split(find).length - 1;
  if (count !== 1) throw new Error(`found ${count} times, not once: ${find}`);
  return text.replace(find, () => replace);
}

/** Asked once: a run is long, and the pinned Deno may be linked anew meanwhile. */
const DENO = Deno.execPath();
/** How long a test file may run, in milliseconds. */
const LIMIT = 10_000;
const WORKERS = 2;
const COPIED = ["deno.json", "deno.lock", "gates", "hooks", "lib", "nonzero.ts", "tests", "toolchain"];
const LEFT_OUT = ["node_modules", "bin"];

async function copy(from: string, to: string): Promise<void> {
  if (!(await Deno.stat(from)).isDirectory) return await Deno.copyFile(from, to);
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(from)) {
    if (!LEFT_OUT.includes(name)) await copy(join(from, name), join(to, name));
  }
}

/** Copies the sources to where they can be changed. */
async function makeCopy(): Promise<string> {
  const parent = join(root, ".cache", "mutants");
  await Deno.mkdir(parent, { recursive: true });
  const folder = await Deno.makeTempDir({ dir: parent });
  for (const name of COPIED) await copy(join(root, name), join(folder, name));
  // A change may leave a name unused.
  const settings = JSON.parse(await Deno.readTextFile(join(folder, "deno.json")));
  Object.assign(settings.compilerOptions, { noUnusedLocals: false, noUnusedParameters: false });
  await Deno.writeTextFile(join(folder, "deno.json"), JSON.stringify(settings));
  return folder;
}

async function deno(
  folder: string,
  args: readonly string[],
  limit: number,
): Promise<{ output: string; ok: boolean; timedOut: boolean }> {
  const child = new Deno.Command(DENO, {
    args: [...args],
    cwd: folder,
    env: { NO_COLOR: "1", NONZERO_FLAVOUR: "deno" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill("SIGKILL");
  }, limit);
  const { success, stdout, stderr } = await child.output();
  clearTimeout(timer);
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { output: text(stdout) + text(stderr), ok: success, timedOut };
}

async function runTest(
  folder: string,
  { test, filter }: Pick<Mutant, "test" | "filter">,
): Promise<Run & { output: string }> {
  const may = ["--no-prompt", ...["read", "write", "env", "run", "sys"].map((kind) => `--allow-${kind}`)];
  const only = filter === undefined ? [] : [`--filter=${filter}`];
  const args = ["test", "--config=deno.json", "--frozen", "--no-check", ...may, ...only, test];
  const { output, timedOut } = await deno(folder, args, LIMIT);
  return { ...readRun(output, timedOut), output };
}

/** What a row of the report says of a test before anything is changed; undefined if it is green. */
async function findProblem(
  folder: string,
  mutant: Pick<Mutant, "test" | "filter">,
): Promise<string | undefined> {
  const { passed, failed, broken, timedOut } = await runTest(folder, mutant);
  if (timedOut) return "takes too long";
  if (broken || failed > 0) return "is red";
  return passed === 0 ? "has no test of that title" : undefined;
}

/** Makes the change in the copy, runs the test and takes the change back. */
async function tryMutant(folder: string, mutant: Mutant): Promise<{ verdict: Verdict; note: string }> {
  const path = join(folder, mutant.file);
  const before = await Deno.readTextFile(path);
  let after: string;
  try {
    after = mutate(before, mutant);
  } catch (error) {
    if (error instanceof Error) return { verdict: "broken", note: error.message };
    throw error;
  }
  await Deno.writeTextFile(path, after);
  try {
    // Else a test would be red for the wrong reason.
    const types = await deno(folder, ["check", "--config=deno.json", "--quiet", mutant.file], 60_000);
    if (!types.ok) return { verdict: "broken", note: types.output.trim().split("\n").slice(0, 3).join(" ") };
    const run = await runTest(folder, mutant);
    const verdict = judge(run, mutant);
    return { verdict, note: verdict === "killed" ? `${run.failed} of ${run.passed + run.failed} red` : "" };
  } finally {
    await Deno.writeTextFile(path, before);
  }
}

/** Gives each task to the first copy that is free. */
async function share<Task, Result>(
  tasks: readonly Task[],
  folders: readonly string[],
  work: (folder: string, task: Task) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...tasks.entries()];
  await Promise.all(folders.map(async (folder) => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(folder, next[1]);
  }));
  return results;
}

async function main(only: string): Promise<boolean> {
  const all: Mutant[] = JSON.parse(await Deno.readTextFile(join(root, "toolchain", "mutants.json")));
  const mutants = all.filter(({ why, file }) => why.includes(only) || file.includes(only));
  const folders = await Promise.all(Array.from({ length: WORKERS }, makeCopy));
  try {
    const tests = [
      ...new Map(mutants.map((mutant) => [`${mutant.test} ${mutant.filter ?? ""}`, mutant])).values(),
    ];
    const problems = (await share(tests, folders, async (folder, { test, filter, why }) => {
      const problem = await findProblem(folder, { test, ...filter === undefined ? {} : { filter } });
      return problem === undefined
        ? []
        : [`${test}${filter ? `, "${filter}",` : ""} ${problem} before any change (${why})`];
    })).flat();
    for (const problem of problems) console.log(problem);
    if (problems.length > 0) return false;
    console.log(`${tests.length} tests or groups of tests are green before any change`);
    const verdicts = await share(mutants, folders, async (folder, mutant) => {
      const { verdict, note } = await tryMutant(folder, mutant);
      console.log(`${verdict.padEnd(9)}  ${mutant.file}: ${mutant.why}${note ? ` (${note})` : ""}`);
      return verdict;
    });
    const killed = verdicts.filter((verdict) => verdict === "killed").length;
    console.log(`${killed} killed, ${verdicts.length - killed} not`);
    return killed === verdicts.length && killed > 0;
  } finally {
    for (const folder of folders) await Deno.remove(folder, { recursive: true });
    await Deno.remove(dirname(folders[0] ?? "")).catch(() => {});
  }
}

if (import.meta.main) {
  const { only } = parseArgs(Deno.args, { string: ["only"] });
  if (!await main(String(only ?? ""))) Deno.exit(1);
}
