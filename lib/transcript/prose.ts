/**
 * Reads a message as Markdown, as far as its prose goes: blocks of sentences of words. Code, quoted lines, comments and
 * struck text are no prose. Every step takes time that grows with the message alone.
 */

/** What stands between two spaces or marks. */
export interface Token {
  /**
   * `word`: letters; `number`: what begins with a digit; `thing`: code, a path, a quotation, a compound that is no plain
   * word; `emoji`: also other symbols; `mark`: one of `. , ; : ( ) -`, where `-` is any dash between words, and
   * `.` what ends a sentence.
   */
  readonly kind: "word" | "number" | "thing" | "emoji" | "mark";
  /** In lower case, without invisible characters; a contraction is two tokens: `is` `not`, `it` `'s`. */
  readonly text: string;
  /** Where it begins and ends in the message, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Begins with an upper-case letter. */
  readonly capital: boolean;
}

/** A sentence, without the mark that ends it. */
export interface Sentence {
  readonly tokens: readonly Token[];
  /** The mark that ends it asks. */
  readonly asks: boolean;
  /** It ends in a colon. */
  readonly introduces: boolean;
  /** Where it begins and ends in the message, in UTF-16 units, with the mark that ends it. */
  readonly start: number;
  readonly end: number;
}

/** A paragraph, a heading, an item of a list, or a row of a table. */
export interface Block {
  readonly kind: "text" | "heading" | "item" | "row";
  /** The sentences; of a row, those of each cell. */
  readonly parts: readonly (readonly Sentence[])[];
  /** The list or table that it belongs to, from 1; 0 for none. */
  readonly group: number;
  /** An item with an empty box before it. */
  readonly open: boolean;
}

/** A message read. */
export interface Prose {
  readonly blocks: readonly Block[];
  /** All but code, in lower case with plain apostrophes and single spaces, without emphasis: to be searched for phrases. */
  readonly plain: string;
}

/** A part of the message, in UTF-16 units. */
interface Range {
  readonly start: number;
  readonly end: number;
}

interface Line extends Range {
  readonly kind: "blank" | "code" | "aside" | "text";
}

/** Stands for each character of what is not read, but is there. */
const HIDDEN = "\ue000";

function cover(text: string, ranges: readonly Range[], by: string): string {
  if (ranges.length === 0) return text;
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    pieces.push(text.slice(at, start), by.repeat(end - start));
    at = end;
  }
  pieces.push(text.slice(at));
  return pieces.join("");
}

function linesOf(text: string): Range[] {
  const ranges: Range[] = [];
  const ends = /\r\n|[\n\r\u2028\u2029]/g;
  let start = 0;
  for (let match = ends.exec(text); match; match = ends.exec(text)) {
    ranges.push({ start, end: match.index });
    start = ends.lastIndex;
  }
  ranges.push({ start, end: text.length });
  return ranges;
}

/** The comments that begin in a line, not in its code; one that the line does not end is open: its end is `Infinity`. */
function commentsIn(line: string): Range[] {
  const comments: Range[] = [];
  const marks = /`+|<!--/g;
  let code = false;
  for (let match = marks.exec(line); match; match = marks.exec(line)) {
    if (match[0] !== "<!--") {
      code = !code && line.includes("`", marks.lastIndex);
    } else if (!code) {
      const close = line.indexOf("-->", marks.lastIndex);
      const end = close < 0 ? Infinity : close + 3;
      comments.push({ start: match.index, end });
      if (close < 0) break;
      marks.lastIndex = end;
    }
  }
  return comments;
}

const FENCE = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})/;
const ITEM = /^[ \t]*(?:[-*+•‣◦]|\d{1,9}[.)])[ \t]+(?:\[(.)\](?=[ \t]))?/u;

