/** One line of evidence, with its number from 1. */
export interface Entry {
  readonly key: string;
  readonly value: string;
  readonly line: number;
}

/** A line that is no evidence, and why. */
export interface Malformed {
  readonly line: number;
  readonly reason: string;
}

const KEY = /^[A-Za-z][A-Za-z0-9_.-]*$/;

// deno-lint-ignore no-misleading-character-class -- each of them by itself
/** What does not show, or shows as another thing: controls, format characters, every space but the plain one. */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]|\p{Variation_Selector}/u;

/** Whether a text has anything that shows. */
export function isBlank(text: string): boolean {
  return [...text].every((character) => /\s/.test(character) || HIDDEN.test(character));
}

/** Why a line is malformed; undefined where it is an entry. */
function judge(key: string, value: string): string | undefined {
  if (key.endsWith(" ") || value.startsWith(" ")) return 'a space beside "="';
  if (key === "") return "an empty key";
  if (HIDDEN.test(key) || HIDDEN.test(value)) return "a control, format or non-breaking character";
  if (!KEY.test(key)) return `an invalid key "${key}"`;
  if (value === "") return `an empty value of "${key}"`;
  if (value.endsWith(" ")) return "a space at the end of the line";
  return undefined;
}

/** The first line whose bytes are not UTF-8; undefined where all are. */
function findInvalid(bytes: Uint8Array): number | undefined {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  for (let start = 0; start <= bytes.length; line++) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    start = end + 1;
  }
  return undefined;
}

/**
 * Reads a file of evidence: lines `key=value`, ended by LF or CRLF, with blank lines and `#` comments between them.
 * Gives its entries in order, or, where anything is malformed, all that is. Never throws.
 */
export function parseEvidence(
  bytes: Uint8Array,
): { readonly entries: readonly Entry[] } | { readonly malformed: readonly Malformed[] } {
  const invalid = findInvalid(bytes);
  if (invalid !== undefined) return { malformed: [{ line: invalid, reason: "not valid UTF-8" }] };
  const entries: Entry[] = [];
  const malformed: Malformed[] = [];
  const seen = new Map<string, number>();
  const readLine = (content: string, line: number): string | undefined => {
    if (content.includes("\0")) return "a NUL byte";
    if (content.includes("\r")) return "a carriage return without a line feed";
    if (/^ *(?:#|$)/.test(content)) return undefined;
    const at = content.indexOf("=");
    if (at < 0) return 'no "=" in the line';
    const key = content.slice(0, at);
    const value = content.slice(at + 1);
    const reason = judge(key, value);
    if (reason !== undefined) return reason;
    const first = seen.get(key.toLowerCase());
    if (first !== undefined) return `duplicate key "${key}", first in line ${first}`;
    seen.set(key.toLowerCase(), line);
    entries.push({ key, value, line });
    return undefined;
  };
  // The decoder takes a byte order mark off, one and no more.
  new TextDecoder().decode(bytes).split(/\r?\n/).forEach((content, index) => {
    const reason = readLine(content, index + 1);
    if (reason !== undefined) malformed.push({ line: index + 1, reason });
  });
  return malformed.length > 0 ? { malformed } : { entries };
}
