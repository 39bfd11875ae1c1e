/**
 * Measures what gates cost a job: beside what no program compiled in the same way can do without, beside a script for
 * sh, all twelve one after the other, and pre-commit on 100 MB that are staged. For Linux and macOS. `--rounds N`, 100
 * if not given.
 */
import { join } from "@std/path";
import { parseArgs } from "@std/cli/parse-args";
import { registry } from "./registry.ts";
import { quantile, table } from "./bench.ts";
import { bundle, compileWithBun, compileWithDeno, makeWorkFolder } from "./compile.ts";
import { type BuildRecord, dist } from "./dist.ts";
import { denoFlags } from "./permissions.ts";
import { root } from "./root.ts";
import { getRuntime } from "./runtime.ts";
import { measure, prepare, type Program, type Sample } from "./spawn.ts";
import { findTarget } from "./targets.ts";

const HOST = join(dist, "host");
const STAGED = 100_000_000;
const MEMORY_LIMIT = 150;

/** What the cases of a gate say lets it pass. */
interface Passing {
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

/** Writes what lets a gate pass, and says what declares it. */
async function declare(work: string, name: string): Promise<Record<string, string>> {
  const { env, files }: Passing = JSON.parse(
    await Deno.readTextFile(join(root, "tests", "cases", "gates", `${name}.json`)),
  );
  const folder = join(work, name);
  await Deno.mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) await Deno.writeTextFile(join(folder, file), text);
  return Object.fromEntries(
    Object.entries(env).map(([variable, value]) => [variable, value in files ? join(folder, value) : value]),
  );
}

async function compileFloor(
  work: string,
  compiler: BuildRecord["compiler"]["name"],
): Promise<string> {
  const name = "two-files";
  await bundle(
    join("toolchain", "bench", `${name}.ts`),
    join(work, `${name}.js`),
  );
  const target = findTarget("host");
  if (compiler === "deno") {
    return await compileWithDeno({
      work,
      name,
      target,
      permissions: { read: true },
      denort: undefined,
    });
  }
  const runtime = await getRuntime(target, "bun");
  return await compileWithBun({
    work,
    name,
    target,
    compiler: runtime,
    runtime,
  });
}

async function command(words: readonly string[], cwd: string): Promise<void> {
  const [program = "", ...args] = words;
  const { success, stderr } = await new Deno.Command(program, {
    args,
    cwd,
    stdout: "null",
  }).output();
  if (!success) {
    throw new Error(
      `Cannot run ${words.join(" ")}: ${new TextDecoder().decode(stderr)}`,
    );
  }
}

/** A repository in which 100 MB of text are staged. */
async function stage(work: string): Promise<string> {
  const repository = join(work, "repository");
  await Deno.mkdir(repository);
  await command(["git", "init", "--quiet"], repository);
  let seed = 1;
  const random = () => seed = seed * 48_271 % 2_147_483_647;
  let text = "";
  while (text.length < STAGED / 100) {
    text += `${random().toString(36).repeat(1 + random() % 15)}\n`;
  }
  using file = await Deno.open(join(repository, "large"), {
    write: true,
    create: true,
  });
  const bytes = new TextEncoder().encode(text);
  for (let part = 0; part < 100; part++) {
    await file.write(new TextEncoder().encode(`part ${part}\n`));
    await file.write(bytes);
  }
  await command(["git", "add", "large"], repository);
  return repository;
}

