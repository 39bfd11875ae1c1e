/** How each target's executables are run on this machine, or why they cannot be. */
import { join } from "@std/path";
import { registry } from "./registry.ts";
import { root as checkout } from "./root.ts";
import { findEntrance, listTree, makeRoot, readLibraries, type RootFile } from "./targets-root.ts";
import { LAUNCH, RANDOM } from "./targets-wine.ts";

/** A target's executables, ready to be run. */
export interface Place {
  /** The words before the path of an executable that run it. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The folder of the build, as tests/black-box.ts is told it. */
  readonly dist: string;
  /** A root folder that the executables see nothing outside of. */
  readonly root?: string;
  /** What they ran by and on. */
  readonly by: string;
  /** Test files of which they can show nothing there, and why. */
  readonly without?: { readonly files: readonly string[]; readonly why: string };
  /** A path of this machine as the executables see it. */
  readonly path: (path: string) => string;
  /** Of cases that differ in data alone, one in so many is enough, since a start takes seconds. */
  readonly every: number;
  /** Takes away what it has made. */
  readonly end: () => Promise<void>;
}

/** How a target is made ready to run here. */
export interface Way {
  /** Debian's packages that it takes, and a file by which each is seen to be there. */
  readonly packages: Readonly<Record<string, string>>;
  /**
   * Makes it ready; its build is there.
   *
   * @throws {Error} Where it cannot be run here: why.
   */
  readonly ready: () => Promise<Place>;
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Runs a program in the checkout on an input, and gives what it prints.
 *
 * @throws {Error} Where it fails.
 */
async function output(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = "",
): Promise<string> {
  const [program = "", ...args] = words;
  const child = new Deno.Command(program, {
    args: [...args],
    env: { ...env },
    cwd: checkout,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const feed = writer.write(new TextEncoder().encode(input)).then(() => writer.close()).catch(() => {});
  const [{ success, code, stdout, stderr }] = await Promise.all([child.output(), feed]);
  const text = new TextDecoder().decode(stdout);
  if (success) return text;
  throw new Error(
    `${words.join(" ").slice(0, 200)} failed with exit code ${code}: ${new TextDecoder().decode(stderr)}`,
  );
}

async function firstLine(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<string> {
  return (await output(words, env)).split("\n")[0]?.trim() ?? "";
}

/**
 * Installs what a target takes, where that can be done.
 *
 * @throws {Error} Where something is missing then.
 */
export async function provide({ packages }: Way): Promise<void> {
  const missing = () => Object.entries(packages).filter(([, file]) => !exists(file)).map(([name]) => name);
  if (missing().length === 0) return;
  const names = missing().join(", ");
  if (Deno.build.os !== "linux" || Deno.uid() !== 0 || !exists("/usr/bin/apt-get")) {
    throw new Error(`it takes Debian's packages ${names}`);
  }
  await output(["apt-get", "update", "-qq"]);
  await output(["apt-get", "install", "-y", "-qq", "--no-install-recommends", ...missing()], {
    DEBIAN_FRONTEND: "noninteractive",
  });
  if (missing().length > 0) throw new Error(`${names} lack what is looked for`);
}

const buildOf = (triple: string) => join(checkout, "dist", triple);
const nothing = () => Promise.resolve();
const same = (path: string) => path;

async function readyQemu(): Promise<Place> {
  const qemu = "/usr/bin/qemu-aarch64-static";
  const version = /version (\S+)/.exec(await firstLine([qemu, "--version"]))?.[1];
  return {
    words: [qemu, "-L", "/usr/aarch64-linux-gnu"],
    env: {},
    dist: buildOf("aarch64-unknown-linux-gnu"),
    by: `qemu-aarch64 ${version} in user mode, Debian's glibc for arm64`,
    path: same,
    every: 6,
    end: nothing,
  };
}

const WINE = "/usr/lib/wine/wine64";

async function readyWine(): Promise<Place> {
  const prefix = join(checkout, ".cache", "wine");
  const env = { WINEPREFIX: prefix, WINEDEBUG: "-all", HOME: join(checkout, ".cache") };
  const library = join(prefix, "drive_c", "windows", "system32", "bcryptprimitives.dll");
  const launch = join(prefix, "launch.exe");
  const compile = async (name: string, source: string, to: string, ...flags: readonly string[]) => {
    const file = join(prefix, `${name}.c`);
    if (exists(to) && await Deno.readTextFile(file).catch(() => "") === source) return;
    await output(["x86_64-w64-mingw32-gcc", ...flags, "-o", to, "-x", "c", "-", "-ladvapi32"], {}, source);
    await Deno.writeTextFile(file, source);
  };
  if (!exists(library)) {
    await Deno.mkdir(prefix, { recursive: true });
    await output([WINE, "wineboot", "--init"], env);
  }
  await compile("random", RANDOM, library, "-shared");
  await compile("launch", LAUNCH, launch);
  return {
    words: [WINE, launch],
    env,
    dist: buildOf("x86_64-pc-windows-msvc"),
    by:
      `Wine ${
        /\d\S*/.exec(await firstLine([WINE, "--version"], env))?.[0]
      } with a bcryptprimitives.dll made here; ` +
      "it has no symlinks, FIFOs or /dev, so the cases with those are not among them",
    path: (path) => `Z:${path.replaceAll("/", "\\")}`,
    every: 1,
    end: nothing,
  };
}

const SYSTEM = "/proc, and null, zero and full of /dev; no shell, no other program";

/** Puts a build into a root folder of its own with libraries, and nothing else. */
async function readyRoot(triple: string, libraries: readonly RootFile[], by: string): Promise<Place> {
  await Deno.mkdir(join(checkout, ".cache"), { recursive: true });
  const root = await Deno.realPath(
    await Deno.makeTempDir({ dir: join(checkout, ".cache"), prefix: "root-" }),
  );
  const end = () => Deno.remove(root, { recursive: true });
  try {
    const words = await findEntrance(root);
    if (!words) throw new Error("it takes root's rights or user namespaces");
    // Another user starts them, too, in some tests.
    await Deno.chmod(root, 0o755);
    const build = await listTree(buildOf(triple), `/${triple}`);
    await makeRoot(root, [...libraries, ...build], ["null", "zero", "full"]);
    return {
      words,
      env: { TMPDIR: join(root, "tmp") },
      dist: `/${triple}`,
      root,
      by,
      path: (path) => path.startsWith(`${root}/`) ? path.slice(root.length) : path,
      without: {
        files: ["tests/gates/pre-commit.test.ts", "tests/gates/commit.test.ts"],
        why: "pre-commit's own tests take git, which is not in there",
      },
      every: 1,
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function readyBare(): Promise<Place> {
  const triple = "x86_64-unknown-linux-gnu";
  if (Deno.build.target !== triple) throw new Error(`this machine is ${Deno.build.target}`);
  const names = ["nonzero", ...registry.map(({ folder, unit }) => `${folder}/${unit.name}`)];
  const libraries = new Map<string, RootFile>();
  for (const name of names) {
    for (const file of await readLibraries(join(buildOf(triple), name))) libraries.set(file.to, file);
  }
  const files = [...libraries.keys()].map((path) => path.split("/").at(-1)).sort();
  return await readyRoot(
    triple,
    [...libraries.values()],
    `a root with ${files.join(", ")}, ${SYSTEM}`,
  );
}

/** What glibc has and musl lacks of what libstdc++ was compiled to use. */
const GLIBC = `#include <stddef.h>
void *__dso_handle __attribute__((visibility("hidden"))) = 0;
char __libc_single_threaded = 0;
int _dl_find_object(void *address, void *result) { return -1; }
int getentropy(void *, size_t);
unsigned arc4random(void) { unsigned number = 0; getentropy(&number, sizeof number); return number; }
`;

/** The names that an executable may want of libstdc++. The tables of types are copied into it, and so count as its own. */
async function wanted(executable: string): Promise<readonly string[]> {
  const names = (await output(["nm", "-D", executable])).split("\n").map((line) =>
    /^.{16} [UuVBW] ([^@\s]+)/.exec(line)?.[1] ?? ""
  );
  return names.filter((name) => /^(?:_Z|__cxa_|__dynamic_cast)/.test(name));
}

async function readyMusl(): Promise<Place> {
  const triple = "x86_64-unknown-linux-musl";
  if (Deno.build.os !== "linux" || Deno.build.arch !== "x86_64") {
    throw new Error(`this machine is ${Deno.build.target}`);
  }
  const folder = join(checkout, ".cache", "musl");
  await Deno.mkdir(folder, { recursive: true });
  const library = join(folder, "libstdc++.so.6");
  await Deno.writeTextFile(join(folder, "glibc.c"), GLIBC);
  const archives = await Promise.all(
    ["libstdc++.a", "libgcc_eh.a", "libgcc.a"].map((name) => firstLine(["gcc", `-print-file-name=${name}`])),
  );
  // Debian has no libstdc++ for musl: the parts that are wanted, of the one for glibc, do.
  await output([
    "gcc",
    "-shared",
    "-fPIC",
    "-nostdlib",
    "-Wl,-soname,libstdc++.so.6",
    "-o",
    library,
    join(folder, "glibc.c"),
    ...(await wanted(join(buildOf(triple), "nonzero"))).map((name) => `-Wl,-u,${name}`),
    ...archives,
  ]);
  const loader = "/lib/ld-musl-x86_64.so.1";
  // It tells its version on standard error and fails, since it was given nothing to run.
  const told = await new Deno.Command(loader).output();
  const version = /^Version (\S+)/m.exec(new TextDecoder().decode(told.stderr))?.[1];
  const gcc = await firstLine(["gcc", "-dumpfullversion"]);
  return await readyRoot(
    triple,
    [{ from: loader, to: loader }, { from: library, to: "/usr/lib/libstdc++.so.6" }],
    `a root with musl ${version}, a libstdc++.so.6 linked against it of GCC ${gcc}'s objects (Debian has none for ` +
      `musl), ${SYSTEM}`,
  );
}

const HEADERS = "their headers are looked at when they are built";

/** How the targets are run, by their triples; of those that never are, why. */
export const ways: Readonly<Record<string, Way | { readonly why: string }>> = {
  "x86_64-unknown-linux-gnu": { packages: {}, ready: readyBare },
  "aarch64-unknown-linux-gnu": {
    packages: {
      "qemu-user-static": "/usr/bin/qemu-aarch64-static",
      "libc6-arm64-cross": "/usr/aarch64-linux-gnu/lib/libc.so.6",
    },
    ready: readyQemu,
  },
  "x86_64-unknown-linux-musl": {
    packages: { musl: "/lib/ld-musl-x86_64.so.1", "g++": "/usr/bin/g++" },
    ready: readyMusl,
  },
  "aarch64-unknown-linux-musl": {
    why: "Debian for amd64 has neither musl nor a libstdc++ for musl for that processor",
  },
  "x86_64-apple-darwin": { why: `nothing here runs programs for macOS; ${HEADERS}` },
  "aarch64-apple-darwin": { why: `nothing here runs programs for macOS; ${HEADERS}` },
  "x86_64-pc-windows-msvc": {
    packages: {
      wine64: WINE,
      wine: "/usr/bin/wine",
      "gcc-mingw-w64-x86-64": "/usr/bin/x86_64-w64-mingw32-gcc",
    },
    ready: readyWine,
  },
  "aarch64-pc-windows-msvc": { why: `Wine here runs programs for x86-64 alone; ${HEADERS}` },
};
