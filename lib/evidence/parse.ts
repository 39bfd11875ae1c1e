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

/**
 * What does not show, or shows as another thing: controls, format characters, what is private or not assigned, fillers,
 * blanks and spaces of any kind.
 */
const UNSEEN = String
  .raw`\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}\u{13441}\u{13442}\u{16FE4}`;

/** Whether a text has nothing that shows. */
export function isBlank(text: string): boolean {
  // Most texts tell by a letter of ASCII; so no engine need build the sets.
  return !/[!-~]/.test(text) && !new RegExp(`[^${UNSEEN}]`, "u").test(text);
}

/** Whether a text has what is unseen, but for the plain space. */
function isHiding(text: string): boolean {
  return !/^[ -~]*$/.test(text) && new RegExp(`(?! )[${UNSEEN}]`, "u").test(text);
}

/** Whether a text has a control character other than the tab, or what some take for the end of a line. */
function isCut(text: string): boolean {
  return !/^[ -~]*$/.test(text) && /(?!\t)[\p{Cc}\u2028\u2029]/u.test(text);
}

/** Whether bytes begin as a file of UTF-16 does. */
function isUtf16(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xfe || bytes[0] === 0xfe && bytes[1] === 0xff;
}

/** Whether a file has nothing that shows. It may be of any encoding whose letters and spaces are those of ASCII. */
export function isBlankFile(bytes: Uint8Array): boolean {
  // The zero bytes that UTF-16 has between them do not show either.
  return isBlank(new TextDecoder().decode(isUtf16(bytes) ? bytes.subarray(2) : bytes));
}

/** Why a text that is not blank cannot be a value; undefined where it can. */
export function judgeValue(text: string): string | undefined {
  if (isHiding(text)) return "a control, format or non-breaking character";
  if (/^\p{M}/u.test(text)) return "a combining mark at the beginning";
  if (text.startsWith(" ")) return "a space at the beginning";
  if (text.endsWith(" ")) return "a space at the end";
  return undefined;
}

/** Why a line is malformed; undefined where it is an entry. */
function judgeEntry(key: string, value: string): string | undefined {
  if (key.endsWith(" ") || value.startsWith(" ")) return 'a space beside "="';
  if (key === "") return "an empty key";
  if (isHiding(key)) return "a control, format or non-breaking character";
  if (!KEY.test(key)) return `an invalid key "${key}"`;
  if (value === "") return `an empty value of "${key}"`;
  return judgeValue(value);
}

/** The text of a file; undefined where it is not valid UTF-8. One byte order mark is taken off. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The number of the first line that is not valid UTF-8, of bytes in which there is one. */
function findInvalid(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0 || decode(bytes.subarray(start, end)) === undefined) break;
    start = end + 1;
  }
  return line;
}

/**
 * Reads a file of evidence: lines `key=value`, ended by LF or CRLF, with blank lines and `#` comments between them.
 * Gives its entries in order, or, where anything is malformed, all that is. Never throws.
 */
export function parseEvidence(
  bytes: Uint8Array,
): { readonly entries: readonly Entry[] } | { readonly malformed: readonly Malformed[] } {
  const text = decode(bytes);
  if (text === undefined) {
    return isUtf16(bytes)
      ? { malformed: [{ line: 1, reason: "UTF-16, where UTF-8 is wanted" }] }
      : { malformed: [{ line: findInvalid(bytes), reason: "not valid UTF-8" }] };
  }
  const entries: Entry[] = [];
  const malformed: Malformed[] = [];
  const seen = new Set<string>();
  const readLine = (content: string, line: number): string | undefined => {
    if (content.includes("\0")) return "a NUL byte";
    if (content.includes("\r")) return "a carriage return without a line feed";
    // Other readers may end a line there, and take the rest of a comment for an entry.
    if (/^ *(?:#|$)/.test(content)) return isCut(content) ? "a control character in a comment" : undefined;
    const at = content.indexOf("=");
    if (at < 0) return 'no "=" in the line';
    const key = content.slice(0, at);
    const value = content.slice(at + 1);
    const reason = judgeEntry(key, value);
    if (reason !== undefined) return reason;
    if (seen.has(key.toLowerCase())) return `duplicate key "${key}"`;
    seen.add(key.toLowerCase());
    entries.push({ key, value, line });
    return undefined;
  };
  text.split(/\r?\n/).forEach((content, index) => {
    const reason = readLine(content, index + 1);
    if (reason !== undefined) malformed.push({ line: index + 1, reason });
  });
  return malformed.length > 0 ? { malformed } : { entries };
}
