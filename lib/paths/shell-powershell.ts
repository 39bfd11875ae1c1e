import { enterFolder, type Folder, settle, START, unite } from "./cd.ts";
import { DEPTH_LIMIT, type Piece, type Sink, type Target } from "./lexing.ts";
import { programName, teeTargets } from "./tee.ts";

interface Word {
  text: string;
  /** No expansion in it: the text is what PowerShell makes of it. */
  literal: boolean;
  quoted: boolean;
  /** How much of its text stands before the first quote. */
  bare: number;
  /** A comma stands before it: it belongs to the argument before. */
  listed: boolean;
  /** A wildcard stands in it, quoted or not. */
  readonly isPattern: boolean;
}

/** Commands up to a bracket that closes them, or the end. */
interface Commands {
  readonly kind: "commands";
  readonly close: ")" | "}" | "";
  readonly outer: Commands | undefined;
  words: Word[];
  word: Word | undefined;
  comma: boolean;
  redirected: boolean;
  folder: Folder;
  /** The word that the bracket stands in was literal so far. */
  readonly inLiteral: boolean;
  /** A command ended in it. */
  ended: boolean;
}

type Frame =
  | Commands
  /** Within `"…"`. */
  | { readonly kind: "quotes"; readonly from: number }
  /** Within `@"…"@`. */
  | { readonly kind: "here-string"; readonly from: number };

/** PowerShell takes typographic quotes and dashes for the plain ones. */
const SINGLE = "'\u2018\u2019\u201a\u201b";
const DOUBLE = '"\u201c\u201d\u201e';
const PARAMETER = /^[-\u2013-\u2015][a-z]/i;

const ESCAPES: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