/** The kind of each line, and the parts of lines that are comments. */
function classify(message: string): { lines: Line[]; comments: Range[] } {
  const lines: Line[] = [];
  const comments: Range[] = [];
  let fence = "";
  let commented = false;
  let afterBlank = true;
  let inList = false;
  for (const { start, end } of linesOf(message)) {
    let from = start;
    if (commented) {
      const close = message.slice(start, end).indexOf("-->");
      commented = close < 0;
      from = commented ? end : start + close + 3;
      comments.push({ start, end: from });
    }
    let text = message.slice(from, end);
    const mark = FENCE.exec(text)?.[1] ?? "";
    if (fence !== "" || mark !== "") {
      if (fence === "") fence = mark;
      else if (mark.startsWith(fence) && text.trim() === mark) fence = "";
      lines.push({ start, end, kind: "code" });
      afterBlank = false;
      continue;
    }
    if (text.includes("<!--")) {
      const found = commentsIn(text);
      commented = found.at(-1)?.end === Infinity;
      for (const part of found) {
        comments.push({ start: from + part.start, end: Math.min(end, from + part.end) });
      }
      text = cover(text, found.map((part) => ({ ...part, end: Math.min(text.length, part.end) })), " ");
    }
    const isBlank = text.trim() === "";
    const isItem = ITEM.test(text);
    const isIndented = /^(?: {4}| {0,3}\t)/.test(text);
    const before = lines.at(-1)?.kind;
    let kind: Line["kind"] = "text";
    if (isBlank) kind = "blank";
    else if (/^[ \t]*>/.test(text)) kind = "aside";
    // Below an item of a list this may be its next paragraph or code: neither claims.
    else if (isIndented && !(inList && isItem) && (afterBlank || before === "code")) {
      kind = inList ? "aside" : "code";
    }
    lines.push({ start, end, kind });
    if (isItem) inList = true;
    else if (!isBlank && !isIndented && afterBlank) inList = false;
    // Code goes on after a blank line within it.
    if (kind !== "code") afterBlank = isBlank;
  }
  return { lines, comments };
}

