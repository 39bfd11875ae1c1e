/**
 * Measures what the guard costs an agent, beside what no program compiled in the same way can do without, and beside
 * other ways to write the same hook: all in turn, in one run. For Linux and macOS. `--rounds N`, 200 if not given.
 */
import { join } from "@std/path";
import { parseArgs } from "@std/cli/parse-args";
import { preToolUse } from "../hooks/pre-tool-use.ts";
import { PATTERNS } from "../lib/secrets/patterns.ts";
import { registry } from "./registry.ts";
import { bundle, compileWithBun, compileWithDeno, makeWorkFolder } from "./compile.ts";
import { type BuildRecord, dist } from "./dist.ts";
import { denoFlags } from "./permissions.ts";
import { root } from "./root.ts";
import { getRuntime } from "./runtime.ts";
import { measure, prepare, type Program, type Sample } from "./spawn.ts";
import { findTarget } from "./targets.ts";

const HOST = join(dist, "host");
const HERE = join(root, "toolchain", "bench");
const PERMISSIONS = registry.find(({ unit }) => unit.name === preToolUse.name)?.permissions ?? {};
const MIB = 1024 * 1024;

/** The value below which a share of the others lies; they are sorted. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Lines in columns, the first of words, the others of numbers. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row.map((cell, at) => at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)).join("  ")
  ).join("\n");
}

type Input = "1 KB" | "1 MiB source" | "1 MiB records";

function writeEvent(cwd: string, file: string, content: string): string {
  return JSON.stringify({
    session_id: "6f1c9a52-40d3-4a53-9d5e-0b6a3c1d2e4f",
    transcript_path: join(cwd, "transcript.jsonl"),
    cwd,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Write",
    tool_input: { file_path: join(cwd, file), content },
    tool_use_id: "toolu_01",
  });
}

/** Source text of this project, at least so long. */
async function sourceText(length: number): Promise<string> {
  const folders = ["contract", "config", "io", "paths", "run"];
  let text = "";
  for (const folder of folders) {
    const names = [...Deno.readDirSync(join(root, "lib", folder))].map(({ name }) => name).sort();
    for (const name of names) text += await Deno.readTextFile(join(root, "lib", folder, name));
  }
  // The script beside it does not look at values: words of keys before any text are a secret to it.
  const plain = text.replaceAll(/secret/gi, "record");
  return plain.repeat(Math.ceil(length / plain.length));
}

/** As JSON a list of records, at least so long. */
function recordText(length: number): string {
  const records: unknown[] = [];
  for (let size = 0; size < length; size += JSON.stringify(records.at(-1), null, 1).length) {
    const at = records.length;
    records.push({
      id: `attestation-${at}`,
      fields: {
        reserveTotalUsd: { value: at * 17, page: at % 90 + 1 },
        issuer: { value: `Issuer ${at}`, page: 2 },
      },
      extraction: { unreadable: ["auditor"] },
    });
  }
  return JSON.stringify(records, null, 1);
}

async function makeInputs(cwd: string): Promise<Record<Input, string>> {
  const source = await sourceText(MIB);
  return {
    "1 KB": writeEvent(cwd, "src/resolve.ts", source.slice(0, 600)),
    "1 MiB source": writeEvent(cwd, "src/all.ts", source.slice(0, MIB)),
    "1 MiB records": writeEvent(cwd, "records.json", recordText(MIB)),
  };
}

/** Compiles one of the programs in toolchain/bench as the product is compiled. */
export async function compile(
  name: string,
  work: string,
  compiler: BuildRecord["compiler"]["name"],
): Promise<string> {
  await bundle(join("toolchain", "bench", `${name}.ts`), join(work, `${name}.js`));
  const target = findTarget("host");
  if (compiler === "deno") {
    return await compileWithDeno({ work, name, target, permissions: {}, denort: undefined });
  }
  const runtime = await getRuntime(target, "bun");
  return await compileWithBun({ work, name, target, compiler: runtime, runtime });
}

