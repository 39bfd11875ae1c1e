import { join } from "@std/path";
import { root } from "./root.ts";
import { findTarget, type Target, targets } from "./targets.ts";

/** The two programs that npm brings for each target. */
export type Tool = "bun" | "deno";

/** A package as the lock file pins it. */
export interface Pinned {
  readonly package: string;
  readonly version: string;
  readonly integrity: string;
}

/** A pinned binary on this machine. */
export interface Runtime extends Pinned {
  readonly path: string;
}

interface Lock {
  readonly packages: Readonly<Record<string, Omit<Pinned, "package">>>;
}

/**
 * What the lock file says of a target's package.
 *
 * @throws {Error} Where the target has no such package, or the lock file does not hold it.
 */
export function locked(lockText: string, target: Target, tool: Tool): Pinned {
  const name = target[tool]?.package;
  if (name === undefined) throw new Error(`Cannot get ${tool} for ${target.triple}: there is none`);
  const entry = (JSON.parse(lockText) as Lock).packages[`node_modules/${name}`];
  if (!entry?.version || !entry.integrity) {
    throw new Error(`Cannot get ${name}: toolchain/package-lock.json does not pin it`);
  }
  return { package: name, version: entry.version, integrity: entry.integrity };
}

/** The two files by which npm installs one package of the lock file and no other, with its digest checked. */
export function manifests(pinned: Pinned): { package: string; lock: string } {
  const dependencies = { [pinned.package]: pinned.version };
  const manifest = { name: "nonzero-runtime", private: true, dependencies };
  const lock = {
    name: manifest.name,
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": { name: manifest.name, dependencies },
      [`node_modules/${pinned.package}`]: { version: pinned.version, integrity: pinned.integrity },
    },
  };
  const text = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  return { package: text(manifest), lock: text(lock) };
}

async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Installs the package beside its place and puts it there only when npm has checked and unpacked all of it. */
async function fetchInto(
  folder: string,
  target: Target,
  wanted: { package: string; lock: string },
): Promise<void> {
  const parent = join(root, ".cache", "runtimes");
  await Deno.mkdir(parent, { recursive: true });
  const fresh = await Deno.makeTempDir({ dir: parent, prefix: "fetch-" });
  try {
    await Deno.writeTextFile(join(fresh, "package.json"), wanted.package);
    await Deno.writeTextFile(join(fresh, "package-lock.json"), wanted.lock);
    const words = Object.entries(target.npm).map(([key, value]) => `--${key}=${value}`);
    const { success } = await new Deno.Command(Deno.build.os === "windows" ? "npm.cmd" : "npm", {
      args: [
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        "--prefer-offline",
        ...words,
      ],
      cwd: fresh,
      stdout: "null",
    }).output();
    if (!success) throw new Error(`Cannot get the runtime of ${target.triple}: npm failed`);
    await Deno.remove(folder, { recursive: true }).catch(() => {});
    await Deno.rename(fresh, folder);
  } finally {
    await Deno.remove(fresh, { recursive: true }).catch(() => {});
  }
}

/**
 * A target's Bun or Deno: this machine's is in toolchain/node_modules, any other is fetched once, by npm, which checks
 * it against the lock file.
 *
 * @throws {Error} Where there is none, or it cannot be fetched.
 */
export async function getRuntime(target: Target, tool: Tool): Promise<Runtime> {
  const pinned = locked(await Deno.readTextFile(join(root, "toolchain/package-lock.json")), target, tool);
  const file = join("node_modules", pinned.package, target[tool]?.file ?? "");
  const ours = join(root, "toolchain");
  if (await readOptional(join(ours, "node_modules", pinned.package, "package.json")) !== undefined) {
    return { ...pinned, path: join(ours, file) };
  }
  const folder = join(root, ".cache/runtimes", `${target.triple}-${tool}`);
  const wanted = manifests(pinned);
  if (await readOptional(join(folder, "package-lock.json")) !== wanted.lock) {
    console.log(`fetching ${pinned.package} ${pinned.version}`);
    await fetchInto(folder, target, wanted);
  }
  return { ...pinned, path: join(folder, file) };
}

if (import.meta.main) {
  for (const target of Deno.args.length > 0 ? Deno.args.map(findTarget) : targets) {
    await getRuntime(target, "bun");
    if (target.deno) await getRuntime(target, "deno");
  }
}
