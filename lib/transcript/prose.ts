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
  /** How many rules across the page have ended what was under a heading, up to here. */
  readonly section: number;
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
const HIDDEN_CODE = 0xe000;

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

/** How many lines at the beginning are data about a text: "---", "status: done", "---". */
function frontMatter(message: string, lines: readonly Range[]): number {
  const isRule = ({ start, end }: Range) => end - start < 10 && message.slice(start, end).trim() === "---";
  const [first, second] = lines;
  if (!first || !second || !isRule(first)) return 0;
  if (!/^[a-z][a-z0-9_-]*:(?:[ \t]|$)/.test(message.slice(second.start, second.end))) return 0;
  return lines.findIndex((line, index) => index > 0 && isRule(line)) + 1;
}

/** The kind of each line, and the parts of lines that are comments. */
function classify(message: string): { lines: Line[]; comments: Range[] } {
  const lines: Line[] = [];
  const comments: Range[] = [];
  let fence = "";
  let commented = false;
  let afterBlank = true;
  let inList = false;
  const ranges = linesOf(message);
  const data = frontMatter(message, ranges);
  for (const [index, { start, end }] of ranges.entries()) {
    if (index < data) {
      lines.push({ start, end, kind: "code" });
      continue;
    }
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

const hide = (match: string) => HIDDEN.repeat(match.length);
const blank = (match: string) => " ".repeat(match.length);
const vanish = (match: string) => "\u2060".repeat(match.length);

/**
 * Covers what is no prose within its lines, and lays bare what emphasis, links and tags enclose. Keeps every offset. An
 * expression is compiled only for a message that has what it looks for.
 */
function bare(message: string): string {
  let text = message;
  const has = (...marks: string[]) => marks.some((mark) => text.includes(mark));
  if (has("\r", "\u2028", "\u2029")) text = text.replace(/\r(?!\n)|[\u2028\u2029]/g, "\n");
  if (has("](")) {
    text = text.replace(/!\[[^[\]\n]*\]\([^()\n]*\)/g, hide).replace(/\]\([^()\n]*\)/g, vanish);
  }
  if (has("://")) text = text.replace(/\b(?:https?|ftp|file):\/\/[^\s<>()\]|]+/g, hide);
  if (has("<")) text = bareOfTags(text);
  if (has("~~")) text = text.replace(/~~[^~\n]*~~/g, blank);
  // Look-around knows letters by plain ranges: Unicode's classes take long to compile.
  if (has('"')) {
    text = text.replace(
      /(?<![0-9A-Za-z\u00c0-\u1fff\u3041-\ud7ff])"(?:[^"\n]|\n(?![ \t\r]*\n))*"/g,
      hide,
    );
  }
  if (has("“", "„", "«")) text = text.replace(/“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»/g, hide);
  if (has("'", "‘")) {
    text = text.replace(
      /(?<![0-9A-Za-z\u00c0-\u1fff\u3041-\ud7ff])['‘](?:[^'‘’\n]|(?<=[A-Za-z\u00c0-\u1fff\u3041-\ud7ff])['’](?=[A-Za-z\u00c0-\u1fff\u3041-\ud7ff]))*['’](?![0-9A-Za-z\u00c0-\u1fff\u3041-\ud7ff])/g,
      hide,
    );
  }
  if (has("_")) {
    text = text.replace(
      /(?<![0-9A-Za-z\u00c0-\u1fff\u3041-\ud7ff_])_+|(?<!_)_+(?![0-9A-Za-z\u00c0-\u1fff\u3041-\ud7ff_])/g,
      vanish,
    );
  }
  return has("*", "~") ? text.replace(/[*~]/g, vanish) : text;
}

