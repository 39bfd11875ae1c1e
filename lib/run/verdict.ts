/** What a gate says of its findings. */
import type { Gate, GateFinding } from "../contract/gate.ts";
import { VERSION } from "../contract/version.ts";
import { printable } from "./answer.ts";

/** How to recover from a finding of some kinds; what is said of all others. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  [
    "private-key",
    "To recover: take the key out of what is staged, and let it be replaced wherever it is in use.",
  ],
  ["git", "To recover: let git show what is staged, then run the gate again."],
  ["broken", "To recover: remove the cause, then run the gate again."],
]);
const REMEDY =
  "To recover: declare what is missing, correct the evidence, get an approval for that very target, run the verifier again, or escalate what failed.";

/**
 * A text that neither a terminal nor a CI runner obeys. Runners take `##[…]`, `##vso[…]` and `##teamcity[…]` for
 * commands wherever they stand in a line. `::…::` is one where it begins a line: let something stand before the text.
 */
export function inert(text: string): string {
  return printable(text).replaceAll("##", "#\\u{23}");
}

function describe(gate: Gate, { file, line, message }: GateFinding): string {
  const where = file === undefined
    ? ""
    : line === undefined
    ? `${inert(file)}: `
    : `${inert(file)}:${line}: `;
  return `${gate.name}: ${where}${inert(message)}`;
}

/** A finding as GitHub Actions shows it beside the file; the escapes are those of its toolkit. */
function annotate(gate: Gate, { file, line, message }: GateFinding): string {
  const data = (text: string) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const property = (text: string) => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  const properties = [
    ...file === undefined ? [] : [`file=${property(inert(file))}`],
    ...line === undefined ? [] : [`line=${line}`],
    `title=${property(gate.name)}`,
  ];
  return `::error ${properties.join(",")}::${data(inert(message))}`;
}

/** The lines for standard error: one a finding, how to recover, and where GitHub Actions listens one more a finding. */
export function complain(gate: Gate, findings: readonly GateFinding[], annotated: boolean): string {
  if (findings.length === 0) return "";
  const usage = `Run ${gate.name} --help for what it takes.`;
  const remedies = findings.map(({ id }) => id === "usage" ? usage : REMEDIES.get(id) ?? REMEDY);
  return [
    ...findings.map((finding) => describe(gate, finding)),
    ...new Set(remedies),
    ...annotated ? findings.map((finding) => annotate(gate, finding)) : [],
  ].map((line) => `${line}\n`).join("");
}

/** The verdict as JSON, in one line. */
export function toJson(
  gate: Gate,
  findings: readonly GateFinding[],
  { exit, dryRun }: { readonly exit: number; readonly dryRun: boolean },
): string {
  const verdict = {
    gate: gate.name,
    version: VERSION,
    exit,
    decision: exit === 0 ? "pass" : "fail",
    dryRun,
    findings: findings.map(({ id, message, file, line, declaration }) => ({
      id,
      message: printable(message),
      file: file === undefined ? null : printable(file),
      line: line ?? null,
      declaration: declaration ?? null,
    })),
  };
  // The same value, with nothing in it that a runner takes for a command.
  return `${JSON.stringify(verdict).replaceAll("##", "#\\u0023")}\n`;
}