/** The code between runs of backticks of one length, in a part of the text. */
function codeIn(text: string, { start, end }: Range): Range[] {
  const runs = [...text.slice(start, end).matchAll(/`+/g)].map((match) => ({
    start: start + match.index,
    end: start + match.index + match[0].length,
  }));
  const closing = new Array<number>(runs.length).fill(-1);
  const last = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index--) {
    const length = runs[index]!.end - runs[index]!.start;
    closing[index] = last.get(length) ?? -1;
    last.set(length, index);
  }
  const code: Range[] = [];
  for (let index = 0; index < runs.length; index++) {
    const close = closing[index]!;
    if (close < 0) continue;
    code.push({ start: runs[index]!.start, end: runs[close]!.end });
    index = close;
  }
  return code;
}

/** The parts of the text between blank lines and lines of code. */
function paragraphsOf(lines: readonly Line[]): Range[] {
  const paragraphs: { start: number; end: number }[] = [];
  let open = false;
  for (const { start, end, kind } of lines) {
    const holds = kind === "text" || kind === "aside";
    if (holds && open) paragraphs.at(-1)!.end = end;
    else if (holds) paragraphs.push({ start, end });
    open = holds;
  }
  return paragraphs;
}

/** Covers what is no prose within its lines, and lays bare what emphasis, links and tags enclose. Keeps every offset. */
function bare(text: string): string {
  const hide = (match: string) => HIDDEN.repeat(match.length);
  const blank = (match: string) => " ".repeat(match.length);
  return text
    .replace(/\r(?!\n)|[\u2028\u2029]/g, "\n")
    .replace(/!\[[^[\]\n]*\]\([^()\n]*\)/g, hide)
    .replace(/\]\([^()\n]*\)/g, (match) => "\u2060".repeat(match.length))
    .replace(/\b(?:https?|ftp|file):\/\/[^\s<>()\]|]+/g, hide)
    .replace(/<(del|s|code|pre|kbd|q|blockquote)>[^<]*<\/\1>/gi, hide)
    .replace(
      /<\/?([a-z][a-z0-9]*)[^<>\n]*>/gi,
      (match, name: string) =>
        /^(?:br|p|div|li|t[rdh]|summary|details|h[1-6]|hr)$/i.test(name)
          ? "\n" + " ".repeat(match.length - 1)
          : "\u2060".repeat(match.length),
    )
    .replace(/~~[^~\n]*~~/g, blank)
    .replace(/(?<![\p{L}\p{N}])"(?:[^"\n]|\n(?![ \t\r]*\n))*"/gu, hide)
    .replace(/“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»/g, hide)
    .replace(/(?<![\p{L}\p{N}])['‘](?:[^'‘’\n]|(?<=\p{L})['’](?=\p{L}))*['’](?![\p{L}\p{N}])/gu, hide)
    .replace(
      /(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])|[*~]/gu,
      (match) => "\u2060".repeat(match.length),
    );
}

/** Contractions written without their apostrophe. */
const BARE_NOT = /^(do|does|did|is|are|was|were|has|have|had|ca|wo|would|could|should|must)nt$/;

let pattern: RegExp | undefined;

/** Compiled at its first use: a hook loads this module for messages that have no need of it. */
function tokenPattern(): RegExp {
  if (pattern) return pattern;
  const invisible = "\\u00ad\\u200b-\\u200f\\u2060-\\u2064\\ufeff\\ufe00-\\ufe0f";
  const real = "\\p{L}\\p{N}\\p{M}_\ue000";
  const unit = `[${real}][${real}${invisible}]*`;
  return pattern = new RegExp(
    `(?:(?<![^\\s(])[#@$/\\\\.&%-]+)?${unit}(?:(?:[-'’./\\\\@:=#+&$%]+|,(?=\\p{N}))[${invisible}]*${unit})*%?` +
      `|(?<![^\\s]):[a-z0-9_+-]{2,30}:|[.!?…]+|\\n|[-–—―]+|[^\\s${invisible}]`,
    "gu",
  );
}

/** Reads words, marks and line ends (as a mark `\n`) off a part of the bared text. */
function tokensOf(text: string, { start, end }: Range): Token[] {
  const tokens: Token[] = [];
  const part = text.slice(start, end);
  for (const match of part.matchAll(tokenPattern())) {
    const raw = match[0];
    const at = start + match.index;
    const range = { start: at, end: at + raw.length };
    if (/^[.!?…]+$/.test(raw)) {
      const ellipsis = raw === "…" || /^\.{2,}$/.test(raw);
      tokens.push({
        ...range,
        kind: "mark",
        text: raw.includes("?") ? "?" : ellipsis ? "…" : ".",
        capital: false,
      });
    } else if (/^[-–—―]+$/.test(raw)) {
      tokens.push({ ...range, kind: "mark", text: "-", capital: false });
    } else if (/^[\n,;:()]$/.test(raw)) {
      tokens.push({ ...range, kind: "mark", text: raw, capital: false });
    } else if (!/[\p{L}\p{N}\p{M}_\ue000]/u.test(raw) || raw.startsWith(":")) {
      if (!/^["'“”‘’[\]{}|`\\<>=#]$/.test(raw)) {
        tokens.push({ ...range, kind: "emoji", text: raw, capital: false });
      }
    } else {
      pushWord(tokens, raw.replaceAll(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\ufe00-\ufe0f]/g, ""), range);
    }
  }
  return tokens;
}

function pushWord(tokens: Token[], raw: string, range: Range): void {
  const text = raw.toLowerCase().replaceAll("’", "'");
  const capital = /^\p{Lu}/u.test(raw);
  const push = (kind: Token["kind"], ...texts: string[]) => {
    for (const text of texts) tokens.push({ ...range, kind, text, capital });
  };
  const [, stem = "", suffix = ""] = /^(\p{L}+)('s|'re|'ve|'ll|'d|'m)$/u.exec(text) ?? [];
  const negated = /^(\p{L}+)n't$/u.exec(text)?.[1] ?? BARE_NOT.exec(text)?.[1];
  if (/^[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*$/u.test(text) && negated === undefined) push("word", text);
  else if (negated !== undefined) {
    push("word", negated === "wo" ? "will" : negated === "ca" ? "can" : negated, "not");
  } else if (suffix !== "") {
    push("word", stem, suffix === "'ll" ? "will" : suffix === "'d" ? "would" : suffix);
  } else if (/^[\p{L}.]+$/u.test(text) && ABBREVIATIONS.has(text)) push("word", text);
  else push(/^\p{N}/u.test(text) ? "number" : "thing", text);
}

/** Words whose full stop ends no sentence. */
const ABBREVIATIONS = new Set([
  "e.g",
  "i.e",
  "etc",
  "vs",
  "approx",
  "cf",
  "incl",
  "resp",
  "ca",
  "no",
  "z.b",
  "d.h",
]);

/** Words that no sentence ends with: after them, a line goes on in the next one. */
const UNENDING = new Set([
  ...[
    "a",
    "an",
    "the",
    "of",
    "to",
    "for",
    "with",
    "without",
    "in",
    "on",
    "at",
    "by",
    "from",
    "and",
    "or",
    "but",
  ],
  ...[
    "not",
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "has",
    "have",
    "except",
    "until",
    "if",
    "when",
    "once",
  ],
  ...["that", "which", "as", "than", "because", "after", "before", "unless", "i", "we", "my", "your", "our"],
]);

/** Whether a sentence goes on behind the end of a line. */
function goesOn(last: Token, next: Token, width: number): boolean {
  if (last.kind === "mark") return last.text === "," || last.text === "-" || last.text === "(";
  if (next.kind === "word" && !next.capital) return true;
  return UNENDING.has(last.text) || (width >= 60 && next.kind !== "emoji" && last.kind !== "emoji");
}

/** The sentences of a part of the bared text. */
function sentencesOf(text: string, range: Range): Sentence[] {
  const tokens = tokensOf(text, range);
  const sentences: Sentence[] = [];
  let held: Token[] = [];
  let lineStart = range.start;
  const finish = (end: number, asks: boolean) => {
    const first = held[0];
    const last = held.at(-1);
    if (first && last) {
      sentences.push({
        tokens: held,
        asks,
        introduces: last.text === ":",
        start: first.start,
        end: Math.max(last.end, end),
      });
    }
    held = [];
  };
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    const last = held.at(-1);
    if (token.text === "\n" && token.kind === "mark") {
      if (last && next && !goesOn(last, next, token.start - lineStart)) finish(last.end, false);
      lineStart = token.end;
    } else if (token.kind === "mark" && /^[.?…]$/.test(token.text)) {
      const isLower = next?.kind === "word" && !next.capital;
      if (token.text === "." && last && isLower && ABBREVIATIONS.has(last.text)) continue;
      if (token.text === "…" && isLower) held.push({ ...token, text: "-" });
      else finish(token.end, token.text === "?");
    } else {
      held.push(token);
    }
  }
  finish(0, false);
  return sentences;
}

/** The cells of a row, by their bounds. */
function cellsOf(text: string, { start, end }: Range): Range[] {
  const cells: Range[] = [];
  let from = start;
  for (let at = start; at <= end; at++) {
    if (at < end && (text[at] !== "|" || text[at - 1] === "\\")) continue;
    cells.push({ start: from, end: at });
    from = at + 1;
  }
  return cells;
}

function isDelimiterRow(line: string): boolean {
  return /^[-|: \t\r]+$/.test(line) && line.includes("-") && line.includes("|");
}

/** Gathers the lines of text into blocks. */
class Blocks {
  readonly blocks: Block[] = [];
  readonly #text: string;
  #open:
    | { kind: "text" | "heading" | "item"; start: number; end: number; group: number; open: boolean }
    | undefined;
  #groups = 0;
  #list: { indent: number; ordered: boolean; group: number } | undefined;
  #table = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Ends the block that is open. */
  flush(kind?: "heading"): void {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return;
    const parts = [sentencesOf(this.#text, open)];
    this.blocks.push({
      kind: open.kind === "text" && kind ? kind : open.kind,
      parts,
      group: open.group,
      open: open.open,
    });
  }

  /** Ends the block and the table, at what is no text. */
  pause(): void {
    this.flush();
    this.#table = 0;
  }

  add({ start, end }: Range, next: string): void {
    const line = this.#text.slice(start, end);
    const heading = /^ {0,3}#{1,6}(?=[ \t]|$)/.exec(line);
    if (line.includes("|") && (this.#table > 0 || /^[ \t]*\|/.test(line) || isDelimiterRow(next))) {
      this.flush();
      const isNew = this.#table === 0;
      if (isNew) this.#table = ++this.#groups;
      if (isDelimiterRow(line) || isDelimiterRow(next)) return;
      const parts = cellsOf(this.#text, { start, end }).map((cell) => sentencesOf(this.#text, cell));
      this.blocks.push({ kind: "row", parts, group: this.#table, open: false });
      return;
    }
    this.#table = 0;
    if (heading) {
      this.flush();
      this.#list = undefined;
      this.#open = { kind: "heading", start: start + heading[0].length, end, group: 0, open: false };
      this.flush();
    } else if (/^[ \t]*(?:[-\u2060 \t]{3,}|=+[ \t]*)$/.test(line)) {
      this.flush("heading");
    } else {
      this.#addText(line, start, end);
    }
  }

  #addText(line: string, start: number, end: number): void {
    const item = ITEM.exec(line) ?? /^[ \t]*[\u2060][ \t]+(?:\[(.)\](?=[ \t]))?/u.exec(line);
    const indent = /^[ \t]*/.exec(line)![0].length;
    if (item) {
      this.flush();
      const ordered = /^[ \t]*\d/.test(line);
      const list = this.#list;
      if (!list || (indent <= list.indent && ordered !== list.ordered)) {
        this.#list = { indent, ordered, group: ++this.#groups };
      }
      const open = item[1] !== undefined && !/[xX✓✔✅☑]/u.test(item[1]);
      this.#open = { kind: "item", start: start + item[0].length, end, group: this.#list!.group, open };
    } else if (this.#open && (this.#open.kind === "text" || indent > 0 || /^\p{Ll}/u.test(line))) {
      this.#open.end = end;
    } else {
      this.flush();
      if (indent === 0) this.#list = undefined;
      const group = this.#list?.group ?? 0;
      this.#open = { kind: group ? "item" : "text", start, end, group, open: false };
    }
  }
}

/** Reads a message. */
export function readProse(message: string): Prose {
  const { lines, comments } = classify(message);
  const code = paragraphsOf(lines).flatMap((paragraph) => codeIn(message, paragraph));
  const withoutCode = cover(message, code, HIDDEN);
  const spoken = lines.filter(({ kind }) => kind !== "code").map(({ start, end }) =>
    withoutCode.slice(start, end)
  );
  const plain = spoken.join(" ").toLowerCase().replaceAll(/[‘’]/g, "'")
    .replaceAll(/[*_~\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+/g, "").replaceAll(/\s+/g, " ");
  const text = bare(cover(withoutCode, comments, " "));
  const blocks = new Blocks(text);
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    if (line.kind === "text") blocks.add(line, next?.kind === "text" ? text.slice(next.start, next.end) : "");
    else blocks.pause();
  }
  blocks.pause();
  return { blocks: blocks.blocks, plain };
}
