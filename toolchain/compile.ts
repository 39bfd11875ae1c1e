import { basename, join, resolve } from "@std/path";
import type { Permissions } from "../lib/contract/entry.ts";
import { harden } from "./harden.ts";
import { denoFlags } from "./permissions.ts";
import { root } from "./root.ts";
import type { Runtime } from "./runtime.ts";
import { checkSignature, signAdHoc } from "./signature.ts";
import type { Target } from "./targets.ts";
import { nameProgram } from "./version-info.ts";

/** What a compiler gets of the environment: nothing that could change its output. */
function environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = ["PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR", "DENO_DIR"];
  const own = kept.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(own), DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1", ...extra };
}

async function run(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string> },
): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd: options.cwd,
    clearEnv: true,
    env: environment(options.env),
    stdin: "null",
  }).output();
  if (success) return;
  const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  throw new Error(`Cannot build: ${program} ${args[0]} failed\n${said.trimEnd()}`);
}

async function copy(from: string, to: string): Promise<void> {
  const { isDirectory } = await Deno.stat(from);
  if (!isDirectory) return await Deno.copyFile(from, to);
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(from)) await copy(join(from, name), join(to, name));
}

/**
 * A folder to compile in, with a copy of the product's sources. All names in it are the same for every checkout, since
 * Bun's output depends on them; and it has a package.json and a tsconfig.json, since esbuild and Bun heed the nearest
 * ones above a file, such as a stranger's `"sideEffects": false`.
 */
export async function makeWorkFolder(): Promise<string> {
  const parent = join(root, ".cache", "build");
  await Deno.mkdir(parent, { recursive: true });
  const folder = await Deno.makeTempDir({ dir: parent });
  await Deno.writeTextFile(join(folder, "package.json"), "{}\n");
  await Deno.writeTextFile(join(folder, "tsconfig.json"), "{}\n");
  await Deno.mkdir(join(folder, "source"));
  for (const name of ["deno.json", "deno.lock", "gates", "hooks", "lib", "nonzero.ts"]) {
    await copy(join(root, name), join(folder, "source", name));
  }
  return folder;
}

/**
 * Puts a program's source and all that it imports into one file of JavaScript.
 *
 * @param source Its path below the folder.
 * @param folder A work folder's sources, where the output must be the same on every machine.
 */
export async function bundle(source: string, output: string, folder: string = root): Promise<void> {
  const args = ["bundle", "--quiet", "--frozen", "--minify", `--output=${output}`, source];
  await run(Deno.execPath(), args, { cwd: folder, env: { DENO_NO_PACKAGE_JSON: "1" } });
  // Deno embeds the time of what it compiles.
  await Deno.utime(output, 0, 0);
}

/** What one part of a program calls another by, as the bundler writes it. */
const PART = /"\.\/([\w.-]+\.js)"/g;

/** The names of a program's parts, in the order in which they are mentioned from the first one on. */
function orderParts(first: string, texts: ReadonlyMap<string, string>): readonly string[] {
  const names = new Set([first]);
  // A set gives what is added to it meanwhile, too.
  for (const name of names) {
    for (const [, other = ""] of texts.get(name)?.matchAll(PART) ?? []) {
      if (texts.has(other)) names.add(other);
    }
  }
  return [...names];
}

/**
 * Puts a program's source and all that it imports into `<name>.js` of the work folder, and what it loads only when it
 * is needed into parts of their own beside it, `<name>.1.js` and so on.
 *
 * @param source Its path below the work folder's sources.
 */