const WILDCARD = /[*?[]/;

/** The cmdlets that write a file, and their aliases. */
const WRITERS = new Set(["tee", "tee-object", "out-file", "set-content", "sc", "add-content", "ac"]);

/** Their parameters that name the file. Any beginning of a parameter's name will do. */
const PATHS = ["filepath", "literalpath", "path", "pspath", "lp"];

/** Their parameters that take no value; all others take one. */
const SWITCHES = [
  ...["append", "noclobber", "force", "nonewline", "passthru", "whatif", "wi", "confirm", "cf"],
  ...["asbytestream", "verbose", "vb", "debug", "db", "usetransaction"],
];

/** Words that a block follows, after which a new statement may begin in the same line. */
const BLOCKS = new Set([
  ...["if", "elseif", "else", "for", "foreach", "while", "do", "until", "switch"],
  ...["try", "catch", "finally", "trap", "function", "filter", "class", "begin", "process", "end"],
]);

function commands(close: Commands["close"], outer?: Commands, inLiteral = false): Commands {
  const folder = outer?.folder ?? START;
  return {
    kind: "commands",
    close,
    outer,
    words: [],
    word: undefined,
    comma: false,
    redirected: false,
    folder,
    inLiteral,
    ended: false,
  };
}

const ASSIGNMENT = /^(?:[-+*/%]|\?\?)?=/;
const KEYWORDS = /^(?:\.|return|throw|exit|else|do|try|finally)$/i;

/** The index of the word that is a cmdlet, past what may stand before it; its text may begin with `=`. */
function findCmdlet(words: readonly Word[]): number {
  let begin = 0;
  // `$x = …` and `$x, $y = …` run the command too.
  const assigned = words.findIndex(({ text, quoted }) => !quoted && ASSIGNMENT.test(text));
  const target = words[0];
  if (assigned >= 0 && target && (!target.literal || target.text.startsWith("["))) {
    begin = ASSIGNMENT.exec(words[assigned]?.text ?? "")?.[0] === words[assigned]?.text
      ? assigned + 1
      : assigned;
  }
  while (begin < words.length - 1 && KEYWORDS.test(words[begin]?.text ?? "")) begin++;
  return begin;
}

/** The files that a cmdlet of words writes; none where it is another command. */
function cmdletTargets(words: readonly Word[]): Target[] {
  const begin = findCmdlet(words);
  const name = programName((words[begin]?.text ?? "").replace(ASSIGNMENT, "")).toLowerCase();
  if (!WRITERS.has(name)) return [];
  const named: Target[] = [];
  let first: Target[] | undefined;
  let isNamed = false;
  let wants: "path" | "value" | undefined;
  /** Where the argument that was last read went, and with it what follows after a comma. */
  let list: Target[] = [];
  let takesPattern = true;
  const asTarget = (text: string) => ({ text, isPattern: takesPattern && WILDCARD.test(text) });
  for (const { text, literal, bare, listed } of words.slice(begin + 1)) {
    const colon = text.slice(0, bare).indexOf(":");
    if (!listed && (bare === text.length || colon > 0) && PARAMETER.test(text) && wants === undefined) {
      const parameter = text.slice(1, colon < 0 ? undefined : colon).toLowerCase();
      const value = colon < 0 ? "" : text.slice(colon + 1);
      // After the colon may stand an expansion, or a space.
      const takesNext = value === "" && literal;
      const isPath = PATHS.some((path) => path.startsWith(parameter));
      isNamed ||= isPath;
      takesPattern = !/^l/.test(parameter);
      list = isPath ? named : [];
      if (isPath && takesNext) wants = "path";
      else if (isPath && literal) named.push(asTarget(value));
      else if (takesNext && !SWITCHES.some((known) => known.startsWith(parameter))) wants = "value";
      continue;
    }
    if (!listed && wants === undefined) {
      list = first === undefined ? first = [] : [];
      takesPattern = true;
    }
    wants = undefined;
    if (literal) list.push(asTarget(text));
  }
  // The file comes first, unless it is named; a second argument is what is written.
  return isNamed ? named : first ?? [];
}

/** Reads one piece of a command line for PowerShell from left to right, once. */
class Lexer {
  readonly #text: string;
  readonly #sink: Sink;
  readonly #stack: Frame[];
  #commands: Commands;
  #at = 0;

  constructor(piece: Piece, sink: Sink) {
    this.#text = piece.text;
    this.#sink = sink;
    this.#commands = { ...commands(""), folder: piece.folder };
    this.#stack = [this.#commands];
  }

  run(): void {
    while (this.#at < this.#text.length) {
      const frame = this.#stack[this.#stack.length - 1] ?? this.#commands;
      if (frame.kind === "commands") this.#readCommands(frame);
      else this.#readQuoted(frame.kind);
    }
    for (const frame of this.#stack) if (frame.kind === "commands") this.#endCommand(frame);
    // What never closed may not have been opened either.
    for (const frame of this.#stack) {
      if (frame.kind === "commands") continue;
      this.#later(frame.from);
      break;
    }
  }

  #later(from: number): void {
    const { folder } = this.#commands;
    this.#sink.later({ text: this.#text.slice(from), kind: "commands", folder, loops: 0, dialect: "bash" });
  }

  #giveUp(): void {
    this.#sink.giveUp();
    this.#at = this.#text.length;
  }

  #push(frame: Frame): void {
    this.#stack.push(frame);
    if (this.#stack.length > DEPTH_LIMIT) this.#giveUp();
    if (frame.kind === "commands") this.#commands = frame;
  }

  #target(text: string, { folder }: Commands): void {
    this.#sink.target({ text, isPattern: WILDCARD.test(text) }, folder, false);
  }

  #word(): Word {
    const frame = this.#commands;
    if (!frame.word) {
      frame.word = { text: "", literal: true, quoted: false, bare: 0, listed: frame.comma, isPattern: false };
      frame.comma = false;
    }
    return frame.word;
  }

  #addQuoted(text: string): void {
    const word = this.#word();
    word.quoted = true;
    word.text += text;
  }

  #addPlain(text: string): void {
    const word = this.#word();
    word.text += text;
    if (!word.quoted) word.bare = word.text.length;
  }

  #addExpansion(): void {
    this.#word().literal = false;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #readCommands(frame: Commands): void {
    const text = this.#text;
    const character = text[this.#at] ?? "";
    const next = text[this.#at + 1] ?? "";
    if (SINGLE.includes(character)) return this.#readSingleQuotes();
    if (DOUBLE.includes(character)) {
      this.#addQuoted("");
      this.#push({ kind: "quotes", from: ++this.#at });
      return;
    }
    switch (character) {
      case "\n":
      case "\r":
      case ";":
      case "|":
        this.#at++;
        return this.#endCommand(frame);
      case "&":
        this.#at++;
        // Before a command it only calls it.
        return frame.words.length > 0 || frame.word ? this.#endCommand(frame, next === "&") : undefined;
      case "`":
        return this.#readEscape();
      case "$":
        return this.#readDollar();
      case "#":
        if (frame.word) break;
        this.#take(/[^\r\n]*/y);
        return;
      case "<":
        this.#endWord(frame);
        if (next === "#") return this.#skipComment();
        this.#at++;
        return;
      case "@":
        if (next === "(" || next === "{") {
          this.#at++;
          return this.#open(next);
        }
        if (next !== "" && (SINGLE + DOUBLE).includes(next)) return this.#readHereString(next);
        break;
      case "(":
      case "{":
        return this.#open(character);
      case ")":
      case "}": {
        this.#at++;
        this.#endWord(frame);
        const { words, ended } = frame;
        this.#endCommand(frame);
        if (frame.close === character && frame.outer) {
          this.#stack.pop();
          this.#commands = frame.outer;
          // It may have run, and led elsewhere.
          frame.outer.folder = unite(frame.folder, frame.outer.folder);
          if (character === ")" && !ended) this.#closeList(frame.outer, frame.inLiteral, words);
          // The end of a block ends a statement, but not a command that the block was given to.
          const first = this.#commands.words[0]?.text.toLowerCase() ?? "";
          if (character === "}" && BLOCKS.has(first)) this.#endCommand(this.#commands);
        }
        return;
      }
      case ",":
        this.#at++;
        this.#endWord(frame);
        frame.comma = frame.words.length > 0;
        return;
      case ">":
        return this.#readRedirection(frame);
    }
    if (/\s|\x85/.test(character)) {
      this.#at++;
      return this.#endWord(frame);
    }
    this.#at++;
    this.#addPlain(character + this.#take(/[^\s\x85'"\u2018-\u201f`$#<>@(){},;|&]+/y));
  }

  /** What stands in brackets is commands, and all together an argument that is not literal. */
  #open(bracket: "(" | "{"): void {
    this.#at++;
    // A block of `if (…) {` holds commands as any other; as an argument it is no file.
    const frame = this.#commands;
    // A bracket after a command's name is its argument.
    if (frame.words.length === 0 && frame.word?.literal && /^[\w-]+$/.test(frame.word.text)) {
      this.#endWord(frame);
    }
    const { literal } = this.#word();
    this.#addExpansion();
    this.#push(commands(bracket === "(" ? ")" : "}", this.#commands, literal));
  }

  /** At the end of brackets that hold these words: strings are literal all the same. */
  #closeList(frame: Commands, inLiteral: boolean, words: readonly Word[]): void {
    const [first, ...others] = words;
    if (!first || !inLiteral || !frame.word) return;
    if (!words.every(({ literal, quoted, listed }, index) => literal && quoted && listed === index > 0)) {
      return;
    }
    frame.word.literal = true;
    this.#addQuoted(first.text);
    if (others.length === 0 || frame.redirected) return;
    this.#endWord(frame);
    frame.words.push(...others);
  }

  #readSingleQuotes(): void {
    const start = ++this.#at;
    for (let end = start; end < this.#text.length; end++) {
      if (!SINGLE.includes(this.#text[end] ?? "")) continue;
      // Two stand for one.
      if (end + 1 < this.#text.length && SINGLE.includes(this.#text[end + 1] ?? "")) {
        end++;
        continue;
      }
      this.#addQuoted(this.#text.slice(start, end).replace(/([\u2018-\u201b'])[\u2018-\u201b']/g, "$1"));
      this.#at = end + 1;
      return;
    }
    this.#later(start);
    this.#at = this.#text.length;
  }

  #readHereString(quote: string): void {
    const header = /@.[ \t]*\r?\n/y;
    header.lastIndex = this.#at;
    const found = header.exec(this.#text);
    if (!found) {
      this.#at++;
      this.#addPlain("@");
      return;
    }
    this.#at += found[0].length;
    this.#addQuoted("");
    if (DOUBLE.includes(quote)) return this.#push({ kind: "here-string", from: this.#at });
    const end = /^['\u2018-\u201b]@/gm;
    end.lastIndex = this.#at;
    const close = end.exec(this.#text);
    if (!close) this.#later(this.#at);
    this.#at = close ? close.index + 2 : this.#text.length;
  }

  #readQuoted(kind: "quotes" | "here-string"): void {
    const text = this.#text;
    const character = text[this.#at] ?? "";
    if (character === "`") return this.#readEscape();
    if (character === "$") return this.#readDollar();
    if (!DOUBLE.includes(character)) {
      const plain = this.#take(/[^"\u201c-\u201e`$]+/y);
      if (kind === "quotes") this.#addQuoted(plain);
      return;
    }
    this.#at++;
    if (kind === "here-string") {
      if (text[this.#at] !== "@" || !/[\r\n]/.test(text[this.#at - 2] ?? "\n")) return;
      this.#at++;
    } else if (this.#at < text.length && DOUBLE.includes(text[this.#at] ?? "")) {
      this.#addQuoted(character);
      this.#at++;
      return;
    }
    this.#stack.pop();
  }

  #readEscape(): void {
    const next = this.#text[this.#at + 1] ?? "";
    this.#at += 2;
    if (next === "\n") return;
    if (next === "\r") {
      if (this.#text[this.#at] === "\n") this.#at++;
      return;
    }
    if (next === "u") {
      const digits = /^\{([0-9a-f]{1,6})\}$/i.exec(this.#take(/\{[0-9a-f]{1,6}\}/iy))?.[1];
      const code = digits === undefined ? 0x75 : parseInt(digits, 16);
      return this.#addQuoted(code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd");
    }
    this.#addQuoted(ESCAPES[next] ?? next);
  }

  #readDollar(): void {
    const next = this.#text[this.#at + 1] ?? "";
    this.#at++;
    if (next === "(") {
      this.#open("(");
    } else if (next === "{") {
      this.#addExpansion();
      this.#take(/\{[^}]*\}?/y);
    } else if (/[\p{L}\p{N}_?^$:]/u.test(next)) {
      this.#addExpansion();
      this.#take(/[\p{L}\p{N}_:?]+|[^]/uy);
    } else {
      this.#addPlain("$");
    }
  }

  #skipComment(): void {
    const end = this.#text.indexOf("#>", this.#at + 2);
    if (end < 0) this.#later(this.#at + 2);
    this.#at = end < 0 ? this.#text.length : end + 2;
  }

  #readRedirection(frame: Commands): void {
    const { word } = frame;
    // The number of a stream, or all.
    if (word && !word.quoted && /^[1-6*]$/.test(word.text)) frame.word = undefined;
    this.#endWord(frame);
    const operator = this.#take(/>&[12]|>>|>/y);
    frame.redirected = !operator.includes("&");
  }

  #endWord(frame: Commands): void {
    const { word } = frame;
    if (!word) return;
    frame.word = undefined;
    if (!frame.redirected) {
      frame.words.push(word);
      return;
    }
    frame.redirected = false;
    if (word.literal) this.#target(word.text, frame);
  }

  /** `certain`: the next command runs only where this one succeeded. */
  #endCommand(frame: Commands, certain = false): void {
    this.#endWord(frame);
    if (frame.words.length > 0) frame.ended = true;
    frame.redirected = false;
    frame.comma = false;
    for (const target of cmdletTargets(frame.words)) this.#sink.target(target, frame.folder, false);
    for (const { text } of teeTargets(frame.words)) this.#target(text, frame);
    const next = enterFolder(frame.folder, frame.words, false);
    if (next.readings !== frame.folder.readings) {
      for (const reading of next.readings) this.#sink.enter(reading, false);
    }
    frame.folder = certain ? next : settle(next);
    if (this.#sink.isFull()) this.#giveUp();
    frame.words = [];
  }
}

/** Tells the sink what a piece of a command line for PowerShell writes. Never throws. */
export function lexPowershell(piece: Piece, sink: Sink): void {
  new Lexer(piece, sink).run();
}
