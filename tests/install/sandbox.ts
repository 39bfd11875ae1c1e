/** Runs install.sh in a home of its own against releases of a stand-in, from a server of this machine or from a folder. */
import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { findTarget } from "../../toolchain/targets.ts";
import { type Outcome, ROOT, run, withFolder } from "../black-box.ts";
import { type Fake, fakeEntries, sumsOf, tarGz } from "./archive.ts";

export const VERSION = "1.2.3";
export const TARGET = findTarget("host").triple;
export const ARCHIVE = `nonzero-${VERSION}-${TARGET}.tar.gz`;

type Bytes = Uint8Array<ArrayBuffer>;

/** What a release has, by name. */
export type Release = Readonly<Record<string, Bytes>>;

const encode = (text: string): Bytes => new TextEncoder().encode(text);

/** A release with one archive of a stand-in. */
export async function makeRelease(fake: Partial<Fake> = {}): Promise<Release> {
  const whole = { version: VERSION, target: TARGET, ...fake };
  const name = `nonzero-${whole.version}-${whole.target}.tar.gz`;
  return withSums({ [name]: await tarGz(fakeEntries(whole)) });
}

/** Those files, and SHA256SUMS of them. */
export function withSums(files: Release): Release {
  return { ...files, SHA256SUMS: encode(sumsOf(files)) };
}

/** The same with SHA256SUMS as text changed. */
export function editSums(release: Release, edit: (text: string) => string): Release {
  return { ...release, SHA256SUMS: encode(edit(new TextDecoder().decode(release["SHA256SUMS"]))) };
}

/** The path of a program of this machine; empty where there is none. */
function find(program: string): string {
  if (Deno.build.os === "windows") return "";
  const { stdout } = new Deno.Command("sh", { args: ["-c", `command -v ${program}`] }).outputSync();
  return new TextDecoder().decode(stdout).trim();
}

/** Whether a program is on this machine. */
export function has(program: string): boolean {
  return find(program) !== "";
}

/** What install.sh and a shell script that stands in for a program need. */
const USUAL: readonly string[] =
  ("sh awk cat chmod cp curl cut dirname getconf grep gzip head id ln ls mkdir mktemp mv readlink rm rmdir sed " +
    "sha256sum shasum sleep ssh-keygen sysctl tail tar tr uname").split(" ");

/** Every shell of this machine that is asked for, as the words that start it. */
export const shells: readonly (readonly string[])[] = [["sh"], ["dash"], ["bash"], ["busybox", "sh"]]
  .filter(([program = ""]) => has(program));

/** How install.sh is run. */
export interface InstallOptions {
  readonly shell?: readonly string[];
  /** Instead of install.sh of this checkout. */
  readonly script?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Whether the tests run as root, whom install.sh refuses without an option. */
export const isRoot: boolean = Deno.build.os !== "windows" && Deno.uid() === 0;

/** A folder with a home, in which install.sh is run. */
export class Sandbox {
  readonly folder: string;
  readonly home: string;
  readonly prefix: string;
  readonly link: string;

  constructor(folder: string) {
    this.folder = folder;
    this.home = join(folder, "home");
    this.prefix = join(this.home, ".local/share/nonzero");
    this.link = join(this.home, ".local/bin/nonzero");
  }

  install(args: readonly string[], options: InstallOptions = {}): Promise<Outcome> {
    const { shell = ["sh"], script = join(ROOT, "install.sh"), env = {}, cwd } = options;
    return run([...shell, script, ...isRoot ? ["--allow-root"] : [], ...args], {
      env: { HOME: this.home, ...env },
      ...(cwd === undefined ? {} : { cwd }),
    });
  }

  /** Puts a release into a folder, and says the path of the archive there. */
  async store(release: Release, name: string = ARCHIVE): Promise<string> {
    const folder = join(this.folder, "down loads");
    await Deno.mkdir(folder, { recursive: true });
    for (const [file, bytes] of Object.entries(release)) await Deno.writeFile(join(folder, file), bytes);
    return join(folder, name);
  }

