/**
 * Makes what is published: `release.ts --version X.Y.Z` fills dist/release. `--compiler deno` adds each hook and gate by
 * itself, as Deno compiles it, for the targets whose denort is on this machine; `--xz` adds archives of that kind;
 * `--targets A,B` makes some alone; `--allow-dirty` is for tests.
 */
import { join } from "@std/path";
import { parseArgs } from "@std/cli/parse-args";
import { VERSION } from "../lib/contract/version.ts";

import { bundle, findDenort, makeWorkFolder } from "./compile.ts";
import { type BuildRecord, checksums, dist, entryPath, linkOrCopy, readSource } from "./dist.ts";
import { registry } from "./registry.ts";
import { deflateWithBun, gzip, xz, zip } from "./release/compress.ts";
import { readPackages, readRuntimeParts, thirdPartyLicenses } from "./release/licenses.ts";
import { archiveEntries, readBuild } from "./release/pack.ts";
import { sbom } from "./release/sbom.ts";
import { tar } from "./release/tar.ts";
import { root } from "./root.ts";
import { runMain } from "./run-main.ts";
import { getRuntime, locked } from "./runtime.ts";
import { findTarget, type Target, targets } from "./targets.ts";

interface Options {
  readonly targets: readonly Target[];
  readonly deno: boolean;
  readonly xz: boolean;
  readonly allowDirty: boolean;
}

/** What one archive weighs and where its bytes are, all in bytes. */
interface Weight {
  readonly archive: string;
  readonly size: number;
  readonly program: number;
  readonly runtime: number;
}

function parseOptions(args: readonly string[]): Options {
  const options = parseArgs(args, {
    boolean: ["xz", "allow-dirty"],
    string: ["version", "compiler", "targets"],
    unknown(argument) {
      // What make gives for a variable that is not set.
      if (argument !== "") throw new Error(`Unknown argument "${argument}"`);
    },
  });
  if (options.version !== VERSION) {
    throw new Error(`Cannot release "${options.version ?? ""}": lib/contract/version.ts says ${VERSION}`);
  }
  const compiler = String(options.compiler ?? "auto");
  if (!["auto", "bun", "deno"].includes(compiler)) {
    throw new Error(`Cannot build with "${compiler}": the compilers are auto, bun and deno`);
  }
  const named = typeof options.targets === "string" ? options.targets.split(",").map(findTarget) : targets;
  return {
    targets: named,
    deno: compiler === "deno",
    xz: options.xz === true,
    allowDirty: options["allow-dirty"] === true,
  };
}

/** Throws where the sources are not exactly a commit. */
async function checkSource(allowDirty: boolean): Promise<void> {
  const { version } = JSON.parse(await Deno.readTextFile(join(root, "deno.json")));
  if (version !== VERSION) throw new Error(`Cannot release ${VERSION}: deno.json says ${version}`);
  const source = await readSource();
  if (allowDirty) return;
  if (source === null) throw new Error("Cannot release: this folder is no checkout");
  if (source.dirty) throw new Error("Cannot release: git status is not clean");
}

async function build(target: Target, compiler: "bun" | "deno"): Promise<string> {
  const allow = ["read", "write", "env", "run", "sys"].map((kind) => `--allow-${kind}`);
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--config", join(root, "deno.json"), "--frozen", "--quiet", "--no-prompt", ...allow],
      ...[join(root, "toolchain/build.ts"), "--target", target.triple, "--compiler", compiler],
    ],
    cwd: root,
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`Cannot release: the build for ${target.triple} failed`);
  return join(dist, target.triple);
}

/** Throws where a build was made of something else than this release is. */
async function checkRecord(folder: string, allowDirty: boolean): Promise<void> {
  const record: BuildRecord = JSON.parse(await Deno.readTextFile(join(folder, "BUILD.json")));
  if (record.version !== VERSION) throw new Error(`Cannot release ${folder}: it is of ${record.version}`);
  const source = await readSource();
  if (!allowDirty && (record.source?.dirty !== false || record.source.commit !== source?.commit)) {
    throw new Error(`Cannot release ${folder}: it is not of the commit that is checked out`);
  }
}

