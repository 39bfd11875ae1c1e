import { createHash } from "node:crypto";
import { join } from "@std/path";
import { parseSums } from "../../lib/release/sums.ts";
import type { Target } from "../targets.ts";
import type { ArchiveEntry } from "./tar.ts";

/** What a target's folder in dist holds. */
export interface Build {
  readonly program: Uint8Array;
  /** The paths at which the program stands under other names. */
  readonly links: readonly string[];
  /** Every other file by its path, without SHA256SUMS. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/**
 * Reads a build that is one program under many names.
 *
 * @throws {Error} Where a file is not what its SHA256SUMS says.
 */
export async function readBuild(folder: string, { exe }: Pick<Target, "exe">): Promise<Build> {
  const sums = parseSums(await Deno.readTextFile(join(folder, "SHA256SUMS")));
  const read = async (path: string) => {
    const bytes = await Deno.readFile(join(folder, path));
    if (sha256(bytes) === sums.get(path)) return bytes;
    throw new Error(`Cannot pack ${folder}: ${path} is not what SHA256SUMS says`);
  };
  const name = `nonzero${exe}`;
  const program = await read(name);
  const files = new Map<string, Uint8Array>();
  const links: string[] = [];
  for (const [path, sum] of sums) {
    if (path === name) continue;
    const bytes = await read(path);
    if (sum === sums.get(name)) links.push(path);
    else files.set(path, bytes);
  }
  return { program, links, files };
}

/** Every folder on the way to a file, from the top down. */
function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

type File = { readonly bytes: Uint8Array; readonly executable: boolean } | { readonly link: string };

/** Files as entries of an archive below one folder: the first one first, since links lead to it, then by name. */
function inOrder(root: string, files: ReadonlyMap<string, File>): ArchiveEntry[] {
  const [first = "", ...rest] = files.keys();
  const made = new Set<string>();
  const entries = [first, ...rest.sort()].flatMap((path) => {
    const name = `${root}/${path}`;
    const folders = foldersOf(name).filter((folder) => !made.has(folder));
    folders.forEach((folder) => made.add(folder));
    const file = files.get(path);
    if (file === undefined) return [];
    const entry: ArchiveEntry = "link" in file
      ? { kind: "link", name, target: `${root}/${file.link}` }
      : { kind: "file", name, ...file };
    return [...folders.map((folder): ArchiveEntry => ({ kind: "folder", name: folder })), entry];
  });
  return entries;
}

/**
 * What the archive of a target holds, below one folder, with a SHA256SUMS of its own. In a tar file: the build as it
 * is, with the program once and its other names as links to it. In a zip file, which has no links: the program and the
 * plugin, whose folder the archive's own is then.
 *
 * @param more Files that stand beside the program, such as LICENSE.
 */
export function archiveEntries(
  root: string,
  { program, links, files }: Build,
  more: ReadonlyMap<string, Uint8Array>,
  { exe }: Pick<Target, "exe">,
): ArchiveEntry[] {
  const zipped = exe !== "";
  const name = `nonzero${exe}`;
  const all = new Map<string, File>([[name, { bytes: program, executable: true }]]);
  const add = (path: string, bytes: Uint8Array) => {
    if (all.has(path)) throw new Error(`Cannot pack ${root}: it has ${path} twice`);
    all.set(path, { bytes, executable: false });
  };
  for (const [path, bytes] of files) add(zipped ? path.replace(/^plugin\//, "") : path, bytes);
  for (const [path, bytes] of more) add(path, bytes);
  if (!zipped) { for (const path of links) all.set(path, { link: name }); }
  const sum = sha256(program);
  const lines = [...all].map(([path, file]) =>
    `${"link" in file || path === name ? sum : sha256(file.bytes)}  ${path}\n`
  );
  const byName = (line: string) => line.slice(66);
  lines.sort((a, b) => byName(a) < byName(b) ? -1 : 1);
  add("SHA256SUMS", new TextEncoder().encode(lines.join("")));
  return inOrder(root, all);
}
