import { DEPTH_LIMIT, type Piece, readingLimit, type Sink, type Target } from "./lexing.ts";
import { enterFolder, type Folder, START } from "./cd.ts";
import { teeTargets } from "./tee.ts";

/** A word as the shell would pass it on. */
export interface Word {
  text: string;
  /** No expansion in it: the text is what the shell makes of it. */
  literal: boolean;
  /** Some of it is quoted, so that it is no reserved word, file descriptor or operator. */
  quoted: boolean;
  /** An unquoted wildcard stands in it. */
  isPattern: boolean;
}

interface Delimiter {
  readonly text: string;
  /** The body is taken as it stands. */
  readonly quoted: boolean;
  /** Tabs before the delimiter do not count (`<<-`). */
  readonly tabs: boolean;
}

/** What the next word is to a redirection. */
type Redirection = "write" | "write-marked" | "write-or-duplicate" | "read" | "document" | "document-tabs";

/** Commands up to a bracket that closes them, or the end. */
interface Commands {
  readonly kind: "commands";
  readonly close: ")" | "}" | "";
  /** Of a `$(…)` or `<(…)`: a shell of its own, which reads its own here-documents. */
  readonly substitution: boolean;
  words: Word[];
  word: Word | undefined;
  redirection: Redirection | undefined;
  documents: Delimiter[];
  /** The commands that these stand in; undefined for the outermost. */
  readonly outer: Commands | undefined;
  /** For each `case` that is open: whether its word, a pattern or commands stand here. */
  cases: ("word" | "pattern" | "commands")[];
  /** Where the last pattern of a `case` begins. */
  pattern: number;
  folder: Folder;
  /** A redirection stands before the command's first word, which is then no reserved word. */
  begun: boolean;
  /** Within `[[ … ]]`: where that begins. */
  test: number | undefined;
  /** Of a brace in the current word: whether it is open, and has a comma or dots so that it makes several words. */
  brace: "none" | "open" | "several";
}

type Frame =
  | Commands
  /** Within double quotes. */
  | { readonly kind: "quotes"; readonly from: number }
  /** A here-document: as double quotes, which it has no need of. */
  | { readonly kind: "text" }
  | { readonly kind: "parameter"; readonly from: number; readonly quoted: boolean }
  | {
    readonly kind: "arithmetic";
    readonly from: number;
    readonly substitution: boolean;
    depth: number;
  };

/** Words after which a command begins still. */
const RESERVED = new Set([
  "if",
  "then",
  "elif",
  "else",
  "while",
  "until",
  "do",
  "time",
  "-p",
  "coproc",
  "!",
  "{",
]);

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** The text of a `$'…'`. */
function unescapeAnsi(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|U([0-9a-f]{1,8})|([0-7]{1,3})|c([^])|([^]))/gi,
    (whole, hex, short, long, octal, control, other) => {
      const digits: string | undefined = hex ?? short ?? long;
      if (digits !== undefined) {
        const code = parseInt(digits, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
      }
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 0xff);
      if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f);
      return ESCAPES[other] ?? ("\\'\"?".includes(other) ? other : whole);
    },
  );
}

function commands(
  close: Commands["close"],
  substitution: boolean,
  outer?: Commands,
  documents: Delimiter[] = [],
): Commands {
  return {
    kind: "commands",
    close,
    substitution,
    outer,
    words: [],
    word: undefined,
    redirection: undefined,
    documents,
    cases: [],
    pattern: 0,
    folder: outer?.folder ?? START,
    begun: false,
    test: undefined,
    brace: "none",
  };
}

/** Where something begins that has no end yet and in which no redirection counts. */
function openFrom(frame: Frame): number | undefined {
  if (frame.kind === "text") return undefined;
  if (frame.kind !== "commands") return frame.from;
  return frame.cases.at(-1) === "pattern" ? frame.pattern : frame.test;
}