function bareOfTags(text: string): string {
  return text
    .replace(/<(del|s|code|pre|kbd|q|blockquote)>[^<]*<\/\1>/gi, hide)
    .replace(
      /<\/?([a-z][a-z0-9]*)[^<>\n]*>/gi,
      (match, name: string) =>
        /^(?:br|p|div|li|t[rdh]|summary|details|h[1-6]|hr)$/i.test(name)
          ? "\n" + " ".repeat(match.length - 1)
          : vanish(match),
    );
}

/** Contractions written without their apostrophe. */
const BARE_NOT = /^(do|does|did|is|are|was|were|has|have|had|ca|wo|would|could|should|must)nt$/;

const SPACE = 1;
const INVISIBLE = 2;
const LETTER = 3;
const NUMBER = 4;
const OTHER = 5;

/** The class of a character, by its code point; expressions with Unicode classes are compiled for rare ones only. */
function classOf(code: number): number {
  if (code < 0x80) {
    if ((code | 32) >= 97 && (code | 32) <= 122 || code === 95) return LETTER;
    if (code >= 48 && code <= 57) return NUMBER;
    return code === 32 || (code >= 9 && code <= 13) ? SPACE : OTHER;
  }
  if (code >= 0xc0 && code < 0x250) return code === 0xd7 || code === 0xf7 ? OTHER : LETTER;
  if (code === 0xa0 || code === 0x2028 || code === 0x2029) return SPACE;
  if (
    code === 0xad || (code >= 0x200b && code <= 0x200f) || (code >= 0x2060 && code <= 0x2064) ||
    code === 0xfeff || (code >= 0xfe00 && code <= 0xfe0f)
  ) return INVISIBLE;
  if (code === HIDDEN_CODE) return LETTER;
  // Punctuation; arrows, boxes and dingbats; emoji.
  if (
    (code >= 0x2010 && code <= 0x2027) || (code >= 0x2190 && code <= 0x23ff) ||
    (code >= 0x25a0 && code <= 0x2775) || (code >= 0x1f300 && code <= 0x1faff)
  ) return OTHER;
  const character = String.fromCodePoint(code);
  if (/\s/.test(character)) return SPACE;
  if (/[\p{L}\p{M}]/u.test(character)) return LETTER;
  return /\p{N}/u.test(character) ? NUMBER : OTHER;
}

const codeAt = (text: string, at: number) => text.codePointAt(at) ?? 0;
const widthOf = (code: number) => code > 0xffff ? 2 : 1;
const isReal = (text: string, at: number, end: number) => {
  const kind = at < end ? classOf(codeAt(text, at)) : OTHER;
  return kind === LETTER || kind === NUMBER;
};

/** Where a run of certain characters ends. */
function runEnd(text: string, at: number, end: number, characters: string): number {
  let to = at;
  while (to < end && characters.includes(text[to]!)) to++;
  return to;
}

/** Where the letters, digits and invisible characters end that begin at an index. */
function unitEnd(text: string, at: number, end: number): number {
  let to = at;
  while (to < end) {
    const code = codeAt(text, to);
    const kind = classOf(code);
    if (kind !== LETTER && kind !== NUMBER && kind !== INVISIBLE) break;
    to += widthOf(code);
  }
  return to;
}

/** Where a word ends with what is joined to it: "don't", "a/b", "1,000", "50%". */
function wordEnd(text: string, at: number, end: number): number {
  let to = unitEnd(text, at, end);
  while (to < end) {
    let next = runEnd(text, to, end, "-'’./\\@:=#+&$%");
    if (next === to && text[to] === "," && to + 1 < end && classOf(codeAt(text, to + 1)) === NUMBER) next++;
    if (next === to) break;
    while (next < end && classOf(codeAt(text, next)) === INVISIBLE) next++;
    if (!isReal(text, next, end)) break;
    to = unitEnd(text, next, end);
  }
  return to < end && text[to] === "%" ? to + 1 : to;
}

