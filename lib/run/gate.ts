import { UsageError } from "../contract/entry.ts";
import type { Gate, GateExit, GateFinding } from "../contract/gate.ts";
import { VERSION } from "../contract/version.ts";
import { judgeGate, type Reading } from "../evidence/judge.ts";
import { FileError, readBytes } from "../io/files.ts";
import { writeWhole } from "../io/output.ts";
import { commandLine, exitWith, variable } from "../io/system.ts";

/** The largest file of evidence, in bytes. */
const EVIDENCE_LIMIT = 1024 * 1024;

/** The exit code of a gate that is itself broken. */
const BROKEN = 70;

/** As they are written, and in no other way: `--json=no` would be obeyed by one reader and not by the next. */
const OPTIONS: readonly string[] = ["--dry-run", "--json", "--help", "--version"];

/** A gate has no deadline: the job that it is part of has one. */
const never = () => false;

type Output = { readonly stdout: string; readonly stderr: string };

function checkOptions(args: readonly string[]): void {
  const unknown = args.find((argument) => !OPTIONS.includes(argument));
  if (unknown !== undefined) throw new UsageError(`unknown argument "${unknown}"`);
}

function read(file: string): Reading {
  try {
    return { bytes: readBytes(file, EVIDENCE_LIMIT) };
  } catch (error) {
    if (error instanceof FileError) return { problem: error.message };
    throw error;
  }
}

async function judge(gate: Gate, dryRun: boolean): Promise<GateFinding[]> {
  const findings = judgeGate(gate, variable, read);
  if (!gate.staged || dryRun) return findings;
  try {
    const { findStagedKeys } = await import("./staged.ts");
    return [...findings, ...await findStagedKeys()];
  } catch (error) {
    return [...findings, failure(error)];
  }
}

/** What went wrong with the gate itself, or with how it was called. */
function failure(error: unknown): GateFinding {
  const reason = error instanceof Error ? error.message : "unknown error";
  return error instanceof UsageError
    ? { id: "usage", exit: 64, message: reason }
    : { id: "broken", exit: BROKEN, message: `the gate itself failed: ${reason}` };
}

/** The exit code: of all findings that which comes first among 64, 65 and 70. */
function exitOf(findings: readonly GateFinding[]): 0 | GateExit {
  return findings.reduce<0 | GateExit>(
    (exit, finding) => exit === 0 || finding.exit < exit ? finding.exit : exit,
    0,
  );
}

/** What is said. Only where something is wrong, or JSON wanted, is the code loaded that quotes what was read. */
async function tell(
  gate: Gate,
  findings: readonly GateFinding[],
  { exit, json, dryRun, annotated }: {
    readonly exit: number;
    readonly json: boolean;
    readonly dryRun: boolean;
    readonly annotated: boolean;
  },
): Promise<Output> {
  const passed = `${gate.name}: passed: ${gate.summary}\n`;
  if (exit === 0 && !json) return { stdout: passed, stderr: "" };
  const { complain, toJson } = await import("./verdict.ts");
  return {
    stdout: json ? toJson(gate, findings, { exit, dryRun }) : "",
    stderr: complain(gate, findings, annotated),
  };
}

async function answer(gate: Gate, given: readonly string[]): Promise<Output & { readonly exit: number }> {
  // Says nothing to a gate. It comes first for plain Bun, which a damaged executable is: that refuses it.
  const args = given[0] === "-z" ? given.slice(1) : given;
  let findings: readonly GateFinding[];
  const [json, dryRun] = [args.includes("--json"), args.includes("--dry-run")];
  let annotated = false;
  try {
    checkOptions(args);
    if (args.includes("--help")) {
      const { help } = await import("./gate-help.ts");
      return { exit: 0, stdout: help(gate), stderr: "" };
    }
    if (args.includes("--version")) return { exit: 0, stdout: `${gate.name} ${VERSION}\n`, stderr: "" };
    annotated = variable("GITHUB_ACTIONS") === "true";
    findings = await judge(gate, dryRun);
  } catch (error) {
    findings = [failure(error)];
  }
  const exit = exitOf(findings);
  return { exit, ...await tell(gate, findings, { exit, json, dryRun, annotated }) };
}

/**
 * Runs a gate as a program: declarations in the environment, the verdict as exit code. A gate that breaks fails, and
 * so does one that cannot say that it passed.
 */
export async function runGate(gate: Gate, args: readonly string[] = commandLine()): Promise<void> {
  exitWith(BROKEN);
  try {
    const { exit, stdout, stderr } = await answer(gate, args);
    if (exit !== 0) exitWith(exit);
    // What cannot be written changes no failure, and the one stream is no reason to be silent on the other.
    try {
      writeWhole(2, stderr, never);
    } finally {
      writeWhole(1, stdout, never);
    }
    exitWith(exit);
  } catch (error) {
    try {
      const { complain } = await import("./verdict.ts");
      writeWhole(2, complain(gate, [failure(error)], false), never);
    } catch {
      // The reason is lost, the exit code is not.
    }
  }
}
