/** Runs the built executables, and the same programs under `deno run`, as a user's agent would: from outside. */
import { dirname, fromFileUrl, join } from "@std/path";
import { commandPermissions } from "../nonzero.ts";
import { registry } from "../toolchain/registry.ts";
import { denoFlags, unite } from "../toolchain/permissions.ts";

export const ROOT = dirname(dirname(fromFileUrl(import.meta.url)));

const DENO = Deno.execPath();
const EXE = Deno.build.os === "windows" ? ".exe" : "";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One way to have the programs: a compiler's output, or the sources under the compiler's own permissions. */
export interface Flavour {
  readonly name: string;
  /** The words that start a hook or gate, to which its arguments are added. */
  readonly start: (name: string) => readonly string[];
  /** Whether the programs see the file system as this machine's, symlinks and all. */
  readonly posix: boolean;
  /** A path of this machine as the programs see it. */
  readonly path: (path: string) => string;
  /** The environment that makes a folder the user's home, with more variables beside it. */
  readonly home: (folder: string, more?: Readonly<Record<string, string>>) => Record<string, string>;
}

/** What the one program may do: all that its commands, hooks and gates may. */
const united = unite([commandPermissions, ...registry.map(({ permissions }) => permissions)]);

function underDeno(name: string): readonly string[] {
  if (name === "nonzero") return [DENO, "run", ...denoFlags(united), join(ROOT, "nonzero.ts")];
  const entry = registry.find(({ unit }) => unit.name === name);
  if (!entry) throw new Error(`No entry is named "${name}"`);
  return [DENO, "run", ...denoFlags(entry.permissions), join(ROOT, entry.folder, `${name}.ts`)];
}

function built(
  dist: string,
  runner: readonly string[],
  exe: string,
  path: Flavour["path"] = (path) => path,
): (name: string) => readonly string[] {
  return (name) => {
    const folder = registry.find(({ unit }) => unit.name === name)?.folder;
    return [...runner, path(folder ? join(dist, folder, name + exe) : join(dist, name + exe))];
  };
}

function posixFlavour(name: string, start: Flavour["start"]): Flavour {
  const home: Flavour["home"] = (folder, more) => ({ HOME: folder, ...more });
  return { name, start, posix: true, path: (path) => path, home };
}

function windowsFlavour(name: string, start: Flavour["start"]): Flavour {
  const home: Flavour["home"] = (folder, more) => ({
    USERPROFILE: folder,
    APPDATA: `${folder}\\AppData\\Roaming`,
    LOCALAPPDATA: `${folder}\\AppData\\Local`,
    ...more,
  });
  return { name, start, posix: false, path: (path) => path, home };
}

/** A root folder that the programs see nothing outside of; empty where they see what the tests see. */
const OUTSIDE = Deno.env.get("NONZERO_ROOT") ?? "";

/** A path of this machine as a program sees it that runs in that root folder. */
function inRoot(path: string): string {
  return OUTSIDE !== "" && path.startsWith(`${OUTSIDE}/`) ? path.slice(OUTSIDE.length) : path;
}

/** Windows by Wine, which has this machine's files on drive Z and sets the variables of the home itself. */
function wineFlavour(dist: string, runner: readonly string[]): Flavour {
  const path = (path: string) => `Z:${path.replaceAll("/", "\\")}`;
  const plain = windowsFlavour(dist, built(dist, runner, ".exe", path));
  const home: Flavour["home"] = (folder, more) => {
    const { USERPROFILE = "", APPDATA = "", LOCALAPPDATA = "", ...rest } = plain.home(folder, more);
    return {
      ...rest,
      NONZERO_USERPROFILE: USERPROFILE,
      NONZERO_APPDATA: APPDATA,
      NONZERO_LOCALAPPDATA: LOCALAPPDATA,
    };
  };
  return { ...plain, path, home };
}

/**
 * The flavours to test. `NONZERO_DIST` and `NONZERO_RUNNER` name another target's build and the words that run it
 * here, and `NONZERO_ROOT` the root folder that they run it in; then that one alone is tested. `NONZERO_FLAVOUR=deno`
 * tests the sources alone, whatever is built.
 */