export async function bundleInParts(source: string, name: string, work: string): Promise<void> {
  const folder = await Deno.makeTempDir({ dir: work });
  const args = [
    "bundle",
    "--quiet",
    "--frozen",
    "--minify",
    "--code-splitting",
    `--outdir=${folder}`,
    source,
  ];
  await run(Deno.execPath(), args, { cwd: join(work, "source"), env: { DENO_NO_PACKAGE_JSON: "1" } });
  const texts = new Map<string, string>();
  for await (const part of Deno.readDir(folder)) {
    texts.set(part.name, await Deno.readTextFile(join(folder, part.name)));
  }
  const parts = orderParts(`${basename(source, ".ts")}.js`, texts);
  if (parts.length !== texts.size) throw new Error(`Cannot build: ${source} has parts that nothing mentions`);
  // The bundler names them after a digest that depends on where Deno's cache lies.
  const names = new Map(parts.map((part, at) => [part, at === 0 ? `${name}.js` : `${name}.${at}.js`]));
  for (const [part, text] of texts) {
    await Deno.writeTextFile(
      join(work, names.get(part) ?? part),
      text.replace(PART, (mention, other) => names.has(other) ? `"./${names.get(other)}"` : mention),
    );
  }
  await Deno.remove(folder, { recursive: true });
}

/**
 * Compiles `<name>.js` of the work folder and the parts that it loads with Bun, on a hardened copy of the target's
 * runtime. Each part stays one by itself in the executable, so that a hook starts without what others need.
 *
 * @param compiler This machine's Bun.
 * @returns The path of the executable.
 */
export async function compileWithBun(
  { work, name, target, compiler, runtime }: {
    work: string;
    name: string;
    target: Target;
    compiler: Runtime;
    runtime: Runtime;
  },
): Promise<string> {
  const hardened = harden(await Deno.readFile(runtime.path), target);
  const named = target.format === "PE" ? nameProgram(hardened) : hardened;
  await Deno.writeFile(join(work, `runtime${target.exe}`), named, { mode: 0o755 });
  await run(compiler.path, [
    "build",
    "--compile",
    "--bytecode",
    "--format=esm",
    "--splitting",
    // Whatever is loaded is in the executable.
    "--reject-unresolved",
    // A guard runs for some milliseconds: code is to be compiled at run time only where it takes far longer, since
    // the threads that do it would fight with the one that judges.
    "--compile-jit-policy=10",
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    "--no-compile-autoload-tsconfig",
    "--no-compile-autoload-package-json",
    `--target=${target.bun.target}`,
    `--compile-executable-path=runtime${target.exe}`,
    `--outfile=${name}${target.exe}`,
    `${name}.js`,
  ], { cwd: work });
  const made = join(work, name + target.exe);
  if (target.format === "Mach-O") {
    const image = await Deno.readFile(made);
    // Bun signs for arm64 alone.
    const signed = target.cpu === "x64" ? signAdHoc(image) : image;
    checkSignature(signed);
    await Deno.writeFile(made, signed);
  }
  return made;
}

/**
 * Compiles `<name>.js` of the work folder with Deno and these permissions.
 *
 * @param denort The runtime; undefined: the one that Deno has, or fetches.
 * @returns The path of the executable.
 */
export async function compileWithDeno(
  { work, name, target, permissions, denort }: {
    work: string;
    name: string;
    target: Target;
    permissions: Permissions;
    denort?: string | undefined;
  },
): Promise<string> {
  await run(Deno.execPath(), [
    "compile",
    "--quiet",
    "--no-check",
    "--no-config",
    "--no-lock",
    "--no-remote",
    "--no-npm",
    "--node-modules-dir=none",
    // An executable would write its code cache to a shared folder, and trust what it finds there.
    "--no-code-cache",
    ...denoFlags(permissions),
    `--target=${target.triple}`,
    `--output=${name}${target.exe}`,
    `${name}.js`,
  ], { cwd: work, ...(denort === undefined ? {} : { env: { DENORT_BIN: denort } }) });
  return join(work, name + target.exe);
}

/** Where a target's denort is on this machine, as Deno itself looks for it; undefined if it is not there. */
export async function findDenort(target: Target): Promise<string | undefined> {
  const named = Deno.env.get("DENORT_BIN");
  if (named) return resolve(named);
  const cache = Deno.env.get("DENO_DIR");
  if (!cache) return undefined;
  const zip = join(cache, "dl", "release", `v${Deno.version.deno}`, `denort-${target.triple}.zip`);
  return await Deno.stat(zip).then(() => zip, () => undefined);
}
