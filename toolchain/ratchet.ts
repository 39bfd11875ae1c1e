/**
 * Holds what was measured against bench/baseline.json, as ratios to what no program can do without, so that the machine
 * matters little: `ratchet.ts [--rounds N]` fails where a ratio is worse by more than a quarter in three runs out of
 * three; `--renew` writes the baseline. For Linux and macOS.
 */
import { join } from "@std/path";
import { parseArgs } from "@std/cli/parse-args";
import { registry } from "./registry.ts";
import type { BuildRecord } from "./dist.ts";
import { root } from "./root.ts";

/** How much worse than the baseline a ratio may be. */
export const ALLOWED = 1.25;
const RUNS = 3;
const FOLDER = join(root, "bench");
const BASELINE = join(FOLDER, "baseline.json");

/** Each program that measures, and the file that it writes below bench. */
const MEASURES: readonly (readonly [string, string])[] = [
  ["bench.ts", "latest.json"],
  ["bench-hooks.ts", "hooks.json"],
  ["bench-gates.ts", "gates.json"],
];

/** What one of those files says of a program; the time in milliseconds. */
export interface Measured {
  readonly name: string;
  /** Without it the name begins with it, before a colon. */
  readonly input?: string;
  readonly p50: number;
}

/** Ratios by the input and name of what was measured. */
export type Ratios = Readonly<Record<string, number>>;

const OURS = new Set([...registry.map(({ unit }) => unit.name), "the twelve gates in sequence"]);

/**
 * The ratio of each of our programs to the first one measured on the same input.
 *
 * @param results Those of one file, in its order.
 */
export function ratiosOf(results: readonly Measured[]): Ratios {
  const first = new Map<string, number>();
  const ratios: Record<string, number> = {};
  for (const { name, input, p50 } of results) {
    const [prefix, program] = input === undefined && /^\d/.test(name) ? name.split(": ", 2) : [input, name];
    const on = prefix ?? "evidence";
    const floor = first.get(on);
    if (floor === undefined) first.set(on, p50);
    else if (program !== undefined && OURS.has(program)) ratios[`${on}: ${program}`] = p50 / floor;
  }
  return ratios;
}

/**
 * Which ratios are worse than allowed in a run; so is one that was not measured at all.
 *
 * @returns Their names.
 */
export function worseThan(baseline: Ratios, run: Ratios): string[] {
  return Object.entries(baseline)
    .filter(([name, ratio]) => !((run[name] ?? Infinity) <= ratio * ALLOWED))
    .map(([name]) => name);
}

/** Which ratios are worse than allowed in every one of the runs; their names. */
export function worseInAll(baseline: Ratios, runs: readonly Ratios[]): string[] {
  return Object.keys(baseline).filter((name) => runs.every((run) => worseThan(baseline, run).includes(name)));
}

/** Which ratios of a run the baseline does not have; their names. */
export function newIn(baseline: Ratios, run: Ratios): string[] {
  return Object.keys(run).filter((name) => baseline[name] === undefined);
}

/** What bench/baseline.json says. */
export interface Baseline {
  readonly target: string;
  readonly compiler: string;
  readonly rounds: number;
  /** Why it should be measured again, where it should. */
  readonly renew?: string;
  readonly ratios: Ratios;
}

/** What a file of a measurement says, as far as it matters here. */
type Report = Pick<BuildRecord, "target" | "compiler"> & { readonly results: readonly Measured[] };

async function measureAll(rounds: number): Promise<Baseline> {
  let ratios: Ratios = {};
  let build = { target: "", compiler: "" };
  for (const [program, file] of MEASURES) {
    const words = ["run", "--config", join(root, "deno.json"), "--frozen", "--quiet", "--allow-all"];
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...words, join(root, "toolchain", program), `--rounds=${rounds}`],
      stdout: "null",
    }).output();
    if (!success) throw new Error(`Cannot measure with ${program}: ${new TextDecoder().decode(stderr)}`);
    const report: Report = JSON.parse(await Deno.readTextFile(join(FOLDER, file)));
    build = { target: report.target, compiler: `${report.compiler.name} ${report.compiler.version}` };
    ratios = { ...ratios, ...ratiosOf(report.results) };
  }
  return { ...build, rounds, ratios };
}

async function renew(rounds: number, why: string | undefined): Promise<void> {
  const measured = await measureAll(rounds);
  const ratios = Object.fromEntries(
    Object.entries(measured.ratios).map(([name, ratio]) => [name, Number(ratio.toFixed(2))]),
  );
  const baseline: Baseline = { ...measured, ...why === undefined ? {} : { renew: why }, ratios };
  await Deno.writeTextFile(BASELINE, `${JSON.stringify(baseline, null, 2)}\n`);
  console.log(`bench/baseline.json: ${Object.keys(ratios).length} ratios`);
}

/** Measures at most three times; says whether all is well. */
async function check(rounds: number): Promise<boolean> {
  const baseline: Baseline = JSON.parse(await Deno.readTextFile(BASELINE));
  if (baseline.renew !== undefined) console.log(`The baseline is to be renewed: ${baseline.renew}`);
  const runs: Ratios[] = [];
  while (runs.length < RUNS) {
    const { target, compiler, ratios } = await measureAll(rounds);
    if (target !== baseline.target || compiler !== baseline.compiler) {
      console.error(
        `The baseline is of ${baseline.target} by ${baseline.compiler}, this of ${target} by ${compiler}`,
      );
      return false;
    }
    runs.push(ratios);
    for (const name of newIn(baseline.ratios, ratios)) console.log(`Not in the baseline: ${name}`);
    for (const name of worseThan(baseline.ratios, ratios)) {
      const [now, was] = [ratios[name]?.toFixed(2) ?? "not measured", baseline.ratios[name]?.toFixed(2)];
      console.log(`Run ${runs.length}: ${name}: ${now}, in the baseline ${was}`);
    }
    if (worseInAll(baseline.ratios, runs).length === 0) {
      console.log(
        `Nothing is worse than the baseline by more than a quarter, after ${runs.length} of ${RUNS} runs`,
      );
      return true;
    }
  }
  for (const name of worseInAll(baseline.ratios, runs)) {
    console.error(`Worse in ${RUNS} runs of ${RUNS}: ${name}`);
  }
  return false;
}

if (import.meta.main) {
  const options = parseArgs(Deno.args, { string: ["rounds", "why"], boolean: ["renew"] });
  const rounds = Number(options.rounds ?? 60);
  if (options.renew) await renew(rounds, options.why === undefined ? undefined : String(options.why));
  else if (!await check(rounds)) Deno.exit(1);
}
