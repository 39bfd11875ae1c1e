/**
 * Runs the suites that need nothing but executables on the builds for every target that this machine can run: its own in
 * a root folder with the C library alone, musl's in one of its own, arm64 Linux under qemu, Windows under Wine. Ends with
 * a table of what passed, failed, and cannot be run.
 *
 * `TARGETS` and `SUITES` choose among them, by names apart by spaces or commas. `FULL=1` runs every case under emulation,
 * too. What it takes is installed with Debian's apt-get where that can be done.
 */
import { join } from "@std/path";
import { root } from "./root.ts";
import { smoke, trialCount } from "./smoke.ts";
import { type Place, provide, ways } from "./targets-places.ts";
import { allPassed, choose, type Counts, countTests, type Result, type Row, table } from "./targets-table.ts";
import { findTarget, targets } from "./targets.ts";

const FOLDERS: Readonly<Record<string, string>> = {
  hooks: "tests/hooks",
  gates: "tests/gates",
  cli: "tests/cli",
};
const SUITES = [...Object.keys(FOLDERS), "smoke"];

async function build(triple: string): Promise<void> {
  // That of this machine is in use, and was built before this script was started.
  if (triple === Deno.build.target) return;
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--config", "deno.json", "--frozen", "--quiet", "--allow-all"],
      ...["toolchain/build.ts", "--target", triple, "--compiler", "bun"],
    ],
    cwd: root,
  }).spawn().status;
  if (!success) throw new Error(`Cannot build for ${triple}`);
}

async function trySmoke(triple: string, place: Place): Promise<Counts> {
  const executable = place.path(join(place.dist, `nonzero${findTarget(triple).exe}`));
  const faults = await smoke(executable, {
    runner: place.words,
    env: place.env,
    path: place.path,
    ...place.root === undefined ? {} : { parent: join(place.root, "tmp") },
  });
  for (const fault of faults) console.error(fault);
  return { passed: trialCount - faults.length, failed: faults.length, ignored: 0 };
}

/** Runs the tests of a folder that start the executables; by their names, which have the folder of the build. */
async function runFolder(folder: string, place: Place): Promise<Counts> {
  const report = await Deno.makeTempFile({ prefix: "nonzero-targets-", suffix: ".xml" });
  const ignore = place.without?.files.filter((file) => file.startsWith(folder)) ?? [];
  const every = Deno.env.get("FULL") === "1" ? 1 : place.every;
  try {
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["test", "--config", "deno.json", "--frozen", "--no-check", "--allow-all", "--reporter=dot"],
        ...["--junit-path", report, "--filter", place.dist],
        ...ignore.length > 0 ? [`--ignore=${ignore.join(",")}`] : [],
        folder,
      ],
      cwd: root,
      env: {
        ...place.env,
        NONZERO_DIST: place.dist,
        NONZERO_RUNNER: place.words.join(" "),
        NONZERO_ROOT: place.root ?? "",
        NONZERO_EVERY: String(every),
      },
    }).spawn().status;
    const counts = countTests(await Deno.readTextFile(report), place.dist);
    // A file that does not load has no test that could fail.
    return success || counts.failed > 0 ? counts : { ...counts, failed: 1 };
  } finally {
    await Deno.remove(report);
  }
}

async function makeReady(triple: string): Promise<Place> {
  const way = ways[triple];
  if (way === undefined || "why" in way) throw new Error(way?.why ?? "nobody has said how");
  await provide(way);
  await build(triple);
  return await way.ready();
}

async function run(triple: string, suites: readonly string[]): Promise<Row> {
  let place: Place;
  try {
    place = await makeReady(triple);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { target: triple, by: "", results: Object.fromEntries(suites.map((suite) => [suite, { why }])) };
  }
  const results: Record<string, Result> = {};
  try {
    for (const suite of suites) {
      console.log(`\n${triple}, ${suite}: ${place.by}`);
      const folder = FOLDERS[suite];
      results[suite] = folder === undefined ? await trySmoke(triple, place) : await runFolder(folder, place);
    }
  } finally {
    await place.end();
  }
  const left = suites.some((suite) => place.without?.files.some((file) => file.includes(`/${suite}/`)));
  return { target: triple, by: `${place.by}${left ? `; ${place.without?.why}` : ""}`, results };
}

if (import.meta.main) {
  const triples = choose(Deno.env.get("TARGETS") ?? "", targets.map(({ triple }) => triple));
  const suites = choose(Deno.env.get("SUITES") ?? "", SUITES);
  const rows: Row[] = [];
  for (const triple of triples) rows.push(await run(triple, suites));
  console.log(`\n${table(rows, suites)}`);
  if (!allPassed(rows)) Deno.exit(1);
}