export function flavours(): readonly Flavour[] {
  const here = Deno.build.os === "windows" ? windowsFlavour : posixFlavour;
  const dist = Deno.env.get("NONZERO_DIST");
  const sources = here("deno run", underDeno);
  if (Deno.env.get("NONZERO_FLAVOUR") === "deno") return [sources];
  if (!dist) return [here("built", built(join(ROOT, "dist", "host"), [], EXE)), sources];
  const runner = (Deno.env.get("NONZERO_RUNNER") ?? "").split(" ").filter((word) => word !== "");
  return dist.includes("windows")
    ? [wineFlavour(dist, runner)]
    : [{ ...posixFlavour(dist, built(dist, runner, "")), path: inRoot }];
}

/**
 * Whether a case of a list is left out. `NONZERO_EVERY=n` runs every n-th where a start takes seconds, of cases that
 * differ in data alone.
 */
export function leftOut(at: number): boolean {
  return at % Number(Deno.env.get("NONZERO_EVERY") ?? 1) !== 0;
}

export interface RunOptions {
  readonly args?: readonly string[];
  readonly stdin?: string | Uint8Array;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What every program gets of the environment beside what a test gives it. */
function environment(extra: Readonly<Record<string, string>>): Record<string, string> {
  const kept = ["PATH", "SystemRoot", "WINEPREFIX", "WINEDEBUG", "DENO_DIR", "TMPDIR", "TEMP"];
  const own = kept.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(own), DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1", ...extra };
}

const EMULATED = Deno.env.has("NONZERO_RUNNER");

/**
 * Whether an emulator on a busy machine is to blame: it was past the deadline before the first rule, which refuses as it
 * must but is no verdict, or Wine could not start the program.
 */
function starved({ code, stderr }: Outcome): boolean {
  return code === 99 || /^DENY {2}deadline: |^stop-guard: .* to be read in time$/m.test(stderr);
}

/** Starts a program, gives it its input and waits for it; under emulation up to three times. */
export async function run(words: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  let outcome = await runOnce(words, options);
  for (let tries = 1; EMULATED && tries < 3 && starved(outcome); tries++) {
    outcome = await runOnce(words, options);
  }
  return outcome;
}

async function runOnce(words: readonly string[], options: RunOptions): Promise<Outcome> {
  const [program, ...first] = words;
  if (program === undefined) throw new Error("No program to run");
  const child = new Deno.Command(program, {
    args: [...first, ...options.args ?? []],
    clearEnv: true,
    env: environment(options.env ?? {}),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  }).spawn();
  const input = options.stdin ?? "";
  const feed = async () => {
    const writer = child.stdin.getWriter();
    try {
      await writer.write(typeof input === "string" ? new TextEncoder().encode(input) : input);
      await writer.close();
    } catch {
      // It may have ended without reading.
    }
  };
  const [, output] = await Promise.all([feed(), child.output()]);
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).replaceAll("\r\n", "\n");
  // Of some hundred programs one has Wine itself say this as it ends.
  const stderr = text(output.stderr).replaceAll(/^wine client error:.*\n/gm, "");
  return { code: output.code, stdout: text(output.stdout), stderr };
}

/** What a test's folder holds: text, bytes, a folder (null), a symlink, or a file without any permission. */
export type Tree = Readonly<Record<string, string | Uint8Array | null | { readonly link: string }>>;

/** Makes a fresh folder with `home` and the tree in it, and removes it after use. */
export async function withFolder<T>(tree: Tree, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "nonzero-" }));
  try {
    await Deno.mkdir(join(folder, "home"));
    for (const [path, content] of Object.entries(tree)) {
      const full = join(folder, path);
      await Deno.mkdir(content === null ? full : dirname(full), { recursive: true });
      if (typeof content === "string") await Deno.writeTextFile(full, content);
      else if (content instanceof Uint8Array) await Deno.writeFile(full, content);
      else if (content !== null) await Deno.symlink(content.link.replaceAll("{work}", inRoot(folder)), full);
    }
    return await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The words that start a program with a full pipe as standard output, which does not block and is read after a while. */
export function intoFullPipe(words: readonly string[], seconds: number): readonly string[] {
  const script = [
    "import os,subprocess,sys,time",
    "r,w=os.pipe()",
    "os.set_blocking(w,False)",
    "try:",
    "  while True: os.write(w,b'.'*4096)",
    "except BlockingIOError: pass",
    "p=subprocess.Popen(sys.argv[1:],stdout=w)",
    "os.close(w)",
    `time.sleep(${seconds})`,
    "d=b''",
    "while True:",
    "  c=os.read(r,65536)",
    "  if not c: break",
    "  d+=c",
    "sys.stdout.write(d.decode().lstrip('.'))",
    "sys.exit(p.wait())",
  ].join("\n");
  return ["python3", "-c", script, ...words];
}
