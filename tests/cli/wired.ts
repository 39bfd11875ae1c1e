/** A home and a project in which hooks are wired, for the tests of what looks at them. */
import { join } from "@std/path";
import { wire } from "../../lib/harness/claude-wiring.ts";
import { registry } from "../../toolchain/registry.ts";
import { type Outcome, ROOT, run, type RunOptions } from "../black-box.ts";

/** The sources stand in for the build where they alone are tested. */
export const fromSources: boolean = Deno.env.get("NONZERO_FLAVOUR") === "deno";

const dist = Deno.env.get("NONZERO_DIST") ?? join(ROOT, "dist", "host");
const runner = Deno.env.get("NONZERO_RUNNER") ?? "";

/** Whether the programs can be started by the paths that this machine has, without another program that runs them. */
export const canRun: boolean = fromSources || runner === "";

/** POSIX: scripts stand in for programs. */
export const posix: boolean = Deno.build.os !== "windows";

const SOURCES = [
  Deno.execPath(),
  "run",
  "--quiet",
  "--no-check",
  "--allow-all",
  "--config",
  join(ROOT, "deno.json"),
  join(ROOT, "nonzero.ts"),
];

/** The words that start `nonzero`. */
export const nonzero: readonly string[] = fromSources
  ? SOURCES
  : [join(dist, posix ? "nonzero" : "nonzero.exe")];

/** The hooks of the registry. */
export const hooks = registry.flatMap((entry) => entry.folder === "hooks" ? [entry.unit] : []);

/** The program that is wired: the built one, or a script in the folder that runs the sources. */
export async function findProgram(folder: string): Promise<string> {
  if (!fromSources) return nonzero[0] ?? "";
  const path = join(folder, "sources", "nonzero");
  await Deno.mkdir(join(folder, "sources"), { recursive: true });
  const words = SOURCES.map((word) => `'${word}'`).join(" ");
  await writeScript(path, `DENO_DIR='${Deno.env.get("DENO_DIR") ?? ""}' exec ${words} "$@"`);
  return path;
}

/** Writes a shell script that can be executed. */
export async function writeScript(path: string, body: string): Promise<void> {
  await Deno.writeTextFile(path, `#!/bin/sh\n${body}\n`);
  await Deno.chmod(path, 0o755);
}

/** What stands under `hooks` in settings: of all hooks, or of the guard alone. */
export function wiring(program: string, { guardOnly = false, shell = false } = {}): Record<string, unknown> {
  const all = wire(hooks, { program, judge: true, shell });
  return guardOnly ? { PreToolUse: all["PreToolUse"] } : all;
}

/** Runs `nonzero` in the project of a folder, as the user whose home lies in it. */
export function runNonzero(
  folder: string,
  args: readonly string[],
  { env, ...options }: RunOptions = {},
): Promise<Outcome> {
  return run([...nonzero, ...args], {
    cwd: join(folder, "project"),
    env: { HOME: join(folder, "home"), ...env },
    ...options,
  });
}

/** The report of `doctor --json`. */
export interface Report {
  readonly schema: number;
  readonly ok: boolean;
  readonly exit: number;
  readonly entries: readonly {
    readonly place: string;
    readonly file: string;
    readonly event: string;
    readonly hook: string | null;
    readonly command: string;
    readonly harmless: { readonly code: number | null; readonly ms: number } | null;
    readonly mustRefuse: { readonly code: number | null; readonly ms: number } | null;
    readonly verdict: string;
  }[];
  readonly findings: readonly {
    readonly level: "error" | "warning" | "note";
    readonly id: string;
    readonly message: string;
    readonly fix: string;
    readonly file: string | null;
  }[];
}
