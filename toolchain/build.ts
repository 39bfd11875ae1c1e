/** Builds the executables: `build.ts --target TRIPLE|host|all --compiler auto|bun|deno`. */
import { Buffer } from "node:buffer";
import { join } from "@std/path";
import { parseArgs } from "@std/cli/parse-args";
import type { Permissions } from "../lib/contract/entry.ts";
import { VERSION } from "../lib/contract/version.ts";
import { commandPermissions } from "../nonzero.ts";
import { registry } from "./registry.ts";
import {
  bundle,
  bundleInParts,
  compileWithBun,
  compileWithDeno,
  findDenort,
  makeWorkFolder,
} from "./compile.ts";
import {
  type BuildRecord,
  buildRecord,
  checksums,
  digest,
  entryPath,
  linkOrCopy,
  makePlugin,
  makeStage,
  publish,
  readSource,
} from "./dist.ts";
import { checkExecutable } from "./executable.ts";
import { hardening } from "./harden.ts";
import { unite } from "./permissions.ts";
import { getRuntime } from "./runtime.ts";
import { findTarget, type Target, targets } from "./targets.ts";
import { runMain } from "./run-main.ts";

type Compiler = "bun" | "deno";
type Made = Pick<BuildRecord, "compiler" | "runtime" | "hardening">;

/** Every program of a Deno build: where it stands in the target's folder, its source, and what it may do. */
interface Program {
  readonly path: string;
  readonly source: string;
  readonly permissions: Permissions;
}

function programs(target: Target): Program[] {
  return [
    {
      path: `nonzero${target.exe}`,
      source: "nonzero.ts",
      permissions: unite([commandPermissions, ...registry.map((entry) => entry.permissions)]),
    },
    ...registry.map((entry) => ({
      path: entryPath(entry, target),
      source: `${entry.folder}/${entry.unit.name}.ts`,
      permissions: entry.permissions,
    })),
  ];
}

/** One program, and its other names as links to it. */
async function makeWithBun(target: Target, work: string, stage: string): Promise<Made> {
  await bundleInParts("nonzero.ts", "nonzero", work);
  const compiler = await getRuntime(findTarget("host"), "bun");
  const runtime = await getRuntime(target, "bun");
  const made = await compileWithBun({ work, name: "nonzero", target, compiler, runtime });
  await checkExecutable(made, target);
  const program = join(stage, `nonzero${target.exe}`);
  await Deno.rename(made, program);
  for (const entry of registry) await linkOrCopy(program, join(stage, entryPath(entry, target)));
  return {
    compiler: { name: "bun", version: compiler.version },
    runtime: { from: `npm:${runtime.package}@${runtime.version}`, integrity: runtime.integrity },
    hardening,
  };
}

