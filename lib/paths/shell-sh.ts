import { DEPTH_LIMIT, type Piece, readingLimit, type Sink, type Target } from "./lexing.ts";
import { enterFolder, type Folder, isSure, settle, START, unite } from "./cd.ts";
import { shellScripts, teeTargets } from "./tee.ts";

/** A word as the shell would pass it on. */
export interface Word {
  text: string;
  /** No expansion in it: the text is what the shell makes of it. Else each stands in the text as a NUL. */
  literal: boolean;
  /** Some of it is quoted, so that it is no reserved word, file descriptor or operator. */
  quoted: boolean;
  /** An unquoted wildcard stands in it. */
  isPattern: boolean;
  /** It is `$PWD`. */
  isHere: boolean;
  /** Where unquoted braces, brackets and commas stand in it. */
  readonly marks: number[];
}

interface Delimiter {
  readonly text: string;
  /** The body is taken as it stands. */
  readonly quoted: boolean;
  /** Tabs before the delimiter do not count (`<<-`). */
  readonly tabs: boolean;
  /** A shell reads it as commands. */
  script: boolean;
}

/** A compound command that is open: what follows on it may follow on what stood before as well. */
interface Block {
  readonly folder: Folder;
  readonly unsure: boolean;
  readonly start: Folder;
  readonly kind: "group" | "branch" | "loop";
}

/** What the next word is to a redirection. */
type Redirection = "write" | "write-marked" | "write-or-duplicate" | "read" | "string" | "operand";

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
  /** Between the brackets of `a=(…)`, where no operator may stand. */
  isArray: boolean;
  /** The here-documents that its pipeline began. */
  started: Delimiter[];
  /** The here-strings of the command. */
  strings: string[];
  blocks: Block[];
  /** How many loops and functions this stands in. */
  loops: number;
  /** What stands before it in its list may keep the command from running. */
  unsure: boolean;
  /** Where the list of commands begins. */
  start: Folder;
  /** The name of a function stands before. */
  defines: boolean;
  /** The word before was `time`. */
  timed: boolean;
  /** The last command, if its output goes to the next. */
  piped: readonly Word[] | undefined;
  /** For each `case` that is open: whether its word, a pattern or commands stand here. */
  cases: ("word" | "pattern" | "commands")[];
  /** Where the last pattern of a `case` begins. */
  pattern: number;
  folder: Folder;
  /** A redirection stands before the command's first word, which is then no reserved word. */
  begun: boolean;
  /** Within `[[ … ]]`: where that begins. */
  test: number | undefined;
}

type Frame =
  | Commands
  /** Within double quotes. */
  | { readonly kind: "quotes"; readonly from: number }
  /** A here-document: as double quotes, which it has no need of. */
  | { readonly kind: "text" }
  | {
    readonly kind: "parameter";
    readonly from: number;
    /** It stands within double quotes. */
    readonly quoted: boolean;
    /** Single quotes are quotes all the same. */
    readonly apart: boolean;
  }
  | {
    readonly kind: "arithmetic";
    readonly from: number;
    readonly substitution: boolean;
    depth: number;
    /** `]`: it is `$[…]`. */
    readonly close: ")" | "]";
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
  "coproc",
  "!",
  "{",
]);

const LOOPS = new Set(["for", "foreach", "while", "until", "select", "repeat"]);

