/** What an examination is told as: a table with findings for people, or JSON. */
import type { Ran } from "../io/child.ts";
import { printable } from "../run/answer.ts";
import type { Examination } from "./examine.ts";
import { exitOf, type Level } from "./finding.ts";
import { describeCommand } from "./ours.ts";

const WORDS: Readonly<Record<Level, string>> = { error: "FAIL", warning: "WARN", note: "NOTE" };

/** Rows in columns, the first being their titles. No row has a line end in it. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0)));
  return rows.map((cells) =>
    `${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ").trimEnd()}\n`
  )
    .join("");
}

function describeRan(ran: Ran | undefined): string {
  if (!ran) return "-";
  return `${ran.problem ?? `exit ${ran.code}`}, ${Math.round(ran.ms)} ms`;
}

function conclude({ entries, findings }: Examination): string {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  const [errors, warnings] = [count("error"), count("warning")];
  const words = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
  if (errors > 0) return `Not sound: ${words(errors, "error")}, ${words(warnings, "warning")}.`;
  if (warnings > 0) return `${words(warnings, "warning")}.`;
  return `Sound: ${words(entries.length, "hook")} asked.`;
}

/** The report for people. */
export function toText(examination: Examination): string {
  const rows = examination.entries.map(({ entry, tried }) => [
    entry.place.name,
    printable(entry.handler.event),
    entry.hook?.name ?? "?",
    describeRan(tried.harmless),
    describeRan(tried.mustRefuse),
    tried.verdict,
  ]);
  const head = ["PLACE", "EVENT", "HOOK", "HARMLESS", "MUST REFUSE", "VERDICT"];
  const { findings } = examination;
  const lines = findings.flatMap(({ level, id, message, fix, file }, at) => [
    `${WORDS[level]}  ${printable(`${id}: ${message}${file === null ? "" : ` (${file})`}`)}`,
    // Of several in a row that have one remedy the last tells it.
    ...findings[at + 1]?.fix === fix ? [] : [`FIX   ${printable(fix)}`],
  ]);
  return [
    rows.length > 0 ? `${table([head, ...rows])}\n` : "",
    lines.length > 0 ? `${lines.join("\n")}\n\n` : "",
    `${conclude(examination)}\n`,
  ].join("");
}

function ranJson(ran: Ran | undefined): { code: number | null; ms: number } | null {
  return ran ? { code: ran.code, ms: Math.round(ran.ms) } : null;
}

/** The report as one line of JSON. */
export function toJson({ entries, findings }: Examination): string {
  const exit = exitOf(findings);
  const report = {
    schema: 1,
    ok: exit === 0,
    exit,
    entries: entries.map(({ entry, tried }) => ({
      place: entry.place.name,
      file: printable(entry.place.file),
      event: printable(entry.handler.event),
      hook: entry.hook?.name ?? null,
      command: printable(describeCommand(entry.handler)),
      harmless: ranJson(tried.harmless),
      mustRefuse: ranJson(tried.mustRefuse),
      verdict: tried.verdict,
    })),
    findings: findings.map(({ level, id, message, fix, file }) => ({
      level,
      id,
      message: printable(message),
      fix: printable(fix),
      file: file === null ? null : printable(file),
    })),
  };
  return `${JSON.stringify(report)}\n`;
}