/** Reads one piece of a command line for sh, bash or zsh from left to right, once. */
class Lexer {
  readonly #text: string;
  readonly #sink: Sink;
  readonly #stack: Frame[];
  /** The innermost commands: they own the word that quotes and expansions add to. */
  #commands: Commands;
  #at = 0;
  /** How many substitutions are open. */
  #substitutions = 0;
  /** How much text has been searched for the ends of here-documents. */
  #searched = 0;

  constructor(piece: Piece, sink: Sink) {
    this.#text = piece.text;
    this.#sink = sink;
    this.#commands = { ...commands("", false), folder: piece.folder };
    this.#stack = piece.kind === "text" ? [this.#commands, { kind: "text" }] : [this.#commands];
  }

  run(): void {
    while (this.#at < this.#text.length) {
      const frame = this.#stack[this.#stack.length - 1] ?? this.#commands;
      switch (frame.kind) {
        case "commands":
          this.#readCommands(frame);
          break;
        case "quotes":
        case "text":
          this.#readQuoted(frame.kind);
          break;
        case "parameter":
          this.#readParameter(frame.quoted);
          break;
        case "arithmetic":
          this.#readArithmetic(frame);
      }
    }
    for (const frame of this.#stack) if (frame.kind === "commands") this.#endCommand(frame);
    // What never closed may not have been opened either.
    for (const frame of this.#stack) {
      const from = openFrom(frame);
      if (from === undefined) continue;
      this.#later(this.#text.slice(from));
      break;
    }
  }

  #push(frame: Frame): void {
    this.#stack.push(frame);
    if (this.#stack.length > DEPTH_LIMIT) this.#giveUp();
    if (frame.kind !== "commands") return;
    this.#commands = frame;
    if (frame.substitution) this.#substitutions++;
  }

  #pop(): void {
    const frame = this.#stack.pop();
    if (frame?.kind !== "commands" || !frame.outer) return;
    this.#commands = frame.outer;
    if (!frame.substitution) return;
    this.#substitutions--;
    // A document that began in a substitution and has not been read yet follows the line as any other.
    for (const delimiter of frame.documents) frame.outer.documents.push(delimiter);
  }

