import { createHash } from "node:crypto";
import { dirname, join, relative } from "@std/path";
import { DESCRIPTION, pluginHooks } from "../lib/cli/list.ts";
import type { Entry, Permissions } from "../lib/contract/entry.ts";
import { VERSION } from "../lib/contract/version.ts";
import { unite } from "./permissions.ts";
import { root } from "./root.ts";
import type { Target } from "./targets.ts";

/** Where builds are put, one folder a target. */
export const dist: string = join(root, "dist");

/** The commit that is checked out, and whether the files differ from it. */
export interface Source {
  readonly commit: string;
  readonly dirty: boolean;
}

/** What BUILD.json says: enough to make the same bytes again, and nothing of the machine or the moment. */
export interface BuildRecord {
  readonly name: "nonzero";
  readonly version: string;
  /** Null where the files are no checkout. */
  readonly source: Source | null;
  readonly target: string;
  readonly compiler: { readonly name: "bun" | "deno"; readonly version: string };
  /** What the program is put on, and the digest of it that was checked. */
  readonly runtime: { readonly from: string; readonly integrity: string };
  /** What the runtime no longer obeys. */
  readonly hardening: readonly string[];
  /** Whether each executable is held to its permissions by its runtime. */
  readonly sandboxed: boolean;
  readonly entries: readonly { readonly path: string; readonly permissions: Permissions }[];
  /** The plugin's program, and all that its hooks and gates may do. */
  readonly plugin: { readonly path: string; readonly permissions: Permissions };
}

/** An entry's executable, relative to its target's folder. */
export function entryPath(entry: Entry, target: Target): string {
  return `${entry.folder}/${entry.unit.name}${target.exe}`;
}

/** What a plugin holds beside its commands and the program, by its place in the plugin. */
export function pluginFiles(target: Target, registry: readonly Entry[]): Readonly<Record<string, string>> {
  const manifest = {
    name: "nonzero",
    version: VERSION,
    description: DESCRIPTION,
    author: { name: "nonzero" },
    license: "MIT",
  };
  return {
    ".claude-plugin/plugin.json": `${JSON.stringify(manifest, null, 2)}\n`,
    "hooks/hooks.json": pluginHooks(registry, target.exe),
  };
}

async function git(...args: string[]): Promise<string | undefined> {
  try {
    const { success, stdout } = await new Deno.Command("git", {
      args: ["--no-optional-locks", ...args],
      cwd: root,
    })
      .output();
    return success ? new TextDecoder().decode(stdout) : undefined;
  } catch {
    return undefined;
  }
}

/** Asks git for what is built; null where this folder is not the top of a checkout. */
export async function readSource(): Promise<Source | null> {
  const [prefix, commit] = (await git("rev-parse", "--show-prefix", "HEAD"))?.split("\n") ?? [];
  const status = await git("status", "--porcelain");
  if (prefix !== "" || !commit || status === undefined) return null;
  return { commit, dirty: status !== "" };
}

/** The text of BUILD.json. */
export function buildRecord(
  build: Pick<BuildRecord, "source" | "compiler" | "runtime" | "hardening">,
  target: Target,
  registry: readonly Entry[],
): string {
  const record: BuildRecord = {
    name: "nonzero",
    version: VERSION,
    source: build.source,
    target: target.triple,
    compiler: build.compiler,
    runtime: build.runtime,
    hardening: build.hardening,
    sandboxed: build.compiler.name === "deno",
    entries: registry.map((entry) => ({ path: entryPath(entry, target), permissions: entry.permissions })),
    plugin: {
      path: `plugin/nonzero${target.exe}`,
      permissions: unite(registry.map(({ permissions }) => permissions)),
    },
  };
  return `${JSON.stringify(record, null, 2)}\n`;
}

async function listFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    found.push(...isDirectory ? await listFiles(path) : [path]);
  }
  return found;
}

/** The SHA-256 of a file, in hexadecimal. */
export async function digest(path: string): Promise<string> {
  return createHash("sha256").update(await Deno.readFile(path)).digest("hex");
}

/** The text of SHA256SUMS, as `sha256sum -c` reads it: every file under the folder, links too. */
export async function checksums(folder: string): Promise<string> {
  // Links to one file are read once.
  const known = new Map<string, string>();
  const lines: string[] = [];
  for (const path of await listFiles(folder)) {
    const { dev, ino } = await Deno.stat(path);
    const file = ino === null ? path : `${dev}:${ino}`;
    const sum = known.get(file) ?? await digest(path);
    known.set(file, sum);
    lines.push(`${sum}  ${relative(folder, path).replaceAll("\\", "/")}\n`);
  }
  const name = (line: string) => line.slice(66);
  return lines.sort((a, b) => name(a) < name(b) ? -1 : 1).join("");
}

/** A second name for a file; a copy where the file system has no links. */
export async function linkOrCopy(file: string, name: string): Promise<void> {
  await Deno.mkdir(dirname(name), { recursive: true });
  await Deno.link(file, name).catch(() => Deno.copyFile(file, name));
}

/**
 * Makes the plugin's folder of a build whose program is there. A client that installs a plugin copies links as whole
 * files, so it holds the one program and no hook or gate.
 */
export async function makePlugin(stage: string, target: Target, registry: readonly Entry[]): Promise<void> {
  const plugin = join(stage, "plugin");
  const program = `nonzero${target.exe}`;
  await linkOrCopy(join(stage, program), join(plugin, program));
  for (const [path, text] of Object.entries(pluginFiles(target, registry))) {
    await Deno.mkdir(dirname(join(plugin, path)), { recursive: true });
    await Deno.writeTextFile(join(plugin, path), text);
  }
  const commands = join(root, "commands");
  for (const { name } of await Array.fromAsync(Deno.readDir(commands)).catch(() => [])) {
    if (!name.endsWith(".md")) continue;
    await Deno.mkdir(join(plugin, "commands"), { recursive: true });
    await Deno.copyFile(join(commands, name), join(plugin, "commands", name));
  }
}

/** An empty folder beside the builds, to be put in a build's place when it is whole. */
export async function makeStage(): Promise<string> {
  await Deno.mkdir(dist, { recursive: true });
  const stage = await Deno.makeTempDir({ dir: dist, prefix: ".new-" });
  if (Deno.build.os !== "windows") await Deno.chmod(stage, 0o755);
  for (const folder of ["hooks", "gates"]) await Deno.mkdir(join(stage, folder));
  return stage;
}

/** Puts a whole build in its target's place. */
export async function publish(stage: string, target: Target): Promise<void> {
  const place = join(dist, target.triple);
  const old = `${stage}-old`;
  const had = await Deno.rename(place, old).then(() => true, () => false);
  await Deno.rename(stage, place);
  if (had) await Deno.remove(old, { recursive: true });
  if (target.triple !== Deno.build.target) return;
  const link = join(dist, "host");
  await Deno.remove(link, { recursive: true }).catch(() => {});
  await Deno.symlink(target.triple, link, { type: "junction" });
}