/** Reads words, marks and line ends (as a mark `\n`) off a part of the bared text. */
function tokensOf(text: string, { start, end }: Range): Token[] {
  const tokens: Token[] = [];
  const push = (kind: "mark" | "emoji", told: string, at: number, to: number) =>
    tokens.push({ kind, text: told, start: at, end: to, capital: false });
  let at = start;
  while (at < end) {
    const code = codeAt(text, at);
    const character = text[at]!;
    const kind = classOf(code);
    if (character === "\n") push("mark", "\n", at, ++at);
    else if (kind === SPACE || kind === INVISIBLE) at++;
    else if (kind === OTHER) {
      const opens = at === start || text[at - 1] === "(" || classOf(text.charCodeAt(at - 1)) === SPACE;
      const body = opens ? runEnd(text, at, end, "#@$/\\.&%-") : at;
      if (body > at && isReal(text, body, end)) {
        const to = wordEnd(text, body, end);
        pushWord(tokens, text.slice(at, to), { start: at, end: to });
        at = to;
        continue;
      }
      at = pushMark(text, at, end, opens && text[at - 1] !== "(", push);
    } else {
      const to = wordEnd(text, at, end);
      pushWord(tokens, text.slice(at, to), { start: at, end: to });
      at = to;
    }
  }
  return tokens;
}

/** Reads what is no word; where it ends. `spaced`: nothing but space stands before it. */
function pushMark(
  text: string,
  at: number,
  end: number,
  spaced: boolean,
  push: (kind: "mark" | "emoji", told: string, at: number, to: number) => void,
): number {
  const character = text[at]!;
  if (".!?…".includes(character)) {
    const to = runEnd(text, at, end, ".!?…");
    const raw = text.slice(at, to);
    const isEllipsis = raw === "…" || (raw.length > 1 && runEnd(raw, 0, raw.length, ".") === raw.length);
    push("mark", raw.includes("?") ? "?" : isEllipsis ? "…" : ".", at, to);
    return to;
  }
  if ("-–—―".includes(character)) {
    const to = runEnd(text, at, end, "-–—―");
    push("mark", "-", at, to);
    return to;
  }
  if (character === ":" && spaced) {
    const to = runEnd(text, at + 1, Math.min(end, at + 32), "abcdefghijklmnopqrstuvwxyz0123456789_+-");
    if (to - at > 2 && to < end && text[to] === ":") {
      push("emoji", text.slice(at, to + 1), at, to + 1);
      return to + 1;
    }
  }
  const to = at + widthOf(codeAt(text, at));
  if (",;:()".includes(character)) push("mark", character, at, to);
  else if (!"\"'“”‘’[]{}|`\\<>=#".includes(character)) push("emoji", text.slice(at, to), at, to);
  return to;
}

/** Whether a text is letters alone; with hyphens or dots between or around them, where those are told. */
function isLetters(text: string, also = ""): boolean {
  if (text === "") return false;
  for (let at = 0; at < text.length; at++) {
    const code = codeAt(text, at);
    if (also.includes(text[at]!)) continue;
    if (code === 95 || code === HIDDEN_CODE || classOf(code) !== LETTER) return false;
    if (code > 0xffff) at++;
  }
  return true;
}

