/**
 * Tries out a built executable, as a release or a runner has it: `smoke.ts [EXECUTABLE]`, otherwise that of dist/host.
 * It needs nothing else of this checkout's build.
 */
import { join, resolve } from "@std/path";
import { VERSION } from "../lib/contract/version.ts";
import { dist } from "./dist.ts";
import { findTarget } from "./targets.ts";

/** Something that the executable is asked, and how it must end. */
interface Trial {
  readonly name: string;
  readonly args: readonly string[];
  readonly input?: string;
  readonly code: number;
  readonly stdout: RegExp;
}

const LARGE = 2 * 1024 * 1024;
const GUARD = ["-z", "hook", "pre-tool-use", "--harness", "native"];

function trials(cwd: string): Trial[] {
  const event = (target: string, payload: unknown) => JSON.stringify({ target, cwd, payload });
  const rows = Array.from({ length: LARGE / 32 }, (_, at) => `row ${at}`.padEnd(30, "."));
  // At the very end, so that a verdict on it is one on all of the input.
  const header = ["-----BEGIN", "RSA PRIVATE KEY-----"].join(" ");
  return [
    { name: "its version", args: ["--version"], code: 0, stdout: new RegExp(`^nonzero ${VERSION}\\n$`) },
    { name: "its help", args: ["--help"], code: 0, stdout: /hook NAME[^]*gate NAME/ },
    { name: "its entries", args: ["list"], code: 0, stdout: /pre-tool-use[^]*post-code/ },
    { name: "a write inside", args: GUARD, input: event("a.txt", {}), code: 0, stdout: /^allow\n$/ },
    { name: "a write outside", args: GUARD, input: event("../a.txt", {}), code: 2, stdout: /^deny\n$/ },
    { name: "no event", args: GUARD, input: "", code: 2, stdout: /^deny\n$/ },
    {
      name: "2 MiB through a pipe",
      args: GUARD,
      input: event("a.txt", { rows }),
      code: 0,
      stdout: /^allow\n$/,
    },
    {
      name: "2 MiB through a pipe, with a key at their end",
      args: GUARD,
      input: event("a.txt", { rows: [...rows, header] }),
      code: 2,
      stdout: /^deny\n$/,
    },
    { name: "a gate without a declaration", args: ["-z", "gate", "post-code"], code: 64, stdout: /^$/ },
  ];
}

/** How many things an executable is asked. */
export const trialCount: number = trials("/").length;

/** What an executable is run by that is not for this machine, or sees a part of it alone. */
export interface Surroundings {
  /** The words before the executable that run it. */
  readonly runner?: readonly string[];
  /** What those take in the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder for temporary files, where it is not the system's own. */
  readonly parent?: string;
  /** A path of this machine as the executable sees it. */
  readonly path?: (path: string) => string;
}

async function attempt(
  { words, cwd, environment }: {
    words: readonly string[];
    cwd: string;
    environment: Record<string, string>;
  },
  trial: Trial,
): Promise<string | undefined> {
  const [program = "", ...first] = words;
  const child = new Deno.Command(program, {
    args: [...first, ...trial.args],
    cwd,
    clearEnv: true,
    env: environment,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(30_000),
  }).spawn();
  const writer = child.stdin.getWriter();
  const feed = writer.write(new TextEncoder().encode(trial.input ?? "")).then(() => writer.close());
  const [output] = await Promise.all([child.output(), feed.catch(() => {})]);
  const stdout = new TextDecoder().decode(output.stdout).replaceAll("\r\n", "\n");
  if (output.code === trial.code && trial.stdout.test(stdout)) return undefined;
  const said = JSON.stringify(`${stdout}${new TextDecoder().decode(output.stderr)}`.slice(0, 400));
  return `${trial.name}: exit code ${output.code}, not ${trial.code} with ${trial.stdout}: ${said}`;
}

/**
 * Tries out an executable and says what went otherwise than it must; one line each.
 *
 * @param executable Its absolute path, as it is seen where it runs.
 */
export async function smoke(
  executable: string,
  { runner = [], env = {}, parent, path = (path) => path }: Surroundings = {},
): Promise<string[]> {
  const place = { prefix: "nonzero-smoke-", ...parent === undefined ? {} : { dir: parent } };
  const folder = await Deno.realPath(await Deno.makeTempDir(place));
  try {
    const [cwd, home] = [join(folder, "project"), join(folder, "home")];
    for (const path of [cwd, home]) await Deno.mkdir(path);
    // Windows starts no program without it.
    const system = Deno.env.get("SystemRoot");
    const environment = {
      HOME: path(home),
      USERPROFILE: path(home),
      ...system === undefined ? {} : { SystemRoot: system },
      ...env,
    };
    const faults: string[] = [];
    for (const trial of trials(path(cwd))) {
      const fault = await attempt({ words: [...runner, executable], cwd, environment }, trial);
      if (fault !== undefined) faults.push(fault);
    }
    return faults;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const executable = resolve(Deno.args[0] ?? join(dist, "host", `nonzero${findTarget("host").exe}`));
  const faults = await smoke(executable);
  for (const fault of faults) console.error(fault);
  console.log(`${executable}: ${faults.length === 0 ? "does what it must" : `${faults.length} faults`}`);
  if (faults.length > 0) Deno.exit(1);
}
