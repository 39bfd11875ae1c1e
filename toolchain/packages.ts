/**
 * Makes packages of a release: `packages.ts [--release FOLDER] [--out FOLDER] [--repository URL]` writes those for npm
 * and the folder that a container image is built from, of executables that are as SHA256SUMS says.
 */
import { join } from "@std/path";
import { parseArgs } from "@std/cli/parse-args";
import { VERSION } from "../lib/contract/version.ts";
import { parseSums } from "../lib/release/sums.ts";
import { digest, dist, linkOrCopy } from "./dist.ts";
import { root } from "./root.ts";
import { runMain } from "./run-main.ts";
import { type Target, targets } from "./targets.ts";

const SOURCES = join(root, "packages");
const WRAPPER = "nonzero-hooks";
const THIRD_PARTY = "THIRD-PARTY-LICENSES";

/** The name of a target's executable among a release's files. */
export function executableName(target: Target): string {
  return `nonzero-${VERSION}-${target.triple}${target.exe}`;
}

/** The npm package that carries a target's executable. */
export function packageName({ npm }: Target): string {
  return [WRAPPER, npm.os, npm.cpu, ...npm.libc === "musl" ? ["musl"] : []].join("-");
}

/** What both kinds of package say. */
function common(description: string, repository: string | undefined): Record<string, unknown> {
  return {
    version: VERSION,
    description,
    license: "MIT",
    ...repository === undefined ? {} : { repository: { type: "git", url: `git+${repository}.git` } },
  };
}

/** What a package says of its executable; the size in bytes. */
export interface Executable {
  readonly sha256: string;
  readonly size: number;
}

/** The package.json of a target's package. */
export function platformManifest(
  target: Target,
  executable: Executable,
  repository?: string,
): Record<string, unknown> {
  const { os, cpu, libc } = target.npm;
  return {
    name: packageName(target),
    ...common(`The nonzero executable for ${target.triple}`, repository),
    os: [os],
    cpu: [cpu],
    ...libc === undefined ? {} : { libc: [libc] },
    preferUnplugged: true,
    nonzero: { target: target.triple, ...executable },
  };
}

/** The package.json of the package that users install. */
export function wrapperManifest(repository?: string): Record<string, unknown> {
  return {
    name: WRAPPER,
    ...common("Deterministic hooks for coding agents and evidence gates for CI", repository),
    bin: { nonzero: "nonzero.cjs" },
    engines: { node: ">=18" },
    optionalDependencies: Object.fromEntries(targets.map((target) => [packageName(target), VERSION])),
  };
}

/** What packages are made from and where they are put. */
export interface Making {
  readonly release: string;
  readonly out: string;
  /** Those whose executables are needed; all if not given. */
  readonly targets?: readonly Target[];
  readonly repository?: string | undefined;
}

const writeJson = (path: string, value: unknown) =>
  Deno.writeTextFile(path, `${JSON.stringify(value, null, 2)}\n`);

/** The digest of a release's file, which is as SHA256SUMS says. Throws Error where it is not. */
async function checkFile(release: string, name: string, sums: ReadonlyMap<string, string>): Promise<string> {
  const wanted = sums.get(name);
  if (wanted === undefined) throw new Error(`Cannot package ${name}: SHA256SUMS does not name it`);
  const found = await digest(join(release, name));
  if (found !== wanted) throw new Error(`Cannot package ${name}: its digest is not that of SHA256SUMS`);
  return found;
}

async function copyLicenses(release: string, folder: string): Promise<void> {
  await Deno.copyFile(join(root, "LICENSE"), join(folder, "LICENSE"));
  await Deno.copyFile(join(release, THIRD_PARTY), join(folder, THIRD_PARTY));
}

async function makePlatform(target: Target, sha256: string, making: Making): Promise<void> {
  const folder = join(making.out, "npm", packageName(target));
  await Deno.mkdir(join(folder, "bin"), { recursive: true });
  const program = join(folder, "bin", `nonzero${target.exe}`);
  await linkOrCopy(join(making.release, executableName(target)), program);
  if (Deno.build.os !== "windows") await Deno.chmod(program, 0o755);
  const executable = { sha256, size: (await Deno.stat(program)).size };
  await writeJson(join(folder, "package.json"), platformManifest(target, executable, making.repository));
  await copyLicenses(making.release, folder);
}

async function makeWrapper({ out, release, repository }: Making): Promise<void> {
  const folder = join(out, "npm", WRAPPER);
  await Deno.mkdir(folder, { recursive: true });
  await writeJson(join(folder, "package.json"), wrapperManifest(repository));
  for (const name of ["nonzero.cjs", "README.md"]) {
    await Deno.copyFile(join(SOURCES, "npm", name), join(folder, name));
  }
  await copyLicenses(release, folder);
}

/** The folder of a container image; a Linux machine's processor as Docker calls it. */
const IMAGES: Readonly<Record<string, string>> = {
  amd64: "x86_64-unknown-linux-gnu",
  arm64: "aarch64-unknown-linux-gnu",
};

async function makeImage(digests: ReadonlyMap<string, string>, { out, release }: Making): Promise<void> {
  const folder = join(out, "docker");
  await Deno.mkdir(folder, { recursive: true });
  let text = (await Deno.readTextFile(join(SOURCES, "docker", "Dockerfile"))).replace("{version}", VERSION);
  for (const [cpu, triple] of Object.entries(IMAGES)) {
    const target = targets.find((target) => target.triple === triple);
    const sha256 = digests.get(triple);
    if (target === undefined || sha256 === undefined) {
      throw new Error(`Cannot make an image without ${triple}`);
    }
    await linkOrCopy(join(release, executableName(target)), join(folder, cpu, "nonzero"));
    text = text.replace(`{sha256-${cpu}}`, sha256);
  }
  await Deno.writeTextFile(join(folder, "Dockerfile"), text);
  await copyLicenses(release, folder);
}

/**
 * Makes the packages of a release anew. The image is made where the executables for it are asked for.
 *
 * @throws {Error} Where an executable is missing or is not as SHA256SUMS says; then there are no packages.
 */
export async function makePackages(making: Making): Promise<void> {
  const { release, out } = making;
  await Deno.remove(out, { recursive: true }).catch(() => {});
  const sums = parseSums(await Deno.readTextFile(join(release, "SHA256SUMS")));
  await checkFile(release, THIRD_PARTY, sums);
  const chosen = making.targets ?? targets;
  const digests = new Map<string, string>();
  for (const target of chosen) {
    digests.set(target.triple, await checkFile(release, executableName(target), sums));
  }
  for (const target of chosen) await makePlatform(target, digests.get(target.triple) ?? "", making);
  await makeWrapper(making);
  if (Object.values(IMAGES).every((triple) => digests.has(triple))) await makeImage(digests, making);
}

async function main(args: readonly string[]): Promise<void> {
  const options = parseArgs(args, {
    string: ["release", "out", "repository"],
    unknown: (argument) => {
      throw new Error(`Unknown argument "${argument}"`);
    },
  });
  const making = {
    release: String(options.release ?? join(dist, "release")),
    out: String(options.out ?? join(dist, "packages")),
    repository: options.repository === undefined ? undefined : String(options.repository),
  };
  await makePackages(making);
  console.log(`${making.out}: packages of nonzero ${VERSION} for npm and a container image`);
}

if (import.meta.main) await runMain(main);
