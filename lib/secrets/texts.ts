/** Finds secrets in the texts of one call. */
import type { Text } from "../contract/hook.ts";
import { type PatternTable, scan } from "./scan.ts";

/** The most text that is scanned in one call, in UTF-16 units: 8 MiB. */
export const SCAN_LIMIT = 8 * 1024 * 1024;

/** Stands between two texts: no pattern reaches across it. */
const BETWEEN = "\n\0\n";

/** A secret in one of the texts. */
export interface SecretInText {
  /** The pattern's id. */
  readonly id: string;
  readonly text: Text;
  /** The line of the text that it begins on, from 1. */
  readonly line: number;
}

/** The texts as one, for a call can hold very many small ones, and where each begins in it. */
function join(texts: readonly Text[]): { whole: string; starts: number[] } {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of texts) {
    starts.push(length);
    length += text.length + BETWEEN.length;
  }
  return { whole: texts.map(({ text }) => text).join(BETWEEN), starts };
}

/** Counts line ends on from where it was asked last, so that many findings in one text cost one pass over it. */
class LineCounter {
  #line = 1;
  #at: number;
  readonly #text: string;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  /** The line, from 1, of a position at or after the last one asked for. */
  lineOf(position: number): number {
    this.#line += this.#text.slice(this.#at, position).split(/\r\n|[\n\r]/).length - 1;
    this.#at = position;
    return this.#line;
  }
}

/**
 * The secrets in all texts, in order; of all patterns, or of those in a table. Where the texts are more than
 * {@linkcode SCAN_LIMIT} together, the objection to that.
 */
export function findSecrets(
  texts: readonly Text[],
  table?: PatternTable,
): readonly SecretInText[] | { readonly reason: string; readonly satisfy: string } {
  const size = texts.reduce((sum, { text }) => sum + text.length, 0);
  if (size > SCAN_LIMIT) {
    const reason = `the text is larger than the ${SCAN_LIMIT / 1024 / 1024} MiB that are scanned in one call`;
    return { reason, satisfy: "Write it in smaller pieces." };
  }
  const { whole, starts } = join(texts);
  let current = 0;
  let lines = new LineCounter(whole, 0);
  return scan(whole, table).flatMap(({ id, start }) => {
    for (let next = starts[current + 1]; next !== undefined && next <= start; next = starts[current + 1]) {
      current++;
      lines = new LineCounter(whole, next);
    }
    const text = texts[current];
    return text ? [{ id, text, line: lines.lineOf(start) }] : [];
  });
}