async function packTarget(
  target: Target,
  stage: string,
  more: ReadonlyMap<string, Uint8Array>,
  options: Options,
): Promise<Weight> {
  const folder = await build(target, "bun");
  await checkRecord(folder, options.allowDirty);
  const name = `nonzero-${VERSION}-${target.triple}`;
  const made = await readBuild(folder, target);
  // Not called as the executable by itself is, beside which it may be unpacked.
  const entries = archiveEntries(`nonzero-${VERSION}`, made, more, target);
  const archive = target.exe ? `${name}.zip` : `${name}.tar.gz`;
  const packed = target.exe ? await zip(entries, deflateWithBun) : await gzip(tar(entries), deflateWithBun);
  await Deno.writeFile(join(stage, archive), packed);
  if (options.xz && !target.exe) {
    await Deno.writeFile(join(stage, `${name}.tar.xz`), await xz(tar(entries)));
  }
  await linkOrCopy(join(folder, `nonzero${target.exe}`), join(stage, name + target.exe));
  const runtime = await Deno.stat((await getRuntime(target, "bun")).path);
  return { archive, size: packed.length, program: made.program.length, runtime: runtime.size };
}

/** Each hook and gate by itself, held to its own permissions by its runtime. */
async function addDenoExecutables(target: Target, stage: string, allowDirty: boolean): Promise<void> {
  if (!target.deno) return;
  if (await findDenort(target) === undefined) {
    console.log(`${target.triple}: no denort on this machine, so no executables by Deno`);
    return;
  }
  const folder = await build(target, "deno");
  await checkRecord(folder, allowDirty);
  for (const entry of registry) {
    const name = `${entry.unit.name}-${VERSION}-${target.triple}${target.exe}`;
    await linkOrCopy(join(folder, entryPath(entry, target)), join(stage, name));
  }
}

/** The files that are the same for every target. */
async function writeNotices(stage: string): Promise<Map<string, Uint8Array>> {
  const lock = await Deno.readTextFile(join(root, "toolchain/package-lock.json"));
  const runtimes = targets.map((target) => locked(lock, target, "bun"));
  const packages = await readPackages();
  const parts = await readRuntimeParts();
  const bun = locked(lock, findTarget("host"), "bun").version;
  await Deno.writeTextFile(
    join(stage, "sbom.cdx.json"),
    sbom({ version: VERSION, packages, runtimes, parts }),
  );
  await Deno.copyFile(join(root, "LICENSE"), join(stage, "LICENSE"));
  const notices = await thirdPartyLicenses(packages, parts, bun);
  await Deno.writeTextFile(join(stage, "THIRD-PARTY-LICENSES"), notices);
  const more = new Map<string, Uint8Array>();
  for (const name of ["LICENSE", "THIRD-PARTY-LICENSES"]) {
    more.set(name, await Deno.readFile(join(stage, name)));
  }
  return more;
}

/** How many bytes of JavaScript the program is. */
async function weighBundle(): Promise<number> {
  const work = await makeWorkFolder();
  try {
    const output = join(work, "nonzero.js");
    await bundle("nonzero.ts", output, join(work, "source"));
    return (await Deno.stat(output)).size;
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** A table of what archives weigh and of where a program's bytes are, in megabytes. */
function table(weights: readonly Weight[]): string {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  const head = ["archive", "MB", "program", "runtime", "our own"];
  const rows = weights.map(({ archive, size, program, runtime }) => [
    archive,
    ...[size, program, runtime, program - runtime].map(megabytes),
  ]);
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((cells) => cells[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) => at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)).join(
      "  ",
    );
  return [head, ...rows].map(line).join("\n");
}

/** Runs a task on each item, two at a time, and gives what they return in the items' order. */
async function eachOfTwo<Item, Result>(
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...items.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      results[next[0]] = await task(next[1]);
    }
  };
  await Promise.all([work(), work()]);
  return results;
}

async function main(args: readonly string[]): Promise<void> {
  const options = parseOptions(args);
  await checkSource(options.allowDirty);
  await Deno.mkdir(dist, { recursive: true });
  const stage = await Deno.makeTempDir({ dir: dist, prefix: ".release-" });
  try {
    if (Deno.build.os !== "windows") await Deno.chmod(stage, 0o755);
    const more = await writeNotices(stage);
    const weights = await eachOfTwo(options.targets, (target) => packTarget(target, stage, more, options));
    if (options.deno) {
      for (const target of options.targets) await addDenoExecutables(target, stage, options.allowDirty);
    }
    const sums = await checksums(stage);
    await Deno.writeTextFile(join(stage, "SHA256SUMS"), sums);
    const place = join(dist, "release");
    await Deno.remove(place, { recursive: true }).catch(() => {});
    await Deno.rename(stage, place);
    console.log(table(weights));
    const code = ((await weighBundle()) / 1e6).toFixed(1);
    console.log(`Our own: ${code} MB of JavaScript, the bytecode of it, and what aligns them.`);
  } finally {
    await Deno.remove(stage, { recursive: true }).catch(() => {});
  }
}

if (import.meta.main) await runMain(main);
