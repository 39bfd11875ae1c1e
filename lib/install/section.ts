/** The section of a memory file that is ours, between two comments; all else is the user's and stays as it is. */
import { type Bytes, lineEnd, splitBom } from "./bytes.ts";
import { InstallError } from "./error.ts";

/** Begins the section. */
export const BEGIN = "<!-- nonzero:begin -->";

/** Ends the section. */
export const END = "<!-- nonzero:end -->";

/** A line that is a marker and nothing else. More than three spaces before it would make it code. */
const MARKER = /^ {0,3}<!-- nonzero:(begin|end) -->[ \t]*$/;

/** Opens a code fence, also in a list or a quotation. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?!.*`)|~{3,})/;

/** Closes one. */
const FENCE_END = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/;

/** Where a section lies, in characters; its last line's end is no part of it. */
interface Span {
  readonly start: number;
  readonly end: number;
}

interface Mark extends Span {
  readonly kind: string;
  /** Counted from 1. */
  readonly line: number;
}

/** The markers of a file outside code fences, and the line of a fence that is never closed. */
function scan(bytes: Bytes): { readonly marks: readonly Mark[]; readonly open: number | undefined } {
  const marks: Mark[] = [];
  let fence: { readonly sign: string; readonly line: number } | undefined;
  let start = 0;
  for (const [at, text] of bytes.split("\n").entries()) {
    const line = text.endsWith("\r") ? text.slice(0, -1) : text;
    if (fence) {
      if (FENCE_END.exec(line)?.[1]?.startsWith(fence.sign)) fence = undefined;
    } else {
      const sign = FENCE.exec(line)?.[1];
      const kind = MARKER.exec(line)?.[1];
      if (sign !== undefined) fence = { sign, line: at + 1 };
      else if (kind !== undefined) marks.push({ kind, line: at + 1, start, end: start + line.length });
    }
    start += text.length + 1;
  }
  return { marks, open: fence?.line };
}

/** The one section; undefined where there is none. Throws InstallError with the line where markers do not pair. */
function pair(marks: readonly Mark[]): Span | undefined {
  const [first, second, third] = marks;
  if (!first) return undefined;
  const problem = (line: number, what: string) => new InstallError(`line ${line}: ${what}`);
  if (first.kind === "end") throw problem(first.line, `${END} without ${BEGIN} before it`);
  if (!second) throw problem(first.line, `${BEGIN} without ${END} after it`);
  if (second.kind === "begin") {
    throw problem(second.line, `${BEGIN} again, inside the section that begins in line ${first.line}`);
  }
  if (third) {
    const marker = third.kind === "begin" ? BEGIN : END;
    throw problem(third.line, `${marker} after the section that begins in line ${first.line}`);
  }
  return { start: first.start, end: second.end };
}

function find(bytes: Bytes): { readonly span: Span | undefined; readonly open: number | undefined } {
  const { bom, body } = splitBom(bytes);
  const { marks, open } = scan(body);
  const span = pair(marks);
  return { span: span && { start: span.start + bom.length, end: span.end + bom.length }, open };
}

/** How a section that is there ends its lines. */
function endOf(bytes: Bytes, { start, end }: Span): "\n" | "\r\n" {
  return /^[^\n]*\r\n/.test(bytes.slice(start, end)) ? "\r\n" : "\n";
}

/** The section with its markers; undefined where there is none. Throws InstallError where markers do not pair. */
export function getSection(bytes: Bytes): Bytes | undefined {
  const { span } = find(bytes);
  return span && bytes.slice(span.start, span.end);
}

/**
 * Puts a section in the place of the one that is there, or at the end. Throws InstallError where markers do not pair,
 * or where a code fence that is never closed would take it in.
 *
 * @param lines What stands between the markers.
 */
export function putSection(bytes: Bytes, lines: readonly Bytes[]): Bytes {
  if (/^(?:\xff\xfe|\xfe\xff)/.test(bytes)) throw new InstallError("is UTF-16; the section would be UTF-8");
  const { span, open } = find(bytes);
  const written = (end: string) => [BEGIN, ...lines, END].join(end);
  if (span) return bytes.slice(0, span.start) + written(endOf(bytes, span)) + bytes.slice(span.end);
  if (open !== undefined) throw new InstallError(`line ${open}: a code fence that is never closed`);
  const end = lineEnd(bytes);
  const { body } = splitBom(bytes);
  // Whether the file ended in a line end can be seen again afterwards, so that takeSection undoes this exactly.
  if (body === "") return bytes + written(end) + end;
  if (body.endsWith("\n")) return bytes + end + written(end) + end;
  return bytes + end + end + written(end);
}

/** The same with another section in the place of the one that is there. Throws InstallError as getSection does. */
export function swapSection(bytes: Bytes, section: Bytes): Bytes {
  const { span } = find(bytes);
  return span ? bytes.slice(0, span.start) + section + bytes.slice(span.end) : bytes;
}

/**
 * Takes the section out, with the blank line that putSection set it off by; the same bytes where there is none.
 * Throws InstallError where markers do not pair.
 */
export function takeSection(bytes: Bytes): Bytes {
  const { span } = find(bytes);
  if (!span) return bytes;
  const end = endOf(bytes, span);
  let [before, after] = [bytes.slice(0, span.start), bytes.slice(span.end)];
  const dropEnd = () => {
    if (before.endsWith(end)) before = before.slice(0, -end.length);
  };
  dropEnd();
  if (after.startsWith(end)) after = after.slice(end.length);
  else if (after === "") dropEnd();
  return before + after;
}
