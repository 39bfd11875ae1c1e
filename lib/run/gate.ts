import { parseArgs } from "@std/cli/parse-args";
import { UsageError } from "../contract/entry.ts";
import type { Gate, GateFinding } from "../contract/gate.ts";
import { VERSION } from "../contract/version.ts";
import { judgeGate, type Reading } from "../evidence/judge.ts";
import { FileError, readBytes } from "../io/files.ts";
import { writeWhole } from "../io/output.ts";
import { commandLine, exitWith, variable } from "../io/system.ts";
import { printable } from "./answer.ts";

/** The largest file of evidence, in bytes. */
const EVIDENCE_LIMIT = 1024 * 1024;

/** The exit code of a gate that is itself broken. */
const BROKEN = 70;

const RECOVER =
  "To recover: correct the evidence, get an approval for this very target, or run the verifier again.\n";

interface Options {
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

function parseOptions(args: readonly string[]): Options {
  const options = parseArgs(args, {
    boolean: ["dry-run", "json", "help", "version"],
    unknown(argument) {
      throw new UsageError(`unknown argument "${argument}"`);
    },
  });
  return {
    dryRun: options["dry-run"] === true,
    json: options.json === true,
    help: options.help === true,
    version: options.version === true,
  };
}

function help(gate: Gate): string {
  const rows = gate.declarations.map((declaration) => {
    const kind =
      { evidence: "a file of evidence", text: "a file that holds text", word: "a word" }[declaration.kind];
    const when = declaration.kind === "evidence" && declaration.neededFor
      ? `, for ${declaration.neededFor}`
      : "";
    const wants = declaration.kind === "word"
      ? `: ${declaration.wants}`
      : declaration.kind === "evidence" && !declaration.needed
      ? `: ${declaration.conditions({}).map(({ key, wants }) => `${key} (${wants})`).join(", ")}`
      : "";
    return `  ${declaration.variable}  ${kind}${when}${wants}`;
  });
  return `${gate.name}: passes where ${gate.summary}

Usage: ${gate.name} [--dry-run] [--json]

Declared in the environment:
${rows.join("\n")}

Options:
  --dry-run  ${
    gate.staged ? "does not look at what is staged in git" : "changes nothing: the gate only reads"
  }
  --json     the verdict as JSON on standard output
  --help, --version

Exit codes: 0 passed, 64 not declared or called wrongly, 65 evidence not as it must be, 70 a condition failed.
`;
}

function read(file: string): Reading {
  try {
    return { bytes: readBytes(file, EVIDENCE_LIMIT) };
  } catch (error) {
    if (error instanceof FileError) return { problem: error.message };
    throw error;
  }
}

function describe(gate: Gate, { file, line, message }: GateFinding): string {
  const where = file === undefined ? "" : line === undefined ? `${file}: ` : `${file}:${line}: `;
  return printable(`${gate.name}: ${where}${message}`);
}

/** A finding as GitHub Actions shows it beside the file; the escapes are those of its toolkit. */
function annotate(gate: Gate, { file, line, message }: GateFinding): string {
  const data = (text: string) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const property = (text: string) => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  const properties = [
    ...file === undefined ? [] : [`file=${property(printable(file))}`],
    ...line === undefined ? [] : [`line=${line}`],
    `title=${property(gate.name)}`,
  ];
  return `::error ${properties.join(",")}::${data(printable(message))}`;
}

function report(gate: Gate, findings: readonly GateFinding[], options: Options): number {
  const exit = findings.length > 0 ? Math.min(...findings.map((finding) => finding.exit)) : 0;
  if (findings.length > 0) {
    writeWhole(2, `${findings.map((finding) => describe(gate, finding)).join("\n")}\n${RECOVER}`);
    if (variable("GITHUB_ACTIONS") === "true") {
      writeWhole(2, `${findings.map((finding) => annotate(gate, finding)).join("\n")}\n`);
    }
  }
  if (options.json) {
    const shown = findings.map(({ id, message, file, line, declaration }) => ({
      id,
      message: printable(message),
      ...file === undefined ? {} : { file: printable(file) },
      ...line === undefined ? {} : { line },
      ...declaration === undefined ? {} : { declaration },
    }));
    const decision = exit === 0 ? "pass" : "fail";
    const verdict = {
      gate: gate.name,
      version: VERSION,
      exit,
      decision,
      dryRun: options.dryRun,
      findings: shown,
    };
    writeWhole(1, `${JSON.stringify(verdict)}\n`);
  } else if (exit === 0) {
    writeWhole(1, `${gate.name}: passed: ${gate.summary}\n`);
  }
  return exit;
}

async function answer(gate: Gate, args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  if (options.help || options.version) {
    writeWhole(1, options.help ? help(gate) : `${gate.name} ${VERSION}\n`);
    return 0;
  }
  const findings = judgeGate(gate, variable, read);
  if (gate.staged && !options.dryRun) {
    const { findStagedKeys } = await import("./staged.ts");
    findings.push(...await findStagedKeys());
  }
  return report(gate, findings, options);
}

/** Runs a gate as a program: declarations in the environment, the verdict as exit code. A gate that breaks fails. */
export async function runGate(gate: Gate, args: readonly string[] = commandLine()): Promise<void> {
  exitWith(BROKEN);
  try {
    exitWith(await answer(gate, args));
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown error";
    const usage = error instanceof UsageError;
    exitWith(usage ? 64 : BROKEN);
    try {
      const text = usage
        ? `${reason}\nRun ${gate.name} --help for what it takes.`
        : `the gate itself failed: ${reason}`;
      writeWhole(2, `${gate.name}: ${text.split("\n").map(printable).join("\n")}\n`);
    } catch {
      // The reason is lost, the exit code is not.
    }
  }
}