/** The most memory that a program itself had, in MiB; undefined where the system does not tell. */
async function peakMemory(
  program: string,
  environment: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const child = new Deno.Command(program, {
    env: { ...environment },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  let ended = false;
  const end = child.status.then(() => ended = true);
  let peak: number | undefined;
  while (!ended) {
    const status = await Deno.readTextFile(`/proc/${child.pid}/status`).catch(
      () => "",
    );
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    if (found !== undefined) peak = Math.max(peak ?? 0, Number(found) / 1024);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await end;
  return peak;
}

/** Several programs that are run one after the other as one. */
interface Contestant {
  readonly name: string;
  readonly programs: readonly Program[];
}

interface Result {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
  /** Of the processor's time. */
  readonly cpu: number;
}

const NOTHING = new Uint8Array(0);

/** Runs all of them in turn, so that whatever else the machine does disturbs them alike. */
function race(
  contestants: readonly Contestant[],
  rounds: number,
  warm: number,
): Result[] {
  const samples = contestants.map((): Pick<Sample, "elapsed" | "cpu">[] => []);
  for (let round = -warm; round < rounds; round++) {
    contestants.forEach(({ name, programs }, index) => {
      const sum = { elapsed: 0, cpu: 0 };
      for (const program of programs) {
        const { elapsed, cpu, exit } = measure(program, NOTHING);
        if (exit !== 0) {
          throw new Error(`Cannot measure: ${name} exits ${exit} with ${program.name}`);
        }
        sum.elapsed += elapsed;
        sum.cpu += cpu;
      }
      if (round >= 0) samples[index]?.push(sum);
    });
  }
  const sorted = (index: number, key: "elapsed" | "cpu") =>
    (samples[index] ?? []).map((sample) => sample[key]).sort((a, b) => a - b);
  return contestants.map(({ name }, index) => ({
    name,
    p50: quantile(sorted(index, "elapsed"), 0.5),
    p95: quantile(sorted(index, "elapsed"), 0.95),
    cpu: quantile(sorted(index, "cpu"), 0.5),
  }));
}

function show(results: readonly Result[]): string {
  const ms = (value: number) => value.toFixed(1);
  const first = results[0]?.p50 ?? NaN;
  return table([
    ["", "p50 ms", "p95 ms", "cpu ms", "to first"],
    ...results.map((
      { name, p50, p95, cpu },
    ) => [name, ms(p50), ms(p95), ms(cpu), (p50 / first).toFixed(2)]),
  ]);
}

/** A goal, and whether it was met; a measurement is no test, so missing one is told and no more. */
function aim(met: boolean, text: string): string {
  return `${met ? "met   " : "MISSED"}  ${text}`;
}

async function main(rounds: number): Promise<void> {
  const record: BuildRecord = JSON.parse(
    await Deno.readTextFile(join(HOST, "BUILD.json")),
  );
  const work = await makeWorkFolder();
  try {
    const base = {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: work,
      DENO_DIR: Deno.env.get("DENO_DIR") ?? "",
    };
    const floor = await compileFloor(work, record.compiler.name);
    const review = await declare(work, "pre-review");
    const files = Object.values(review);
    const repository = await stage(work);
    const git = {
      GIT_DIR: join(repository, ".git"),
      GIT_WORK_TREE: repository,
    };
    const gates = registry.flatMap(({ unit, permissions }) =>
      unit.kind === "gate" ? [{ name: unit.name, permissions }] : []
    );
    const path = (name: string) => join(HOST, "gates", name);
    const all: Program[] = [];
    for (const { name } of gates) {
      const args = name === "pre-commit" ? ["--dry-run"] : [];
      all.push(
        prepare([path(name), ...args], {
          ...base,
          ...await declare(work, name),
        }),
      );
    }
    const flags = denoFlags(
      gates.find(({ name }) => name === "pre-review")?.permissions ?? {},
    );
    const sources = [
      Deno.execPath(),
      "run",
      ...flags,
      join(root, "gates", "pre-review.ts"),
    ];
    const small = race(
      [
        {
          name: "floor: reads two files",
          programs: [prepare([floor, ...files], base)],
        },
        {
          name: "pre-review",
          programs: [prepare([path("pre-review")], { ...base, ...review })],
        },
        {
          name: "pre-review in sh, grep and sed",
          programs: [
            prepare(["/bin/sh", join(root, "toolchain/bench/pre-review.sh")], {
              ...base,
              ...review,
            }),
          ],
        },
        {
          name: "pre-review under deno run",
          programs: [prepare(sources, { ...base, ...review })],
        },
        { name: "the twelve gates in sequence", programs: all },
      ],
      rounds,
      5,
    );
    console.log(show(small));

    const commit = { ...base, ...git, ...await declare(work, "pre-commit") };
    const shell = (line: string) => prepare(["/bin/sh", "-c", line], { ...base, ...git });
    const large = race(
      [
        {
          name: "100 MB staged: git diff | grep",
          programs: [
            shell(
              "git diff --cached --text | { grep -c -e '-----BEGIN .*PRIVATE KEY' || true; }",
            ),
          ],
        },
        {
          name: "100 MB staged: pre-commit",
          programs: [prepare([path("pre-commit")], commit)],
        },
      ],
      Math.max(3, Math.round(rounds / 10)),
      1,
    );
    console.log(`\n${show(large)}`);

    const memory = await peakMemory(path("pre-commit"), commit);
    const p50 = (results: readonly Result[], at: number) => results[at]?.p50 ?? NaN;
    const ratio = p50(small, 1) / p50(small, 0);
    const verdicts = [
      aim(
        ratio <= 1.4,
        `a gate takes ${ratio.toFixed(2)} times the floor, at most 1.4`,
      ),
      ...memory === undefined ? [] : [
        aim(
          memory < MEMORY_LIMIT,
          `pre-commit has ${memory.toFixed(0)} MiB at most on 100 MB, less than ${MEMORY_LIMIT}`,
        ),
      ],
    ];
    console.log(`\n${verdicts.join("\n")}`);
    await Deno.mkdir(join(root, "bench"), { recursive: true });
    const { version, target, source, compiler } = record;
    const latest = {
      version,
      target,
      source,
      compiler,
      rounds,
      results: [...small, ...large],
      memory,
      aims: verdicts,
    };
    await Deno.writeTextFile(
      join(root, "bench", "gates.json"),
      `${JSON.stringify(latest, null, 2)}\n`,
    );
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

if (import.meta.main) {
  const options = parseArgs(Deno.args, { string: ["rounds"] });
  await main(Number(options.rounds ?? 100));
}