  #later(text: string, kind: Piece["kind"] = "commands"): void {
    this.#sink.later({ text, kind, folder: this.#commands.folder });
  }

  #target(target: Target, { folder }: Commands): void {
    this.#sink.target(target, folder);
  }

  #giveUp(): void {
    this.#sink.giveUp();
    this.#at = this.#text.length;
  }

  #word(): Word {
    return this.#commands.word ??= { text: "", literal: true, quoted: false, isPattern: false };
  }

  #addQuoted(text: string): void {
    const word = this.#word();
    word.quoted = true;
    // A quoted tilde is no home folder.
    word.text += word.text === "" && text.startsWith("~") ? `./${text}` : text;
  }

  #addExpansion(): void {
    this.#word().literal = false;
  }

  /** Takes what a sticky expression matches here. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  /** Goes to the next such character that has no backslash before it, and tells what stands between; else to the end. */
  #takeUntil(close: string): string {
    const start = this.#at;
    let end = start;
    while (end < this.#text.length && this.#text[end] !== close) end += this.#text[end] === "\\" ? 2 : 1;
    this.#at = end;
    return this.#text.slice(start, end);
  }

  #readCommands(frame: Commands): void {
    const text = this.#text;
    const character = text[this.#at] ?? "";
    switch (character) {
      case " ":
      case "\t":
        this.#at++;
        return this.#endWord(frame);
      case "\n":
        this.#at++;
        this.#endCommand(frame);
        return this.#readDocuments(frame);
      case "'":
        return this.#readSingleQuotes();
      case '"':
        this.#addQuoted("");
        this.#push({ kind: "quotes", from: ++this.#at });
        return;
      case "\\":
        if (text[this.#at + 1] !== "\n") this.#addQuoted(text.slice(this.#at + 1, this.#at + 2) || "\\");
        this.#at += 2;
        return;
      case "$":
        if (frame.redirection?.startsWith("document")) {
          this.#at++;
          this.#word().text += "$";
          return;
        }
        return this.#readDollar(false);
      case "`":
        return this.#readBackticks(false);
      case "#":
        if (frame.word) break;
        this.#take(/[^\n]*/y);
        return;
      case "(":
        return this.#open(frame);
      case ")":
        return this.#close(frame);
      case "&":
        if (text[this.#at + 1] === ">") {
          this.#at++;
          return this.#readRedirection(frame, true);
        }
        this.#at++;
        return this.#endCommand(frame, text[this.#at] === "&" ? "if-done" : "aside");
      case "|":
        this.#at++;
        return this.#endCommand(frame, text[this.#at] === "|" ? "whatever" : "aside");
      case ";":
        this.#at++;
        this.#endCommand(frame);
        if (/[;&|]/.test(text[this.#at] ?? "") && frame.cases.length > 0) {
          this.#take(/[;&|]+/y);
          frame.cases[frame.cases.length - 1] = "pattern";
          frame.pattern = this.#at;
        }
        return;
      case "<":
      case ">":
        return this.#readRedirection(frame, false);
      case "{":
        frame.brace = "open";
        break;
      case "}":
        if (frame.brace === "several") this.#addExpansion();
        frame.brace = "none";
    }
    this.#at++;
    const plain = character + this.#take(/[^\s'"\\$`()&|;<>{}]+/y);
    if (frame.brace === "open" && (plain.includes(",") || plain.includes(".."))) frame.brace = "several";
    const word = this.#word();
    word.text += plain;
    if (/[*?[]/.test(plain)) word.isPattern = true;
  }

  #readSingleQuotes(): void {
    const end = this.#text.indexOf("'", this.#at + 1);
    if (end < 0) {
      this.#later(this.#text.slice(this.#at + 1));
      this.#at = this.#text.length;
      return;
    }
    this.#addQuoted(this.#text.slice(this.#at + 1, end));
    this.#at = end + 1;
  }

  /** Within double quotes or a here-document. */
  #readQuoted(kind: "quotes" | "text"): void {
    switch (this.#text[this.#at]) {
      case '"':
        this.#at++;
        if (kind === "quotes") this.#pop();
        return;
      case "\\": {
        const next = this.#text.slice(this.#at + 1, this.#at + 2);
        this.#at += 2;
        if (next !== "\n") this.#addQuoted(next !== "" && '$`"\\'.includes(next) ? next : `\\${next}`);
        return;
      }
      case "$":
        return this.#readDollar(true);
      case "`":
        return this.#readBackticks(true);
      default: {
        const plain = this.#take(/[^"\\$`]+/y);
        if (kind === "quotes") this.#addQuoted(plain);
      }
    }
  }

  #readDollar(quoted: boolean): void {
    const text = this.#text;
    const start = this.#at;
    const next = text[start + 1] ?? "";
    if (next === "(") {
      this.#addExpansion();
      const arithmetic = text[start + 2] === "(";
      this.#at += arithmetic ? 3 : 2;
      this.#push(
        arithmetic
          ? { kind: "arithmetic", from: start + 2, substitution: true, depth: 0 }
          : commands(")", true, this.#commands),
      );
    } else if (next === "{") {
      this.#addExpansion();
      this.#at += 2;
      // Of the newest shells: `${ commands; }`.
      if (/[\s|]/.test(text[this.#at] ?? "")) this.#push(commands("}", true, this.#commands));
      else this.#push({ kind: "parameter", from: this.#at, quoted });
    } else if (next === "'" && !quoted) {
      this.#at += 2;
      const string = this.#takeUntil("'");
      if (this.#at < text.length) this.#addQuoted(unescapeAnsi(string));
      else this.#later(text.slice(start + 2));
      this.#at++;
    } else if (next === '"' && !quoted) {
      this.#at++;
    } else if (/[\w@*#?$!-]/.test(next)) {
      this.#at++;
      this.#take(/[a-zA-Z_]\w*|[^]/y);
      this.#addExpansion();
    } else {
      this.#at++;
      this.#word().text += "$";
    }
  }

  #readBackticks(quoted: boolean): void {
    this.#addExpansion();
    this.#at++;
    const body = this.#takeUntil("`");
    this.#at++;
    const inner = body.replace(quoted ? /\\([$`\\"])/g : /\\([$`\\])/g, "$1");
    this.#later(inner);
  }

  #readParameter(quoted: boolean): void {
    switch (this.#text[this.#at]) {
      case "}":
        this.#at++;
        return this.#pop();
      case "\\":
        this.#at += 2;
        return;
      case "'":
        if (!quoted) return this.#readSingleQuotes();
        this.#at++;
        return;
      case '"':
        this.#push({ kind: "quotes", from: ++this.#at });
        return;
      case "$":
        return this.#readDollar(quoted);
      case "`":
        return this.#readBackticks(quoted);
      default:
        this.#take(/[^}\\'"$`]+/y);
    }
  }

  #readArithmetic(frame: Extract<Frame, { kind: "arithmetic" }>): void {
    const character = this.#text[this.#at] ?? "";
    switch (character) {
      case "\\":
        this.#at += 2;
        return;
      case "'":
        return this.#readSingleQuotes();
      case '"':
        this.#push({ kind: "quotes", from: ++this.#at });
        return;
      case "$":
        return this.#readDollar(true);
      case "`":
        return this.#readBackticks(true);
      case "(":
        this.#at++;
        frame.depth++;
        return;
      case ")":
        this.#at++;
        if (frame.depth-- > 0) return;
        this.#pop();
        if (this.#text[this.#at] === ")") {
          this.#at++;
          return;
        }
        // No arithmetic after all but a subshell within a shell: `$((a; b); c)`.
        this.#later(this.#text.slice(frame.from, this.#at));
        return this.#push(
          frame.substitution
            ? commands(")", true, this.#commands)
            : commands(")", false, this.#commands, this.#commands.documents),
        );
      default:
        this.#take(/[^\\'"$`()]+/y);
    }
  }

  #open(frame: Commands): void {
    const start = this.#at++;
    // Within a test or before a pattern it only groups.
    if (frame.test !== undefined || frame.cases.at(-1) === "pattern") return this.#endWord(frame);
    const begins = frame.word === undefined;
    this.#endWord(frame);
    if (begins && this.#text[this.#at] === "(") {
      this.#at++;
      this.#push({ kind: "arithmetic", from: start + 1, substitution: false, depth: 0 });
    } else {
      frame.words = [];
      this.#push(commands(")", false, frame, frame.documents));
    }
  }

  #close(frame: Commands): void {
    this.#at++;
    if (frame.test !== undefined) return this.#endWord(frame);
    if (frame.cases.at(-1) === "pattern") {
      frame.word = undefined;
      frame.cases[frame.cases.length - 1] = "commands";
      return;
    }
    this.#endCommand(frame);
    if (frame.close === ")") this.#pop();
  }

  /** At a `<` or `>`; `both`: after an `&`, for standard output and error. */
  #readRedirection(frame: Commands, both: boolean): void {
    if (frame.test !== undefined || frame.cases.at(-1) === "pattern") {
      this.#at++;
      return this.#endWord(frame);
    }
    const operator = this.#take(/<<<|<<-|<<|<>|<&|<\(|<|>\(|>>?&?[|!]?(?!\()|>/y);
    if (operator.endsWith("(")) {
      this.#addExpansion();
      return this.#push(commands(")", true, frame));
    }
    const { word } = frame;
    if (word && !both && !word.quoted && word.literal && /^(?:\d+|\{[a-zA-Z_]\w*\})$/.test(word.text)) {
      frame.word = undefined;
    }
    this.#endWord(frame);
    if (frame.words.length === 0) frame.begun = true;
    if (operator === "<<") frame.redirection = "document";
    else if (operator === "<<-") frame.redirection = "document-tabs";
    else if (operator === ">&") frame.redirection = "write-or-duplicate";
    else if (operator.startsWith(">") || operator === "<>") frame.redirection = "write";
    else frame.redirection = "read";
    // To bash the mark is the file's name or begins it; to zsh it belongs to the operator.
    if (!operator.endsWith("!")) return;
    if (/[^\s&|;<>()]/.test(this.#text[this.#at] ?? " ")) frame.redirection = "write-marked";
    else this.#target({ text: "!", isPattern: false }, frame);
  }

  #endWord(frame: Commands): void {
    const { word, redirection } = frame;
    if (!word) return;
    frame.word = undefined;
    frame.brace = "none";
    if (redirection !== undefined) {
      frame.redirection = undefined;
      if (redirection === "document" || redirection === "document-tabs") {
        frame.documents.push({ text: word.text, quoted: word.quoted, tabs: redirection === "document-tabs" });
      } else if (redirection !== "read" && word.literal) {
        const duplicates = redirection === "write-or-duplicate" && /^(?:\d*-|\d+)$/.test(word.text);
        if (!duplicates) this.#target(word, frame);
        if (redirection === "write-marked") this.#target({ ...word, text: `!${word.text}` }, frame);
      }
      return;
    }
    const plain = word.literal && !word.quoted ? word.text : undefined;
    if (frame.test !== undefined) {
      if (plain === "]]") frame.test = undefined;
      return;
    }
    const last = frame.cases.length - 1;
    if (frame.cases[last] === "pattern") {
      if (plain === "esac") frame.cases.pop();
      return;
    }
    if (plain === "in" && frame.cases[last] === "word") {
      frame.cases[last] = "pattern";
      frame.pattern = this.#at;
      frame.words = [];
      return;
    }
    if (frame.words.length === 0 && plain !== undefined && !frame.begun) {
      if (RESERVED.has(plain)) return;
      if (plain === "[[") frame.test = this.#at;
      else if (plain === "case") frame.cases.push("word");
      else if (plain === "esac") frame.cases.pop();
      else if (plain === "}" && frame.close === "}") return this.#pop();
    }
    // `function name {` has no brackets to end a command.
    if (plain === "{" && frame.words[0]?.text === "function") frame.words = [];
    else frame.words.push(word);
  }

  /** `after`: what the next command depends on; a command that runs aside leaves the folder of the line alone. */
  #endCommand(frame: Commands, after: "whatever" | "if-done" | "aside" = "whatever"): void {
    this.#endWord(frame);
    frame.redirection = undefined;
    frame.begun = false;
    if (frame.test !== undefined) return;
    for (const target of teeTargets(frame.words)) this.#target(target, frame);
    if (after !== "aside") frame.folder = enterFolder(frame.folder, frame.words, after === "if-done");
    frame.words = [];
  }

  /** After the end of a line: passes over the here-documents that began in it. */
  #readDocuments(frame: Commands): void {
    for (const delimiter of frame.documents.splice(0)) {
      const end = this.#findEnd(delimiter);
      // One without an end is read as commands.
      if (!end) return;
      if (!delimiter.quoted) this.#later(this.#text.slice(this.#at, end.body), "text");
      this.#at = end.next;
    }
  }

  #findEnd({ text: delimiter, quoted, tabs }: Delimiter): { body: number; next: number } | undefined {
    const text = this.#text;
    let continued = false;
    for (let line = this.#at; line <= text.length;) {
      const found = text.indexOf("\n", line);
      const end = found < 0 ? text.length : found;
      let start = line;
      if (tabs) { while (text[start] === "\t") start++; }
      if (!continued && text.startsWith(delimiter, start)) {
        const after = start + delimiter.length;
        if (after === end) return { body: line, next: Math.min(end + 1, text.length) };
        if (this.#substitutions > 0 && text[after] === ")") return { body: line, next: after };
      }
      // A backslash joins two lines of an unquoted document.
      this.#searched += end + 1 - line;
      if (this.#searched > readingLimit(text.length)) {
        this.#giveUp();
        return undefined;
      }
      let slashes = 0;
      if (!quoted) { while (text[end - 1 - slashes] === "\\" && end - 1 - slashes >= line) slashes++; }
      continued = slashes % 2 === 1;
      line = end + 1;
    }
    return undefined;
  }
}

/** Tells the sink what a piece of a command line for sh, bash or zsh writes. Never throws. */
export function lexSh(piece: Piece, sink: Sink): void {
  new Lexer(piece, sink).run();
}
