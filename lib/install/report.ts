/** What an install or an uninstall says. */
import { type Bytes, countLines } from "./bytes.ts";
import type { Conflict } from "./files.ts";
import type { Change } from "./record.ts";
import type { Criterion } from "./verify.ts";

/** A file and what became of it. */
export interface Row {
  readonly path: string;
  readonly action: "created" | "changed" | "unchanged" | "removed" | "kept";
  /** How many lines it has then. */
  readonly lines: number;
}

/** All that is said. Texts may hold what files and paths hold. */
export interface Report {
  readonly ok: boolean;
  readonly dryRun: boolean;
  readonly files: readonly Row[];
  readonly criteria: readonly Criterion[];
  readonly warnings: readonly string[];
  readonly conflicts: readonly Conflict[];
  /** What was detected; undefined where nothing is looked for. */
  readonly found?: readonly string[] | undefined;
  /** What is left out, and why. */
  readonly notes: readonly string[];
  /** The last lines of the log of loaded instructions; undefined where they are not asked for. */
  readonly loads?: readonly string[] | undefined;
  /** What would change, file by file. */
  readonly diff?: string | undefined;
}

function actionOf({ before, after }: Change): Row["action"] {
  if (after === undefined) return "removed";
  return before === undefined ? "created" : before === after ? "unchanged" : "changed";
}

/** The rows of a table, a file once. */
export function rowsOf(
  changes: readonly Change[],
  kept: readonly (Conflict & { bytes?: Bytes })[] = [],
): Row[] {
  return [
    ...changes.map((change) => ({
      path: change.path,
      action: actionOf(change),
      lines: countLines(change.after ?? ""),
    })),
    ...kept.map(({ path, bytes = "" }) => ({ path, action: "kept" as const, lines: countLines(bytes) })),
  ];
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd());
}

/**
 * The report for a person.
 *
 * @param safe Makes one line of a text, safe to print.
 */
export function toText(report: Report, safe: (text: string) => string): string {
  const { dryRun, files, criteria, warnings, conflicts, found, notes, loads, diff } = report;
  const rows = files.map(({ path, action, lines }) => [safe(path), action, String(lines)]);
  const lines = [
    ...dryRun ? ["Dry run: nothing is written.", ""] : [],
    ...diff ? [diff] : [],
    ...rows.length > 0 ? table([["file", "action", "lines"], ...rows]) : ["Nothing of nonzero is here."],
    ...found ? ["", `FOUND ${safe(found.join(", ") || "no manifest")}`] : criteria.length > 0 ? [""] : [],
    ...criteria.map(({ name, pass }) => `${pass ? "PASS" : "FAIL"}  ${safe(name)}`),
    ...loads ? (loads.length > 0 ? loads.map((load) => `LOAD  ${safe(load)}`) : ["LOAD  no load yet"]) : [],
    ...conflicts.length + warnings.length + notes.length > 0 ? [""] : [],
    ...conflicts.map(({ path, reason }) => `KEPT  ${safe(`${path}: ${reason}`)}`),
    ...warnings.map((warning) => `WARN  ${safe(warning)}`),
    ...notes.map((note) => `NOTE  ${safe(note)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** The report for a program, one line. */
export function toJson({ ok, dryRun, ...report }: Report): string {
  return `${JSON.stringify({ schema: 1, ok, ...dryRun ? { dryRun } : {}, ...report })}\n`;
}

/** The same where nothing was done, and why. */
export function failureJson(error: string): string {
  return toJson({ ok: false, dryRun: false, files: [], criteria: [], warnings: [], conflicts: [], notes: [] })
    .replace(/\}\n$/, `,"error":${JSON.stringify(error)}}\n`);
}
