/** A user with a project, whom `nonzero install` is run for. */
import { join } from "@std/path";
import { type Flavour, type Outcome, ROOT, run, withFolder } from "../black-box.ts";

/** Whether scripts and links are as on Unix. */
export const POSIX: boolean = Deno.build.os !== "windows";

/** Answers as the program does when it is asked what it is, whatever the hook. */
export const STAND_IN = `#!/bin/sh
case "$*" in
*--version*) echo nonzero 0.0.0 ;;
*) cat > /dev/null; echo 'DENY  stand-in: no' >&2; exit 2 ;;
esac
`;

/** Whether the programs under test can start a script: not on Windows, nor in a root folder that has no shell. */
export function startsScripts({ posix }: Flavour): boolean {
  return POSIX && posix && (Deno.env.get("NONZERO_ROOT") ?? "") === "";
}

/** Puts a program at a path that answers as the program under test does. */
export async function placeProgram(flavour: Flavour, path: string, script: string = STAND_IN): Promise<void> {
  await Deno.mkdir(join(path, ".."), { recursive: true });
  if (startsScripts(flavour)) {
    await Deno.writeTextFile(path, script);
    return await Deno.chmod(path, 0o755);
  }
  // The built one itself, also where the sources are tested: they alone are no program.
  const dist = Deno.env.get("NONZERO_DIST") ?? join(ROOT, "dist", "host");
  const outside = Deno.env.get("NONZERO_ROOT") ?? "";
  const built = join(outside, dist, flavour.posix ? "nonzero" : "nonzero.exe");
  await Deno.remove(path).catch(() => {});
  await Deno.link(built, path).catch(() => Deno.copyFile(built, path));
}

/** Contents by path; bytes as they are, a text as UTF-8, a folder where null. */
export type Contents = Readonly<Record<string, string | Uint8Array | null>>;

/** What is there before. */
export interface Scene {
  /** In the project's folder. */
  readonly files?: Contents;
  /** In the home folder. */
  readonly home?: Contents;
  /** In the project's folder, where they lead. */
  readonly links?: Readonly<Record<string, string>>;
}

/** A scene on the disk, and how to act in it. */
export interface Stage {
  readonly project: string;
  readonly home: string;
  /** The program that hooks are to start. */
  readonly program: string;
  /** Runs `nonzero install` in the project. */
  readonly install: (...args: readonly string[]) => Promise<Outcome>;
  /** Runs `nonzero uninstall` in the project. */
  readonly uninstall: (...args: readonly string[]) => Promise<Outcome>;
  /** Runs `nonzero` in a folder and environment of one's own. */
  readonly nonzero: (
    args: readonly string[],
    options?: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> },
  ) => Promise<Outcome>;
}

/** All that is in a folder, without what is below a path: files with their modes and bytes, where links lead. */
export function snapshot(folder: string, without = "\0", below = ""): Record<string, string> {
  const entries = [...Deno.readDirSync(join(folder, below))].flatMap(({ name, isDirectory, isSymlink }) => {
    const path = below === "" ? name : `${below}/${name}`;
    if (path === without) return [];
    const full = join(folder, path);
    if (isSymlink) return [[path, `-> ${Deno.readLinkSync(full)}`]];
    if (isDirectory) return [[path, "folder"], ...Object.entries(snapshot(folder, without, path))];
    const content = Array.from(Deno.readFileSync(full), (byte) => String.fromCharCode(byte)).join("");
    return [[path, `${(Deno.lstatSync(full).mode ?? 0).toString(8)} ${content}`]];
  });
  return Object.fromEntries(entries.sort(([one = ""], [other = ""]) => one < other ? -1 : 1));
}

/** Where the user's records lie, below the home. */
export function stateOf({ posix }: Flavour): string {
  return posix ? ".local" : "AppData";
}

async function plant(folder: string, contents: Contents): Promise<void> {
  for (const [path, content] of Object.entries(contents)) {
    const full = join(folder, path);
    await Deno.mkdir(content === null ? full : join(full, ".."), { recursive: true });
    if (typeof content === "string") await Deno.writeTextFile(full, content);
    else if (content) await Deno.writeFile(full, content);
  }
}

/** Sets a scene, lets a test act in it, and clears it away. */
export async function withStage(
  flavour: Flavour,
  { files = {}, home = {}, links = {} }: Scene,
  use: (stage: Stage) => Promise<void>,
): Promise<void> {
  await withFolder({ "project/.git": null }, async (folder) => {
    const at = (name: string) => join(folder, name);
    await plant(at("project"), files);
    await plant(at("home"), home);
    for (const [path, target] of Object.entries(links)) await Deno.symlink(target, join(at("project"), path));
    // Not by its own path: the sources have none that can be wired.
    const own = at(join("bin", flavour.posix ? "nonzero" : "nonzero.exe"));
    await placeProgram(flavour, own);
    const program = flavour.path(own);
    const nonzero: Stage["nonzero"] = (
      args,
      { cwd = at("project"), env = flavour.home(flavour.path(at("home"))) } = {},
    ) => run(flavour.start("nonzero"), { args, cwd, env });
    await use({
      project: at("project"),
      home: at("home"),
      program,
      nonzero,
      install: (...args) =>
        nonzero(["install", ...args.includes("--program") ? [] : ["--program", program], ...args]),
      uninstall: (...args) => nonzero(["uninstall", ...args]),
    });
  });
}

/** The repository's own folder of cases. */
export const CASES: string = join(ROOT, "tests", "cases", "install");
