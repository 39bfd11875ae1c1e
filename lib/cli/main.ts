import { type Entry, type Hook, type Row, UsageError } from "../contract/entry.ts";
import { VERSION } from "../contract/version.ts";
import { writeWhole } from "../io/output.ts";
import { commandLine, executable, exitWith, platform } from "../io/system.ts";
import { runGuard } from "../run/guard.ts";
import { runObserver } from "../run/observer.ts";
import { runStopHook } from "../run/stop.ts";
import { loadRegistry } from "./registry.ts";

/** The exit code of a command line that asks for nothing that there is: a refusal. */
const USAGE = 2;

/** The same for gates. */
const GATE_USAGE = 64;

/** The same for the commands of the program. */
const COMMAND_USAGE = 64;

/** The exit code where a hook or gate cannot even be loaded: what its own trouble is, of each kind. */
const BROKEN: Readonly<Record<Row["kind"], number>> = { guard: 2, stop: 1, observer: 0, gate: 70 };

async function runRow(row: Row, args: readonly string[]): Promise<void> {
  exitWith(BROKEN[row.kind]);
  let unit: Entry["unit"];
  try {
    unit = await row.load();
  } catch (error) {
    say(BROKEN[row.kind], "", `${row.name}: it cannot be loaded: ${String(error).split("\n")[0]}\n`);
    return;
  }
  switch (unit.kind) {
    case "guard":
      return await runGuard(unit, args);
    case "stop":
      return await runStopHook(unit, args);
    case "observer":
      return await runObserver(unit, args);
    case "gate": {
      const { runGate } = await import("../run/gate.ts");
      return await runGate(unit, args);
    }
  }
}

function help(registry: readonly Entry[]): string {
  const names = (folder: Entry["folder"]) =>
    registry.filter((entry) => entry.folder === folder)
      .map(({ unit }) => `  ${unit.name.padEnd(22)}${unit.summary}`).join("\n");
  return `nonzero: deterministic hooks for coding agents and evidence gates for CI

Usage:
  nonzero -z hook NAME [options] < event.json
  nonzero -z gate NAME [options]
  nonzero list [--markdown | --hooks-json [--settings] [--shell] [--no-judge]]
  nonzero install [options], nonzero uninstall [options]
  nonzero doctor [--json] [--client] [--project-dir DIR]
  nonzero explain [--harness NAME] [--hook NAME] [--json] < event.json
  nonzero verify-release FOLDER|FILE... [--key KEY] [--sums FILE]
  nonzero --help | --version

Hooks refuse what an agent is about to do:
${names("hooks")}

Gates pass where the evidence says:
${names("gates")}

nonzero list --hooks-json prints the wiring for Claude Code: as a plugin has it, with --settings for settings.json,
with --shell the guards alone as command lines for sh, with --no-judge without the question to a model.
nonzero install writes into a project what its agents must know, and wires the hooks; --help tells the options.
nonzero doctor tells whether the hooks that are wired do what they are for; nonzero explain, what a hook makes of an
event and why.
nonzero hook NAME --help and nonzero gate NAME --help tell what each takes. Exit code 0 allows, any other refuses.
-z comes first since an executable that was cut short or stripped is plain Bun, which refuses it.
`;
}

function say(code: number, stdout: string, stderr = "", late?: () => boolean): void {
  exitWith(code === 0 && stdout !== "" ? USAGE : code);
  try {
    writeWhole(2, stderr);
    writeWhole(1, stdout, late);
    exitWith(code);
  } catch {
    // Nobody can be told; the exit code says it.
  }
}

async function usage(message: string, code = USAGE): Promise<void> {
  const { inert } = await import("../run/verdict.ts");
  say(code, "", `nonzero: ${inert(message)}\nRun nonzero --help for what there is.\n`);
}

async function printList(registry: readonly Entry[], args: readonly string[]): Promise<void> {
  const { runList } = await import("./list.ts");
  const exe = platform() === "windows" ? ".exe" : "";
  say(0, runList(registry, args, { executable: executable(), exe }));
}

async function printVerified(args: readonly string[]): Promise<void> {
  const { verifyRelease } = await import("./verify-release.ts");
  const { code, stdout, stderr } = await verifyRelease(args);
  say(code, stdout, stderr);
}

/** Runs a command that answers by an exit code and a text; a mistake on its command line is exit code 64. */
async function answerWith(
  command: () => Promise<{ readonly code: number; readonly stdout: string; readonly stderr?: string }>,
): Promise<void> {
  let answer: { readonly code: number; readonly stdout: string; readonly stderr?: string };
  try {
    answer = await command();
  } catch (error) {
    if (error instanceof UsageError) return await usage(error.message, COMMAND_USAGE);
    throw error;
  }
  // Who reads it may be a person with a pager.
  say(answer.code, answer.stdout, answer.stderr, () => false);
}

async function loadHooks(rows: readonly Row[]): Promise<readonly Hook[]> {
  return (await loadRegistry(rows)).flatMap((entry) => entry.folder === "hooks" ? [entry.unit] : []);
}

async function runCommand(rows: readonly Row[], args: readonly string[]): Promise<void> {
  const [command, ...rest] = args;
  switch (command) {
    case undefined:
      return await usage("no command given");
    case "hook":
    case "gate": {
      const [name = "", ...options] = rest;
      const row = rows.find((row) => row.folder === `${command}s` && row.name === name);
      if (row) return await runRow(row, options);
      return await usage(`no ${command} is named "${name}"`, command === "gate" ? GATE_USAGE : USAGE);
    }
    case "list":
      return await printList(await loadRegistry(rows), rest);
    case "verify-release":
      return await printVerified(rest);
    case "install":
      return await answerWith(async () =>
        (await import("./install.ts")).runInstall(await loadHooks(rows), rest)
      );
    case "uninstall":
      return await answerWith(async () => (await import("./uninstall.ts")).runUninstall(rest));
    case "doctor":
      return await answerWith(async () =>
        (await import("./doctor.ts")).runDoctor(await loadHooks(rows), rest)
      );
    case "explain":
      return await answerWith(async () =>
        (await import("./explain.ts")).runExplain(await loadHooks(rows), rest)
      );
    case "--help":
      return say(0, help(await loadRegistry(rows)));
    case "--version":
      return say(0, `nonzero ${VERSION}\n`);
    default:
      return await usage(`unknown command "${command}"`);
  }
}

/** The name of the program's own file, on Windows as it is compared. */
function ownName(): string {
  const path = executable();
  return platform() === "windows"
    ? path.replace(/^.*[\\/]/s, "").toLowerCase().replace(/\.exe$/, "")
    : path.slice(path.lastIndexOf("/") + 1);
}

async function dispatch(rows: readonly Row[], args: readonly string[]): Promise<void> {
  const name = ownName();
  const row = rows.find((row) => row.name === name);
  if (row) return await runRow(row, args);
  await runCommand(rows, args[0] === "-z" ? args.slice(1) : args);
}

/**
 * Runs the one program. It is the hook or gate that its own executable is named after; under any other name it is
 * `nonzero`, which is told by its first argument what to do. Never throws: what goes wrong is a refusal.
 */
export async function runProgram(
  rows: readonly Row[],
  args: readonly string[] = commandLine(),
): Promise<void> {
  exitWith(USAGE);
  try {
    await dispatch(rows, args);
  } catch (error) {
    await usage(error instanceof Error ? error.message : "unknown error");
  }
}