  /** Everything under the home: paths, modes, and what files hold. */
  async snapshot(): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    const walk = async (folder: string): Promise<void> => {
      for await (const { name } of Deno.readDir(folder)) {
        const path = join(folder, name);
        const { isSymlink, isDirectory, mode } = await Deno.lstat(path);
        const kind = ((mode ?? 0) & 0o7777).toString(8);
        if (isSymlink) found[path] = `-> ${await Deno.readLink(path)}`;
        else if (isDirectory) found[path] = `folder ${kind}`;
        else found[path] = `${kind} ${await Deno.readTextFile(path)}`;
        if (isDirectory && !isSymlink) await walk(path);
      }
    };
    await walk(this.home);
    return found;
  }

  /**
   * A folder to be a PATH: links to what install.sh needs of this machine, but for some, and other programs by name:
   * scripts, or names of programs of this machine.
   */
  async path(
    others: Readonly<Record<string, string>> = {},
    without: readonly string[] = [],
  ): Promise<string> {
    const folder = await Deno.makeTempDir({ dir: this.folder, prefix: "bin-" });
    const programs = new Map(USUAL.filter((name) => !without.includes(name)).map((name) => [name, name]));
    for (const [name, program] of Object.entries(others)) programs.set(name, program);
    for (const [name, program] of programs) {
      const path = join(folder, name);
      // Never through a link: that would write to this machine's own program.
      if (program.startsWith("#!")) await Deno.writeTextFile(path, program, { mode: 0o755, createNew: true });
      else if (has(program)) await Deno.symlink(find(program), path);
    }
    return folder;
  }
}

/** Whether this is Windows, which has no shell. */
export const windows: boolean = Deno.build.os === "windows";

/** Registers a test for systems that have a shell. */
export function test(name: string, use: () => Promise<void>, ignore = false): void {
  Deno.test({ name: `install.sh: ${name}`, ignore: windows || ignore, fn: use });
}

/** Says what the installed program says of its version. */
export async function versionAt(path: string): Promise<string> {
  const { code, stdout } = await run([path, "--version"]);
  assertEquals(code, 0);
  return stdout.trim();
}

/** Holds that an install is whole, and that nothing else was left beside it. */
export async function assertInstalled(sandbox: Sandbox, version = VERSION): Promise<void> {
  assertEquals(await versionAt(sandbox.link), `nonzero ${version}`);
  const names = Object.keys(await sandbox.snapshot()).map((path) => path.slice(sandbox.home.length + 1))
    .sort();
  assertEquals(names, [
    ".local",
    ".local/bin",
    ".local/bin/nonzero",
    ".local/share",
    ".local/share/nonzero",
    ".local/share/nonzero/BUILD.json",
    ".local/share/nonzero/hooks",
    ".local/share/nonzero/hooks/pre-tool-use",
    ".local/share/nonzero/nonzero",
  ]);
  const [program, hook] = [
    await Deno.stat(join(sandbox.prefix, "nonzero")),
    await Deno.stat(join(sandbox.prefix, "hooks/pre-tool-use")),
  ];
  assertEquals(program.ino, hook.ino);
}

/** Makes a sandbox and removes it after use. */
export function withSandbox<T>(use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  return withFolder({}, (folder) => use(new Sandbox(folder)));
}

/** A server of releases at the addresses that GitHub has for them. */
export interface Server {
  readonly url: string;
  /** The paths that were asked for. */
  readonly asked: string[];
}

/** What a server answers in place of a file. */
export type Answer = (request: Request, server: Server) => Response | Promise<Response> | undefined;

/** Serves releases, by version, on this machine while in use; the first one is the latest. */
export async function withServer<T>(
  releases: Readonly<Record<string, Release>>,
  use: (server: Server) => Promise<T>,
  answer: Answer = () => undefined,
): Promise<T> {
  const [latest = ""] = Object.keys(releases);
  const serve = (request: Request): Response | Promise<Response> => {
    const { pathname } = new URL(request.url);
    server.asked.push(pathname);
    const own = answer(request, server);
    if (own !== undefined) return own;
    const [, place = "", middle = "", name = ""] = pathname.split("/").slice(1);
    const version = place === "latest" && middle === "download" ? latest : middle.slice(1);
    const file = place === "download" || place === "latest" ? releases[version]?.[name] : undefined;
    return file === undefined ? new Response("no such file", { status: 404 }) : new Response(file);
  };
  const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, serve);
  const server: Server = { url: `http://127.0.0.1:${http.addr.port}/releases`, asked: [] };
  try {
    return await use(server);
  } finally {
    await http.shutdown();
  }
}

/** Whether an archive is asked for. */
export function isArchive({ url }: Request): boolean {
  return url.endsWith(".tar.gz");
}
