import type { Accepted, Facts, Rule, Text } from "../contract/hook.ts";
import { relativeSegments } from "../paths/compare.ts";
import { matchGlob } from "../paths/glob.ts";
import { scan } from "../secrets/scan.ts";

/** The most text that is scanned in one call, in UTF-16 units: 8 MiB. */
export const SCAN_LIMIT = 8 * 1024 * 1024;

/** Stands between two texts: no pattern reaches across it. */
const BETWEEN = "\n\0\n";

/** Whether the user accepts that secret in every place where the text may land. */
function isAccepted(pattern: string, text: Text, facts: Facts): boolean {
  const target = text.target === undefined ? undefined : facts.targets[text.target];
  const root = facts.root;
  if (!target || "problem" in root || target.readings.length === 0) return false;
  const covers = ({ path }: Accepted, reading: string) => {
    const segments = relativeSegments(reading, root.path, facts.platform);
    return segments !== undefined && matchGlob(segments, path);
  };
  const candidates = facts.accepted.filter((accepted) => accepted.pattern === pattern);
  return target.readings.every((reading) => candidates.some((accepted) => covers(accepted, reading)));
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

/** No text that is written holds secret material. */
export const noSecretsWritten: Rule<Facts> = {
  id: "no-secrets-written",
  refuses: "text that holds a key, token, password or other secret",
  satisfy: "Write a placeholder or read the secret from the environment or a secret store when it is needed.",
  check(facts) {
    const { texts } = facts;
    const size = texts.reduce((sum, { text }) => sum + text.length, 0);
    if (size > SCAN_LIMIT) {
      const reason = `the text is larger than the ${
        SCAN_LIMIT / 1024 / 1024
      } MiB that are scanned in one call`;
      return [{ reason, satisfy: "Write it in smaller pieces." }];
    }
    const { whole, starts } = join(texts);
    let current = 0;
    let lines = new LineCounter(whole, 0);
    return scan(whole).flatMap(({ id, start }) => {
      for (let next = starts[current + 1]; next !== undefined && next <= start; next = starts[current + 1]) {
        current++;
        lines = new LineCounter(whole, next);
      }
      const text = texts[current];
      if (!text || isAccepted(id, text, facts)) return [];
      return [`${id} in ${text.field}, line ${lines.lineOf(start)}`];
    });
  },
};