function pushWord(tokens: Token[], seen: string, range: Range): void {
  let isPlain = true;
  for (let at = 0; at < seen.length && isPlain; at++) isPlain = seen.charCodeAt(at) < 0x80;
  const raw = isPlain ? seen : seen.replaceAll(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\ufe00-\ufe0f]/g, "");
  const text = isPlain ? raw.toLowerCase() : raw.toLowerCase().replaceAll("’", "'");
  const first = String.fromCodePoint(codeAt(raw, 0));
  const capital = first !== first.toLowerCase();
  const push = (kind: Token["kind"], ...texts: string[]) => {
    for (const text of texts) tokens.push({ ...range, kind, text, capital });
  };
  const pushNegated = (verb: string) =>
    push("word", verb === "wo" ? "will" : verb === "ca" ? "can" : verb, "not");
  if (isLetters(text)) {
    const negated = text.endsWith("nt") ? BARE_NOT.exec(text)?.[1] : undefined;
    if (negated === undefined) push("word", text);
    else pushNegated(negated);
    return;
  }
  const mark = text.lastIndexOf("'");
  const stem = text.slice(0, Math.max(0, mark));
  const suffix = mark < 0 ? "" : text.slice(mark);
  if (suffix === "'t" && stem.endsWith("n") && isLetters(stem.slice(0, -1))) pushNegated(stem.slice(0, -1));
  else if (SUFFIXES.includes(suffix) && suffix !== "" && isLetters(stem)) {
    push("word", stem, suffix === "'ll" ? "will" : suffix === "'d" ? "would" : suffix);
  } else if (isHyphened(text) || (ABBREVIATIONS.has(text) && isLetters(text, "."))) push("word", text);
  else push(classOf(codeAt(text, 0)) === NUMBER ? "number" : "thing", text);
}

const SUFFIXES = ["'s", "'re", "'ve", "'ll", "'d", "'m"];

/** "end-to-end" */
function isHyphened(text: string): boolean {
  return text.includes("-") && isLetters(text, "-") && !text.startsWith("-") && !text.endsWith("-") &&
    !text.includes("--");
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
    } else if (token.kind === "mark" && ".?…".includes(token.text)) {
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
  #section = 0;
  /** What stands under the last heading: a rule right below it ends nothing, nor does any other one below that. */
  #under: "nothing" | "rule" | "body" = "body";

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
      section: this.#section,
    });
  }

  /** Ends the block and the table, at what is no text. */
  pause(isBlank: boolean): void {
    this.flush();
    this.#table = 0;
    if (!isBlank) this.#fill();
  }

  #fill(): void {
    if (this.#under === "nothing") this.#under = "body";
  }

  add({ start, end }: Range, next: string): void {
    const line = this.#text.slice(start, end);
    const heading = /^ {0,3}#{1,6}(?=[ \t]|$)/.exec(line);
    if (line.includes("|") && (this.#table > 0 || /^[ \t]*\|/.test(line) || isDelimiterRow(next))) {
      this.flush();
      this.#fill();
      const isNew = this.#table === 0;
      if (isNew) this.#table = ++this.#groups;
      if (isDelimiterRow(line) || isDelimiterRow(next)) return;
      const parts = cellsOf(this.#text, { start, end }).map((cell) => sentencesOf(this.#text, cell));
      this.blocks.push({ kind: "row", parts, group: this.#table, open: false, section: this.#section });
      return;
    }
    this.#table = 0;
    if (heading) {
      this.flush();
      this.#list = undefined;
      this.#open = { kind: "heading", start: start + heading[0].length, end, group: 0, open: false };
      this.flush();
      this.#under = "nothing";
    } else if (/^[ \t]*(?:[-\u2060 \t]{3,}|=+[ \t]*)$/.test(line)) {
      if (this.#under === "rule") {
        // What stands between two rules right below a heading is data about a text, or a frame round it.
        this.flush();
      } else {
        if (this.#open?.kind === "text") this.#under = "nothing";
        else if (this.#under === "nothing") this.#under = "rule";
        else this.#section++;
        this.flush("heading");
      }
    } else {
      this.#fill();
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
    } else if (this.#open && (this.#open.kind === "text" || indent > 0 || isLower(line))) {
      this.#open.end = end;
    } else {
      this.flush();
      if (indent === 0) this.#list = undefined;
      const group = this.#list?.group ?? 0;
      this.#open = { kind: group ? "item" : "text", start, end, group, open: false };
    }
  }
}

function isLower(line: string): boolean {
  const first = line.charAt(0);
  return first !== first.toUpperCase();
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
    else blocks.pause(line.kind === "blank");
  }
  blocks.pause(true);
  return { blocks: blocks.blocks, plain };
}