/** Compiles each program by itself and hands it over, with the target's format and processor checked. */
async function eachWithDeno(
  target: Target,
  work: string,
  denort: string | undefined,
  use: (made: string, program: Program) => Promise<void>,
): Promise<void> {
  for (const program of programs(target)) {
    const name = program.path.replace(/^.*\//, "").slice(0, target.exe ? -target.exe.length : undefined);
    await bundle(program.source, join(work, `${name}.js`), join(work, "source"));
    const made = await compileWithDeno({ work, name, target, permissions: program.permissions, denort });
    await checkExecutable(made, target);
    await use(made, program);
  }
}

/** Every program by itself, held to its own permissions. */
async function makeWithDeno(target: Target, work: string, stage: string): Promise<Made> {
  const found = await findDenort(target);
  if (found === undefined) console.log(`${target.triple}: no denort on this machine, so Deno fetches it`);
  const named = found?.endsWith(".zip") ? undefined : found;
  if (named !== undefined) await checkExecutable(named, target);
  await eachWithDeno(target, work, named, (made, { path }) => Deno.rename(made, join(stage, path)));
  const denort = found ?? await findDenort(target);
  if (denort === undefined) throw new Error(`Cannot find the denort that was used for ${target.triple}`);
  return {
    compiler: { name: "deno", version: Deno.version.deno },
    runtime: { from: `denort ${Deno.version.deno}`, integrity: `sha256-${await digest(denort)}` },
    hardening: [],
  };
}

/** A build for this machine must run on it: a runtime of the right format may still be another program. */
async function tryOut(stage: string, target: Target): Promise<void> {
  if (target.triple !== Deno.build.target) return;
  const program = new Deno.Command(join(stage, `nonzero${target.exe}`), {
    args: ["--version"],
    stdin: "null",
  });
  const { code, stdout } = await program.output();
  const said = new TextDecoder().decode(stdout);
  if (code !== 0 || said !== `nonzero ${VERSION}\n`) {
    throw new Error(`Cannot use what was built for ${target.triple}: it does not run as nonzero ${VERSION}`);
  }
}

async function build(target: Target, compiler: Compiler): Promise<void> {
  const [work, stage] = [await makeWorkFolder(), await makeStage()];
  try {
    const source = await readSource();
    const made = await (compiler === "bun" ? makeWithBun : makeWithDeno)(target, work, stage);
    await tryOut(stage, target);
    await makePlugin(stage, target, registry);
    await Deno.writeTextFile(join(stage, "BUILD.json"), buildRecord({ source, ...made }, target, registry));
    await Deno.writeTextFile(join(stage, "SHA256SUMS"), await checksums(stage));
    await publish(stage, target);
  } finally {
    await Deno.remove(work, { recursive: true });
    await Deno.remove(stage, { recursive: true }).catch(() => {});
  }
}

/** Whether an executable has the bundle in it, as it is. */
async function holds(executable: string, bundled: string): Promise<boolean> {
  const wanted = Buffer.from(await Deno.readFile(bundled));
  // It is put behind the runtime.
  const end = (await Deno.readFile(executable)).subarray(-wanted.length - 8_000_000);
  return Buffer.from(end).includes(wanted);
}

/**
 * Proves the compile step of a target whose denort cannot be had: Deno itself stands in for it. What comes out does
 * not run, so it is looked at and deleted.
 */
async function rehearse(target: Target): Promise<void> {
  const work = await makeWorkFolder();
  try {
    const standIn = await getRuntime(target, "deno");
    await eachWithDeno(target, work, standIn.path, async (made, { path }) => {
      const bundled = `${target.exe ? made.slice(0, -target.exe.length) : made}.js`;
      if (!await holds(made, bundled)) throw new Error(`Cannot use ${path}: it does not hold its program`);
      await Deno.remove(made);
      console.log(`${target.triple}: ${path} compiles; on a stand-in for denort, so not kept`);
    });
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** Which compiler builds for a target, and why. */
async function choose(target: Target, wanted: string): Promise<{ compiler: Compiler; why: string }> {
  if (wanted === "bun") return { compiler: "bun", why: "asked for" };
  if (wanted === "deno") {
    if (target.deno) return { compiler: "deno", why: "asked for" };
    throw new Error(
      `Cannot build for ${target.triple} with Deno: it has no runtime for musl. Use COMPILER=bun`,
    );
  }
  if (wanted !== "auto") {
    throw new Error(`Cannot build with "${wanted}": the compilers are auto, bun and deno`);
  }
  if (!target.deno) return { compiler: "bun", why: "Deno has no runtime for musl" };
  const denort = await findDenort(target);
  if (denort === undefined) return { compiler: "bun", why: "there is no denort for it on this machine" };
  const fits = denort.endsWith(".zip") || await checkExecutable(denort, target).then(() => true, () => false);
  if (!fits) return { compiler: "bun", why: "DENORT_BIN is none for it" };
  return { compiler: "deno", why: "its denort is on this machine" };
}

async function main(args: readonly string[]): Promise<void> {
  const options = parseArgs(args, {
    string: ["target", "compiler"],
    unknown: (argument) => {
      throw new Error(`Unknown argument "${argument}"`);
    },
  });
  const target = String(options.target ?? "host");
  const wanted = String(options.compiler ?? "auto");
  const all = target === "all";
  for (const one of all ? targets.filter(({ deno }) => wanted !== "deno" || deno) : [findTarget(target)]) {
    const { compiler, why } = await choose(one, wanted);
    if (all && compiler === "deno" && await findDenort(one) === undefined) {
      await rehearse(one);
      continue;
    }
    const start = performance.now();
    await build(one, compiler);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${one.triple}: built with ${compiler} (${why}) in ${seconds} s`);
  }
}

if (import.meta.main) await runMain(main);