async function output(...[program = "", ...args]: string[]): Promise<string | undefined> {
  try {
    const { success, stdout } = await new Deno.Command(program, { args, stderr: "null" }).output();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch {
    return undefined;
  }
}

/** A program and what it is run on; the floor of each input comes first. */
export interface Contestant {
  readonly name: string;
  readonly input: string;
  readonly program: Program;
}

/** What came of a contestant, in milliseconds. */
export interface Result {
  readonly name: string;
  readonly input: string;
  readonly p50: number;
  readonly p95: number;
  /** Of the processor's time, which the machine's other work disturbs less. */
  readonly cpu: number;
  /** Of p50 to that of the floor on the same input. */
  readonly toFloor: number;
}

/** Runs all of them in turn, so that whatever else the machine does disturbs them alike. */
export function race(
  contestants: readonly Contestant[],
  inputs: Readonly<Record<string, Uint8Array<ArrayBuffer>>>,
  rounds: number,
): Result[] {
  const samples = contestants.map((): Sample[] => []);
  for (let round = -5; round < rounds; round++) {
    contestants.forEach(({ name, input, program }, index) => {
      const sample = measure(program, inputs[input] ?? new Uint8Array());
      if (sample.exit !== 0) throw new Error(`Cannot measure: ${name} exits ${sample.exit} on ${input}`);
      if (round >= 0) samples[index]?.push(sample);
    });
  }
  const sorted = (index: number, key: "elapsed" | "cpu") =>
    (samples[index] ?? []).map((sample) => sample[key]).sort((a, b) => a - b);
  return contestants.map(({ name, input }, index) => {
    const p50 = quantile(sorted(index, "elapsed"), 0.5);
    const floor = contestants.findIndex((other) => other.input === input);
    return {
      name,
      input,
      p50,
      p95: quantile(sorted(index, "elapsed"), 0.95),
      cpu: quantile(sorted(index, "cpu"), 0.5),
      toFloor: p50 / quantile(sorted(floor, "elapsed"), 0.5),
    };
  });
}

/** Results in columns. */
export function show(results: readonly Result[]): string {
  const ms = (value: number) => value.toFixed(1);
  const width = Math.max(...results.map(({ input }) => input.length));
  return table([
    ["", "p50 ms", "p95 ms", "cpu ms", "to floor"],
    ...results.map(({ name, input, p50, p95, cpu, toFloor }) => [
      `${input.padEnd(width)}  ${name}`,
      ms(p50),
      ms(p95),
      ms(cpu),
      toFloor.toFixed(2),
    ]),
  ]);
}

/** A goal, and whether it was met; a measurement is no test, so missing one is told and no more. */
export function aim(met: boolean, text: string): string {
  return `${met ? "met   " : "MISSED"}  ${text}`;
}

function aims(results: readonly Result[]): string[] {
  const p50 = (name: string, input: Input) =>
    results.find((result) => result.name === name && result.input === input)?.p50 ?? NaN;
  const inputs: [Input, number][] = [["1 KB", 1.4], ["1 MiB source", 2], ["1 MiB records", 2]];
  const python = p50("sh + python3", "1 KB") / p50("pre-tool-use", "1 KB");
  return [
    ...inputs.map(([input, most]) => {
      const ratio = p50("pre-tool-use", input) / p50("floor", input);
      return aim(ratio <= most, `${input}: ${ratio.toFixed(2)} times the floor, at most ${most}`);
    }),
    ...Number.isNaN(python)
      ? []
      : [aim(python >= 4, `${python.toFixed(1)} times as fast as sh + python3, at least 4`)],
  ];
}

/** What each program gets of the environment: the interpreter itself, not what chooses among several. */
export async function makeEnvironment(work: string): Promise<Record<string, string>> {
  const home = join(work, "home");
  const bin = join(work, "bin");
  for (const folder of [home, bin]) await Deno.mkdir(folder);
  const python = await output("python3", "-c", "import os, sys; print(os.path.realpath(sys.executable))");
  if (python !== undefined) await Deno.symlink(python, join(bin, "python3"));
  const kept = ["DENO_DIR"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), HOME: home, PATH: `${bin}:${Deno.env.get("PATH") ?? ""}` };
}