/** Between the brackets of arithmetic or a test: what is no operand of theirs, so that it may be a file all the same. */
const SUSPICIOUS = /[>\n][>&|!]*[ \t]*(?:[$'"\\]*[/~.{*?[]|[^ \t>]*(?:\.\.|\/[.~]))|\n[ \t]*>/;

/** How many words a word with braces may make. */
const BRACE_LIMIT = 64;

/** The words that lists in braces make of a word; undefined where they are no plain lists. */
function expandBraces(text: string, marks: readonly number[]): string[] | undefined {
  let made: string[] = [""];
  let done = 0;
  let open: number | undefined;
  let options: string[] = [];
  let from = 0;
  for (const mark of marks) {
    const character = text[mark];
    if (character === "{") {
      if (open !== undefined) return undefined;
      open = mark;
      from = mark + 1;
      options = [];
    } else if (open !== undefined && character === ",") {
      options.push(text.slice(from, mark));
      from = mark + 1;
    } else if (open !== undefined && character === "}") {
      options.push(text.slice(from, mark));
      const before = text.slice(done, open);
      if (options.length === 1 && options[0]?.includes("..")) return undefined;
      const list = options.length > 1 ? options : [`{${options[0]}}`];
      if (made.length * list.length > BRACE_LIMIT) return undefined;
      made = made.flatMap((one) => list.map((option) => one + before + option));
      done = mark + 1;
      open = undefined;
    }
  }
  return made.map((one) => one + text.slice(done));
}

/** The files that a word may be. */
function asTargets(word: Word): Target[] {
  const { text, marks, isPattern } = word;
  if (!marks.some((mark) => text[mark] === "}")) return [word];
  const made = expandBraces(text, marks);
  if (!made) return [{ text, isPattern: true }];
  // To some shells the braces stand for themselves.
  return [...new Set([...made, ...(made.length > 1 ? [text] : [])])].map((text) => ({ text, isPattern }));
}

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
    isArray: false,
    started: [],
    strings: [],
    blocks: [],
    loops: outer?.loops ?? 0,
    unsure: false,
    start: outer?.folder ?? START,
    defines: false,
    timed: false,
    piped: undefined,
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
  readonly #dialect: Piece["dialect"];
  readonly #derived: boolean;
  /** How much text has been searched for the ends of here-documents. */
  #searched = 0;

  constructor(piece: Piece, sink: Sink) {
    this.#text = piece.text;
    this.#sink = sink;
    this.#dialect = piece.dialect;
    this.#derived = piece.derived === true;
    this.#commands = {
      ...commands("", false),
      folder: piece.folder,
      start: piece.folder,
      loops: piece.loops,
    };
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
          this.#readParameter(frame);
          break;
        case "arithmetic":
          this.#readArithmetic(frame);
      }
    }
    for (const frame of this.#stack) if (frame.kind === "commands") this.#endCommand(frame, "end");
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
    // What has no shell of its own leads the line elsewhere.
    if (frame.close === "}") frame.outer.folder = unite(frame.outer.folder, frame.folder);
    if (!frame.substitution) return;
    this.#substitutions--;
    // A document that began in a substitution and has not been read yet follows the line as any other.
    for (const delimiter of frame.documents) frame.outer.documents.push(delimiter);
  }

  #later(text: string, kind: Piece["kind"] = "commands", derived = this.#derived): void {
    const { folder, loops } = this.#commands;
    this.#sink.later({ text, kind, folder, loops, dialect: this.#dialect, derived });
  }

  /** The lines after this one are commands, should a shell not take this one. */
  #resume(): void {
    const end = this.#text.indexOf("\n", this.#at);
    if (end >= 0) this.#later(this.#text.slice(end + 1));
  }

  #target(target: Target, { folder, loops }: Commands): void {
    this.#sink.target(target, folder, loops > 0);
  }

  #giveUp(): void {
    this.#sink.giveUp();
    this.#at = this.#text.length;
  }

  #word(): Word {
    return this.#commands.word ??= {
      text: "",
      literal: true,
      quoted: false,
      isPattern: false,
      isHere: false,
      marks: [],
    };
  }

  #addQuoted(text: string): void {
    const word = this.#word();
    word.quoted = true;
    // A quoted tilde is no home folder.
    word.text += word.text === "" && text.startsWith("~") ? `./${text}` : text;
  }

  #addExpansion(): void {
    const word = this.#word();
    word.literal = false;
    word.text += "\0";
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
        return this.#readDollar(false);
      case "\0":
        this.#at++;
        return this.#derived ? this.#addExpansion() : this.#addQuoted("\0");
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
        if (frame.isArray) this.#resume();
        return this.#endCommand(frame, this.#take(/&/y) ? "if-done" : "aside");
      case "|":
        this.#at++;
        if (frame.isArray) this.#resume();
        return this.#endCommand(frame, this.#take(/\|/y) ? "if-failed" : "piped");
      case ";":
        this.#at++;
        if (frame.isArray) this.#resume();
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
    }
    this.#at++;
    const plain = character + this.#take(/[^\s\0'"\\$`()&|;<>{}]+/y);
    const word = this.#word();
    if (/[{},*?[\]]/.test(plain)) this.#mark(word, plain);
    word.text += plain;
  }

  #mark(word: Word, plain: string): void {
    for (let index = 0; index < plain.length; index++) {
      const character = plain[index] ?? "";
      if (character === "*" || character === "?") word.isPattern = true;
      else if (character === "]") word.isPattern ||= word.marks.some((mark) => mark < 0);
      else if (character === "[") word.marks[0] === -1 || word.marks.unshift(-1);
      else if ("{},".includes(character)) word.marks.push(word.text.length + index);
    }
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
      this.#isHere(/\$\([ \t]*pwd[ \t]*\)/y);
      const arithmetic = text[start + 2] === "(";
      this.#at += arithmetic ? 3 : 2;
      this.#push(
        arithmetic
          ? { kind: "arithmetic", from: start + 2, substitution: true, depth: 0, close: ")" }
          : commands(")", true, this.#commands),
      );
    } else if (next === "{") {
      this.#addExpansion();
      this.#at += 2;
      // Of the newest shells: `${ commands; }`.
      if (/[\s|]/.test(text[this.#at] ?? "")) this.#push(commands("}", true, this.#commands));
      else {
        this.#at -= 2;
        this.#isHere(/\$\{PWD\}/y);
        this.#at += 2;
        // To cut or to replace, most shells take quotes within quotes.
        const cuts = quoted && /(?:[!#]?(?:\w+|[*@?$!-])(?:\[[^\]\n]*\])?)[#%/^,@]/y;
        if (cuts) cuts.lastIndex = this.#at;
        const apart = !quoted || this.#dialect !== "zsh" && cuts && cuts.test(text);
        this.#push({ kind: "parameter", from: this.#at, quoted, apart });
      }
    } else if (next === "[" && this.#dialect !== "dash") {
      this.#sink.differs();
      this.#addExpansion();
      this.#at += 2;
      this.#push({ kind: "arithmetic", from: this.#at, substitution: true, depth: 0, close: "]" });
    } else if (next === "'" && !quoted) {
      this.#at += 2;
      const string = this.#takeUntil("'");
      if (this.#at < text.length) this.#addQuoted(unescapeAnsi(string));
      else this.#later(text.slice(start + 2));
      this.#at++;
    } else if (next === '"' && !quoted) {
      this.#at++;
    } else if (/[\w@*#?$!-]/.test(next)) {
      this.#addExpansion();
      this.#isHere(/\$PWD(?!\w)/y);
      this.#at++;
      this.#take(/[a-zA-Z_]\w*|[^]/y);
    } else {
      this.#at++;
      this.#word().text += "$";
    }
  }

  /** Marks a word that so far is nothing but the folder that the command runs in. */
  #isHere(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    const word = this.#word();
    if (word.text === "\0" && pattern.test(this.#text)) word.isHere = true;
  }

  #readBackticks(quoted: boolean): void {
    this.#addExpansion();
    this.#at++;
    const body = this.#takeUntil("`");
    this.#at++;
    const inner = body.replace(quoted ? /\\([$`\\"])/g : /\\([$`\\])/g, "$1");
    this.#later(inner);
  }

  #readParameter({ quoted, apart }: Extract<Frame, { kind: "parameter" }>): void {
    switch (this.#text[this.#at]) {
      case "}":
        this.#at++;
        return this.#pop();
      case "\\":
        this.#at += 2;
        return;
      case "'":
        if (quoted) this.#sink.differs();
        if (apart) return this.#readSingleQuotes();
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
      case "[":
        this.#at++;
        if ((character === "[") === (frame.close === "]")) frame.depth++;
        return;
      case "]":
      case ")":
        this.#at++;
        if (frame.close !== character || frame.depth-- > 0) return;
        this.#pop();
        if (character === "]") return this.#suspect(frame.from);
        if (this.#text[this.#at] === ")") {
          this.#at++;
          return this.#suspect(frame.from);
        }
        // No arithmetic after all but a subshell within a shell: `$((a; b); c)`.
        this.#later(this.#text.slice(frame.from, this.#at));
        return this.#push(
          frame.substitution
            ? commands(")", true, this.#commands)
            : commands(")", false, this.#commands, this.#commands.documents),
        );
      default:
        this.#take(/[^\\'"$`()[\]]+/y);
    }
  }

  /** At the end of arithmetic or a test that began there: to another shell it may be commands. */
  #suspect(from: number): void {
    const text = this.#text.slice(from, this.#at);
    if (text.includes(">") && SUSPICIOUS.test(text)) this.#later(text);
  }

  #open(frame: Commands): void {
    const start = this.#at;
    // Within a test or before a pattern it only groups.
    if (frame.test !== undefined || frame.cases.at(-1) === "pattern") {
      this.#at++;
      return this.#endWord(frame);
    }
    const { word } = frame;
    if (frame.isArray) this.#resume();
    if (word && !this.#take(/\([ \t]*\)/y) && (frame.redirection || /[?*+@!]$/.test(word.text))) {
      // Such as `@(a|b)`.
      const group = this.#take(/\([^()\n$`'"\\]*\)/y);
      if (group !== "") {
        word.text += group;
        word.isPattern = true;
        return;
      }
    }
    if (this.#at > start || !word && this.#take(/\([ \t]*\)/y)) {
      this.#endWord(frame);
      frame.words = [];
      frame.defines = true;
      this.#sink.repeats();
      return;
    }
    this.#at++;
    const isArray = word !== undefined && /^[a-zA-Z_]\w*(?:\[[^]*\])?\+?=$/.test(word.text);
    if (isArray) this.#addExpansion();
    this.#endWord(frame);
    if (!word && this.#text[this.#at] === "(") {
      this.#at++;
      this.#push({ kind: "arithmetic", from: start + 1, substitution: false, depth: 0, close: ")" });
    } else {
      this.#push({ ...commands(")", false, frame, frame.documents), isArray });
    }
  }

  #close(frame: Commands): void {
    this.#at++;
    this.#endWord(frame);
    if (frame.test !== undefined) return;
    if (frame.cases.at(-1) === "pattern") {
      frame.cases[frame.cases.length - 1] = "commands";
      frame.folder = unite(frame.folder, frame.blocks.at(-1)?.folder ?? frame.folder);
      return;
    }
    this.#endCommand(frame, "end");
    if (frame.close !== ")") return;
    if (frame.substitution && frame.documents.length > 0) {
      this.#sink.differs();
      if (this.#dialect !== "bash") frame.documents = [];
    }
    this.#pop();
  }

  /** At a `<` or `>`; `both`: after an `&`, for standard output and error. */
  #readRedirection(frame: Commands, both: boolean): void {
    if (frame.test !== undefined && frame.word?.text === "]]") this.#endWord(frame);
    if (frame.isArray) this.#resume();
    const operator = this.#take(/<<<|<<-|<<|<>|<&|<\(|<|>\(|>>?&?[|!]?(?!\()|>/y);
    if (operator.endsWith("(")) {
      this.#addExpansion();
      return this.#push(commands(")", true, frame));
    }
    if (frame.test !== undefined || frame.cases.at(-1) === "pattern") {
      this.#endWord(frame);
      if (operator.includes(">")) frame.redirection = "operand";
      return;
    }
    const { word } = frame;
    if (word && !both && !word.quoted && word.literal && /^(?:\d+|\{[a-zA-Z_]\w*\})$/.test(word.text)) {
      frame.word = undefined;
    }
    this.#endWord(frame);
    if (frame.words.length === 0) frame.begun = true;
    if (operator === "<<" || operator === "<<-") return this.#readDelimiter(frame, operator === "<<-", word);
    if (operator === "<<<") frame.redirection = "string";
    else if (operator === ">&") frame.redirection = "write-or-duplicate";
    else if (operator.startsWith(">") || operator === "<>") frame.redirection = "write";
    else frame.redirection = "read";
    // To bash the mark is the file's name or begins it; to zsh it belongs to the operator.
    if (!operator.endsWith("!")) return;
    if (/[^\s&|;<>()]/.test(this.#text[this.#at] ?? " ")) frame.redirection = "write-marked";
    else this.#target({ text: "!", isPattern: false }, frame);
  }

  /** The delimiter of a here-document, in which nothing is expanded. */
  #readDelimiter(frame: Commands, tabs: boolean, before: Word | undefined): void {
    frame.redirection = undefined;
    this.#take(/(?:[ \t]|\\\n)+/y);
    const start = this.#at;
    const bash = this.#dialect === "bash";
    let text = "";
    let quoted = false;
    for (let part = this.#take(/[^]/y); part !== ""; part = this.#take(/[^]/y)) {
      if (/[\s;&|<>()]/.test(part)) {
        this.#at--;
        break;
      }
      const next = this.#text[this.#at] ?? "";
      if (part === "\\") {
        this.#at++;
        if (next === "\n") continue;
        quoted = true;
        text += next;
      } else if (part === "$" && next === "'" && this.#dialect !== "dash") {
        this.#at++;
        quoted = true;
        text += unescapeAnsi(this.#takeUntil("'"));
        this.#at++;
      } else if (part === "$" && next === '"' && bash) {
        continue;
      } else if (part === "'") {
        quoted = true;
        text += this.#take(/[^']*/y);
        this.#at++;
      } else if (part === '"') {
        quoted = true;
        text += this.#takeUntil('"').replace(/\\([$`"\\\n])/g, (_, one: string) => one === "\n" ? "" : one);
        this.#at++;
      } else if (part === "`") {
        const body = this.#takeUntil("`");
        text += `\`${body}\``;
        if (this.#dialect === "dash") this.#later(body);
        this.#at++;
      } else if (part === "$" && (next === "(" || next === "[" || next === "{" && this.#dialect !== "dash")) {
        text += part + this.#takeBalanced(next, next === "(" ? ")" : next === "{" ? "}" : "]");
      } else {
        text += part;
      }
    }
    this.#searched += this.#at - start;
    if (this.#at === start) return;
    if (/[$`]/.test(this.#text.slice(start, this.#at))) this.#sink.differs();
    // As in `a[1<<2]=3`, which is arithmetic.
    if (before?.text.includes("[")) this.#resume();
    const delimiter = { text, quoted, tabs, script: false };
    frame.documents.push(delimiter);
    frame.started.push(delimiter);
  }

  /** What stands in brackets, with these. */
  #takeBalanced(open: string, close: string): string {
    const start = this.#at;
    let depth = 0;
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at++];
      if (character === "\\") this.#at++;
      else if (character === open) depth++;
      else if (character === close && --depth === 0) break;
    }
    return this.#text.slice(start, this.#at);
  }

  #endWord(frame: Commands): void {
    const { word, redirection } = frame;
    if (!word) return;
    frame.word = undefined;
    const { timed } = frame;
    frame.timed = false;
    if (redirection !== undefined) {
      frame.redirection = undefined;
      if (redirection === "string") frame.strings.push(word.text);
      if (redirection === "read" || redirection === "string" || !word.literal) return;
      // Within brackets that compare: a path is no operand.
      if (redirection === "operand" && /^\w+(?:[.:-]\w+)*$/.test(word.text)) return;
      const duplicates = redirection === "write-or-duplicate" && /^(?:\d*-|\d+)$/.test(word.text);
      for (const target of asTargets(word)) {
        if (!duplicates) this.#target(target, frame);
        if (redirection === "write-marked") this.#target({ ...target, text: `!${target.text}` }, frame);
      }
      return;
    }
    const plain = word.literal && !word.quoted ? word.text : undefined;
    if (frame.test !== undefined) {
      if (plain === "]]") {
        this.#suspect(frame.test);
        frame.test = undefined;
      }
      return;
    }
    const last = frame.cases.length - 1;
    if (frame.cases[last] === "pattern") {
      if (plain === "esac") this.#endCase(frame);
      return;
    }
    if (plain === "in" && frame.cases[last] === "word") {
      frame.cases[last] = "pattern";
      frame.pattern = this.#at;
      frame.words = [];
      return;
    }
    if (frame.words.length === 0 && plain !== undefined && !frame.begun) {
      this.#enterBlock(frame, plain);
      frame.timed = plain === "time";
      if (RESERVED.has(plain) || timed && plain === "-p") return;
      if (plain === "[[") frame.test = this.#at;
      else if (plain === "case") frame.cases.push("word");
      else if (plain === "esac") this.#endCase(frame);
      else if (plain === "}" && frame.close === "}") return this.#pop();
    }
    // `function name {` has no brackets to end a command.
    if (plain === "{" && frame.words[0]?.text === "function") {
      frame.words = [];
      frame.defines = true;
      this.#enterBlock(frame, "{");
    } else frame.words.push(word);
  }

  #endCase(frame: Commands): void {
    if (frame.cases.pop() === "pattern") this.#enterBlock(frame, "esac");
  }

  /** At the first word of a command: a compound command may begin or end. */
  #enterBlock(frame: Commands, word: string): void {
    const { folder, unsure, start, blocks } = frame;
    const loops = LOOPS.has(word);
    if (loops || word === "if" || word === "case" || word === "{") {
      const repeats = loops || word === "{" && frame.defines;
      blocks.push({ folder, unsure, start, kind: repeats ? "loop" : word === "{" ? "group" : "branch" });
      if (repeats) frame.loops++;
      frame.defines = false;
      frame.unsure = false;
    } else if (word === "else" || word === "elif") {
      const before = blocks.at(-1);
      if (before) frame.folder = unite(folder, before.folder);
    } else if (word === "fi" || word === "done" || word === "esac" || word === "}") {
      const before = blocks.pop();
      if (!before) return;
      if (before.kind === "loop") frame.loops--;
      if (before.kind !== "group" || before.unsure) frame.folder = unite(folder, before.folder);
      frame.unsure = before.unsure;
      frame.start = before.start;
    } else if (word === "function") {
      this.#sink.repeats();
    }
  }

  /** `after`: what the next command depends on; a command that runs aside leaves the folder of the line alone. */
  #endCommand(frame: Commands, after: "end" | "if-done" | "if-failed" | "aside" | "piped" = "end"): void {
    this.#endWord(frame);
    frame.redirection = undefined;
    frame.begun = false;
    if (frame.test !== undefined) return;
    const { words } = frame;
    if (words.length > 0) this.#runCommand(frame, words, after);
    frame.piped = after === "piped" ? words : undefined;
    frame.strings = [];
    frame.words = [];
    if (after === "piped") return;
    frame.started = [];
    if (after === "if-done") {
      frame.unsure ||= words.length === 0 || !isSure(words);
      return;
    }
    if (after === "if-failed") {
      frame.folder = settle(frame.folder);
      frame.unsure = true;
      return;
    }
    frame.folder = settle(after === "aside" ? unite(frame.start, frame.folder) : frame.folder);
    frame.start = frame.folder;
    frame.unsure = false;
  }

  #runCommand(frame: Commands, words: readonly Word[], after: string): void {
    for (const target of teeTargets(words)) {
      for (const one of asTargets(target as Word)) this.#target(one, frame);
    }
    const { texts, input } = shellScripts(words);
    const name = words[0]?.text;
    if (name === "trap" || name === "alias") this.#sink.repeats();
    for (const text of texts) this.#later(text, "commands", true);
    if (input) {
      for (const document of frame.started) document.script = true;
      for (const text of frame.strings) this.#later(text, "commands", true);
      if (/^(?:echo|printf)$/.test(frame.piped?.[0]?.text ?? "")) {
        for (const { text } of frame.piped?.slice(1) ?? []) {
          this.#later(text.replaceAll("\\n", "\n"), "commands", true);
        }
      }
    }
    // What runs aside leaves the folder of the line alone.
    if (after === "piped" || after === "aside") return;
    let next = enterFolder(frame.folder, words, frame.unsure || frame.piped !== undefined);
    if (name === "eval") {
      const text = texts.join(" ");
      for (const [, to = ""] of text.matchAll(/(?:^|[;&|\s])cd[ \t]+([^\s;&|'"\0]+)/g)) {
        next = unite(
          enterFolder(next, [{ text: "cd", literal: true }, { text: to, literal: true }], true),
          frame.folder,
        );
      }
    }
    if (next.readings !== frame.folder.readings) {
      for (const reading of next.readings) this.#sink.enter(reading, frame.loops > 0);
    }
    frame.folder = next;
    if (this.#sink.isFull()) this.#giveUp();
  }

  /** After the end of a line: passes over the here-documents that began in it. */
  #readDocuments(frame: Commands): void {
    for (const delimiter of frame.documents.splice(0)) {
      const end = this.#findEnd(delimiter) ??
        { body: this.#text.length, next: this.#text.length, open: true };
      const body = this.#text.slice(this.#at, end.body);
      if (!delimiter.quoted) this.#later(body, "text");
      // One without an end goes to the end; with an odd delimiter it may have another one.
      if (delimiter.script || "open" in end && !/^[\w.!%+,:=@-]*$/.test(delimiter.text)) {
        this.#later(delimiter.quoted ? body : body.replace(/\\([$`\\])/g, "$1"));
      }
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
        if (this.#substitutions > 0 && text.slice(after, end).includes(")")) {
          this.#sink.differs();
          if (this.#dialect === "bash") return { body: line, next: after };
        }
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
