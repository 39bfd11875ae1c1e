import type { Finding } from "../contract/hook.ts";
import { redact } from "../secrets/scan.ts";

/** The longest reason that is printed, in characters. */
const REASON_LIMIT = 2_000;

/** The most findings that are printed; the rest are counted. */
const FINDINGS_LIMIT = 20;

/**
 * What must not reach a terminal from an input: control and format characters (colour codes, direction marks, what
 * has no width), line and paragraph separators, lone surrogates.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

function escape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** The text, or its beginning where it is longer than the limit. */
export function cut(text: string, limit: number = REASON_LIMIT): string {
  return text.length > limit ? `${text.slice(0, limit - 1).toWellFormed()}…` : text;
}

/** One line that is safe to print whatever input it quotes: no secret, nothing unprintable, at most 2,000 characters. */
export function printable(text: string): string {
  // The first cut bounds the work. It is wide, lest it leave the first half of a secret that is then not known as one.
  return cut(redact(cut(text, 8 * REASON_LIMIT)).replace(UNPRINTABLE, escape));
}

/** What is said on a refusal: a line for each finding, then how to satisfy each rule, then what was loosened. */
export function refusal(
  findings: readonly Finding[],
  satisfy: (rule: string) => string | undefined,
  loosened: (rule: string) => readonly string[] = () => [],
): string {
  const lines = findings.slice(0, FINDINGS_LIMIT).map(({ rule, reason }) =>
    `DENY  ${printable(`${rule}: ${reason}`)}`
  );
  if (findings.length > FINDINGS_LIMIT) lines.push(`DENY  and ${findings.length - FINDINGS_LIMIT} more`);
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  const fixes = findings.map((finding) => ({
    rule: finding.rule,
    how: finding.satisfy ?? satisfy(finding.rule),
  }));
  for (const fix of new Set(fixes.flatMap(({ rule, how }) => how ? [`FIX   ${rule}: ${how}`] : []))) {
    lines.push(fix);
  }
  for (const rule of rules) {
    for (const note of loosened(rule)) lines.push(`NOTE  ${printable(`${rule}: ${note}`)}`);
  }
  return lines.join("\n");
}
