/** How each target's executables are run on this machine, or why they cannot be. */
import { join } from "@std/path";
import { registry } from "./registry.ts";
import { root as checkout } from "./root.ts";
import { type Processor, provideMusl } from "./targets-musl.ts";
import { findEntrance, listTree, makeRoot, readLibraries, type RootFile } from "./targets-root.ts";
import { exists, firstLine, output } from "./targets-run.ts";
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
    env: { DEBIAN_FRONTEND: "noninteractive" },
  });
  if (missing().length > 0) throw new Error(`${names} lack what is looked for`);
}

const buildOf = (triple: string) => join(checkout, "dist", triple);
const nothing = () => Promise.resolve();
const same = (path: string) => path;

const QEMU = "/usr/bin/qemu-aarch64-static";

/** arm64 by qemu, with a folder in which libraries are looked for before the system's. */
async function emulate(triple: string, folder: string, libraries: string): Promise<Place> {
  const version = /version (\S+)/.exec(await firstLine([QEMU, "--version"]))?.[1];
  return {
    words: [QEMU, "-L", folder],
    env: {},
    dist: buildOf(triple),
    by: `qemu-aarch64 ${version} in user mode, ${libraries}`,
    path: same,
    every: 10,
    end: nothing,
  };
}

function readyQemu(): Promise<Place> {
  return emulate("aarch64-unknown-linux-gnu", "/usr/aarch64-linux-gnu", "Debian's glibc for arm64");
}

const WINE = "/usr/lib/wine/wine64";
const WINESERVER = "/usr/lib/wine/wineserver64";

async function readyWine(): Promise<Place> {
  const prefix = join(checkout, ".cache", "wine");
  const env = { WINEPREFIX: prefix, WINEDEBUG: "-all", HOME: join(checkout, ".cache") };
  const library = join(prefix, "drive_c", "windows", "system32", "bcryptprimitives.dll");
  const launch = join(prefix, "launch.exe");
  const compile = async (name: string, source: string, to: string, ...flags: readonly string[]) => {
    const file = join(prefix, `${name}.c`);
    if (exists(to) && await Deno.readTextFile(file).catch(() => "") === source) return;
    await output(["x86_64-w64-mingw32-gcc", ...flags, "-o", to, "-x", "c", "-", "-ladvapi32"], {
      input: source,
    });
    await Deno.writeTextFile(file, source);
  };
  if (!exists(library)) {
    await Deno.mkdir(prefix, { recursive: true });
    await output([WINE, "wineboot", "--init"], { env });
  }
  await compile("random", RANDOM, library, "-shared");
  await compile("launch", LAUNCH, launch);
  // A server that stays, or each program would boot the whole of Windows, and has booted, or its services would be given
  // the standard streams of the first program for ever.
  const stop = async () => void await output([WINESERVER, "-k"], { env }).catch(() => {});
  await stop();
  const streams = { stdin: "null", stdout: "null", stderr: "null" } as const;
  await new Deno.Command(WINESERVER, { args: ["-p"], env, ...streams }).spawn().status;
  await new Deno.Command(WINE, { args: ["wineboot"], env, ...streams }).spawn().status;
  return {
    words: [WINE, launch],
    env,
    dist: buildOf("x86_64-pc-windows-msvc"),
    by:
      `Wine ${
        /\d\S*/.exec(await firstLine([WINE, "--version"], { env }))?.[0]
      } with a bcryptprimitives.dll made here; ` +
      "it has no symlinks, FIFOs or /dev, so the cases with those are not among them",
    path: (path) => `Z:${path.replaceAll("/", "\\")}`,
    every: 1,
    end: stop,
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

const X64: Processor = { debian: "amd64", musl: "x86_64", gcc: "" };
const ARM64: Processor = { debian: "arm64", musl: "aarch64", gcc: "aarch64-linux-gnu-" };

async function readyMusl(): Promise<Place> {
  const triple = "x86_64-unknown-linux-musl";
  if (Deno.build.os !== "linux" || Deno.build.arch !== "x86_64") {
    throw new Error(`this machine is ${Deno.build.target}`);
  }
  const { files, by } = await provideMusl(join(buildOf(triple), "nonzero"), X64, true);
  return await readyRoot(triple, files, `a root with ${by}, ${SYSTEM}`);
}

async function readyQemuMusl(): Promise<Place> {
  const triple = "aarch64-unknown-linux-musl";
  const { files, by } = await provideMusl(join(buildOf(triple), "nonzero"), ARM64, false);
  const folder = join(checkout, ".cache", "musl-arm64", "system");
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await makeRoot(folder, files, []);
  return await emulate(triple, folder, by);
}

const HEADERS = "their headers are looked at when they are built";

/** How the targets are run, by their triples; of those that never are, why. */
export const ways: Readonly<Record<string, Way | { readonly why: string }>> = {
  "x86_64-unknown-linux-gnu": { packages: {}, ready: readyBare },
  "aarch64-unknown-linux-gnu": {
    packages: {
      "qemu-user-static": QEMU,
      "libc6-arm64-cross": "/usr/aarch64-linux-gnu/lib/libc.so.6",
    },
    ready: readyQemu,
  },
  "x86_64-unknown-linux-musl": {
    packages: { musl: "/lib/ld-musl-x86_64.so.1", "g++": "/usr/bin/g++" },
    ready: readyMusl,
  },
  "aarch64-unknown-linux-musl": {
    packages: {
      "qemu-user-static": QEMU,
      "g++-aarch64-linux-gnu": "/usr/bin/aarch64-linux-gnu-g++",
      musl: "/lib/ld-musl-x86_64.so.1",
    },
    ready: readyQemuMusl,
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