async function makeContestants(
  work: string,
  { floor, empty, guard }: { floor: string; empty: string; guard: string },
): Promise<Contestant[]> {
  const environment = await makeEnvironment(work);
  const patterns = join(work, "patterns.json");
  const rows = PATTERNS.map(({ id, literals, source, anyCase }) => ({
    id,
    literals,
    source,
    anyCase: anyCase ?? false,
  }));
  await Deno.writeTextFile(patterns, JSON.stringify(rows));
  const make = (name: string, input: Input, ...words: string[]): Contestant => ({
    name,
    input,
    program: prepare(words, environment),
  });
  const args = ["-z", "--harness", "claude"];
  const deno = [Deno.execPath(), "run", ...denoFlags(PERMISSIONS)];
  const hasPython = await Deno.lstat(join(work, "bin", "python3")).then(() => true, () => false);
  const python = (input: Input) =>
    hasPython ? [make("sh + python3", input, "/bin/sh", join(HERE, "check.sh"), patterns)] : [];
  const node = await output("node", "-p", "process.execPath");
  return [
    make("floor", "1 KB", floor),
    make("empty", "1 KB", empty),
    make("pre-tool-use", "1 KB", guard, ...args),
    ...python("1 KB"),
    ...node === undefined ? [] : [make("node, parsing alone", "1 KB", node, join(HERE, "parse.mjs"))],
    make("deno run", "1 KB", ...deno, join(root, "hooks", `${preToolUse.name}.ts`), ...args),
    make("floor", "1 MiB source", floor),
    make("pre-tool-use", "1 MiB source", guard, ...args),
    ...python("1 MiB source"),
    make("floor", "1 MiB records", floor),
    make("pre-tool-use", "1 MiB records", guard, ...args),
  ];
}

async function main(rounds: number): Promise<void> {
  const record: BuildRecord = JSON.parse(await Deno.readTextFile(join(HOST, "BUILD.json")));
  const work = await makeWorkFolder();
  try {
    const repo = join(work, "repo");
    await Deno.mkdir(join(repo, ".git"), { recursive: true });
    const texts = await makeInputs(repo);
    const inputs = Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, new TextEncoder().encode(text)]),
    ) as Record<Input, Uint8Array<ArrayBuffer>>;
    const programs = {
      floor: await compile("floor", work, record.compiler.name),
      empty: await compile("empty", work, record.compiler.name),
      guard: join(HOST, "hooks", preToolUse.name),
    };
    const contestants = await makeContestants(work, programs);
    const results = race(contestants, inputs, rounds);
    console.log(show(results));
    await bundle("nonzero.ts", join(work, "nonzero.js"));
    const files = { ...programs, "nonzero, bundled": join(work, "nonzero.js") };
    const sizes: Record<string, number> = {};
    for (const [name, path] of Object.entries(files)) sizes[name] = (await Deno.stat(path)).size;
    console.log(`\n${table(Object.entries(sizes).map(([name, size]) => [name, String(size), "bytes"]))}`);
    const verdicts = aims(results);
    console.log(`\n${verdicts.join("\n")}`);
    await Deno.mkdir(join(root, "bench"), { recursive: true });
    const { version, target, source, compiler } = record;
    const latest = { version, target, source, compiler, rounds, results, sizes, aims: verdicts };
    await Deno.writeTextFile(join(root, "bench", "latest.json"), `${JSON.stringify(latest, null, 2)}\n`);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

if (import.meta.main) {
  const options = parseArgs(Deno.args, { string: ["rounds"] });
  await main(Number(options.rounds ?? 200));
}
