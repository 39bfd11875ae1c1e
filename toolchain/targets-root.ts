/** Root folders that hold an executable with what the system needs to start it, and nothing else. For Linux. */
import { dirname, join } from "@std/path";
import { linkOrCopy } from "./dist.ts";
import { root as checkout } from "./root.ts";
import { output } from "./targets-run.ts";

/** A file of a root: where it comes from, and its absolute path in there. */
export interface RootFile {
  readonly from: string;
  readonly to: string;
}

/**
 * What this machine's loader loads for an executable, the loader among it, as `ldd` tells it.
 *
 * @throws {Error} Where a library is missing, or the executable is none of this machine's.
 */
export async function readLibraries(executable: string): Promise<readonly RootFile[]> {
  const lines = (await output(["ldd", executable])).split("\n");
  const missing = lines.filter((line) => line.includes("not found"));
  if (missing.length > 0) throw new Error(`${executable} lacks ${missing.join(",").trim()}`);
  return lines.flatMap((line) => {
    const path = /(\/\S+) \(0x/.exec(line)?.[1];
    return path === undefined ? [] : [{ from: path, to: path }];
  });
}

/** Every file under a folder, with its place under another. */
export async function listTree(from: string, to: string): Promise<readonly RootFile[]> {
  const files: RootFile[] = [];
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    const [source, place] = [join(from, name), join(to, name)];
    files.push(...isDirectory ? await listTree(source, place) : [{ from: source, to: place }]);
  }
  return files;
}

/**
 * Fills a root folder with files, links that are followed as what they lead to, and with the empty folders `/tmp` and
 * `/proc` and places for devices, by their names in `/dev`.
 */
export async function makeRoot(
  root: string,
  files: readonly RootFile[],
  devices: readonly string[],
): Promise<void> {
  for (const folder of ["proc", "tmp", "dev"]) await Deno.mkdir(join(root, folder), { recursive: true });
  for (const device of devices) await Deno.writeTextFile(join(root, "dev", device), "");
  for (const { from, to } of files) {
    await Deno.mkdir(dirname(join(root, to)), { recursive: true });
    await linkOrCopy(await Deno.realPath(from), join(root, to));
  }
}

const ENTER = join(checkout, "toolchain", "enter-root.sh");

/** Means to become one who may enter a root: as root itself, or in a namespace where the user is one. */
const MEANS = [["unshare", "--mount"], ["unshare", "--map-root-user", "--mount"]] as const;

/**
 * The words that run a program in a root folder; undefined where the system lets this user do no such thing.
 *
 * @param root An absolute path without links and spaces. The program that follows is named by its path in there.
 */
export async function findEntrance(root: string): Promise<readonly string[] | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  for (const means of MEANS) {
    // What enter-root.sh does first.
    const trial = output([...means, "sh", "-c", "mount --rbind /proc /proc && unshare --root=/ true"]);
    if (await trial.then(() => true, () => false)) return [...means, "sh", ENTER, root];
  }
  return undefined;
}
