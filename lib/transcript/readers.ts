import { deedOf } from "./programs.ts";

/** Commands that print and change nothing, whatever their arguments; of PowerShell those that are no cmdlets too. */
const READERS = new Set(
  ("ls cat rg grep egrep fgrep zgrep ag ack head tail wc jq pwd echo printf which stat file tree uniq cut diff cmp comm " +
    "date printenv test [ [[ true false : cd pushd popd exit return break continue set unset export local declare typeset " +
    "shopt sleep wait read type hash sort find fd sed awk gawk mawk env nl tac rev tr paste join fold column expand " +
    "strings od xxd hexdump md5sum sha1sum sha256sum sha512sum shasum cksum du df ps pgrep uname whoami id hostname " +
    "uptime free nproc lsof ss netstat basename dirname realpath readlink seq less more bat zcat eza exa locate " +
    "whereis man help history clear git dir gci gc gi sls where select measure ft fl findstr foreach % ?")
    .split(" "),
);

/** The same of PowerShell's cmdlets. */
const CMDLETS =
  /^(?:(?:get|select|where|sort|measure|group|format|test|resolve|split|join|compare|convertfrom|convertto|foreach|show)-\w+|out-(?:string|host|null|default)|write-(?:output|host|verbose|debug|warning|error|information)|(?:set|push|pop)-location)$/;

/** Words that stand before a command. */
const BEFORE = new Set([
  "if",
  "then",
  "elif",
  "else",
  "while",
  "until",
  "do",
  "!",
  "time",
  "{",
  "}",
  "command",
  "builtin",
]);

/** Commands that run the command that their arguments are, once their own options are taken off. */
const RUNNERS = new Set(["env", "sudo", "nice", "nohup", "timeout", "xargs", "stdbuf"]);

/** Stands in a word for what the shell puts there. */
const EXPANSION = "\0";

/** How deep brackets may nest. */
const DEPTH = 100;

/** The longest command line that is read, in UTF-16 units. */
const LENGTH = 64 * 1024;

/** Whose language a command line is in. */
export type Shell = "sh" | "powershell";

/** What of a command's arguments has it write after all. */
const WRITING: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  awk: (args) => args.some((arg) => /system\s*\(|\bprintf?\b[^;}\n>]*>|\|\s*"|\binplace\b/.test(arg)),
  fd: (args) => args.some((arg) => /^(?:-x|-X|--exec)/.test(arg)),
  find: (args) =>
    args.some((arg, at) =>
      /^-(?:delete$|fprint|fls)/.test(arg) || /^-(?:exec|ok)/.test(arg) && !isPlain(args[at + 1])
    ),
  sed: (args) => args.some((arg) => /^(?:-[a-zA-Z]*i|--in-place)|[\d$/;{}]\s*w\s+\S/.test(arg)),
  sort: (args) => args.some((arg) => /^(?:-[a-zA-Z]*o|--output)/.test(arg)),
  tree: (args) => args.includes("-o"),
  uniq: (args) => args.filter((arg) => !arg.startsWith("-")).length > 1,
  xxd: (args) => args.some((arg) => arg.startsWith("-r")),
};
const ALIKE: Readonly<Record<string, string>> = { gawk: "awk", mawk: "awk" };

/** Whether a command reads whatever its arguments are. */
function isPlain(name: string | undefined): boolean {
  return name !== undefined && READERS.has(name) && !Object.hasOwn(WRITING, ALIKE[name] ?? name);
}

/** A command that runs tests. */
export interface TestRun {
  /** What runs them, such as `pytest` or `script test`, whoever calls it. */
  readonly runner: string;
  /** What is said behind it: options, and which tests. */
  readonly args: readonly string[];
}

/** What a command line does. */
export interface Doing {
  /** It only reads, or runs tests. */
  readonly reads: boolean;
  readonly runs: readonly TestRun[];
}

const READS: Doing = { reads: true, runs: [] };
const WORKS: Doing = { reads: false, runs: [] };

/** How often one command may run another, and one shell another. */
const NESTED = 8;

/** What a cmdlet that fetches is given that has it send or keep something. */
const SENDING = /^-(?:o(?:u|$)|outf|b(?:o|$)|inf|form|pass)/i;

/** Whether a cmdlet only fetches. */
function fetches(args: readonly string[]): boolean {
  return args.every((arg, at) => {
    const method = /^-met\w*(?::(\w+))?$/i.exec(arg);
    if (method) return /^(?:get|head)$/i.test(method[1] ?? args[at + 1] ?? "");
    return !SENDING.test(arg);
  });
}

/** What a command does that is no reader, told by its program. */
function doingOf(name: string, args: readonly string[], shell: Shell, depth: number): Doing {
  const deed = deedOf(name, args);
  switch (deed?.kind) {
    case "reads":
      return READS;
    case "tests":
      return { reads: true, runs: [{ runner: deed.runner, args: deed.args }] };
    case "runs":
      return depth > NESTED ? WORKS : judge(deed.words, shell, depth + 1);
    case "script":
      return depth > NESTED ? WORKS : new Lexer(deed.text, "sh", depth + 1).run();
    default:
      return WORKS;
  }
}

/** Where the command begins that a runner is given: after options, settings and numbers. */
function innerCommand(words: readonly string[], at: number): number {
  while (at < words.length && /^(?:-|[A-Za-z_]\w*=|\d[\d.]*[smhd]?$|\{\}$)/.test(words[at] ?? "")) at++;
  return at;
}

/** What a simple command does, told by its words. */
function judge(words: readonly string[], shell: Shell, depth: number): Doing {
  for (let at = 0; at < words.length;) {
    const first = words[at++] ?? "";
    if (first === "command" && /^-[vV]$/.test(words[at] ?? "")) return READS;
    if (BEFORE.has(first) || /^[A-Za-z_]\w*\+?=/.test(first)) continue;
    if (shell === "powershell" && /^[$@[\d"'\0-]/.test(first)) {
      if (words[at++] !== "=") return READS;
      continue;
    }
    const name = first.replace(/^.*[\\/](?=[^\\/])/, "").replace(/\.(?:exe|cmd|bat|ps1)$/i, "");
    if (/^(?:fi|done|esac|for|foreach|in)$/.test(name)) return READS;
    if (RUNNERS.has(name)) {
      at = innerCommand(words, at);
      continue;
    }
    const args = words.slice(at);
    if (args.length === 1 && /^(?:--?version|--?help|-V)$/.test(args[0] ?? "")) return READS;
    if (args.length === 2 && args[1] === "--help") return READS;
    const plain = shell === "powershell" ? name.toLowerCase() : name;
    if (shell === "powershell" && CMDLETS.test(plain)) return READS;
    if (shell === "powershell" && /^(?:iwr|irm|invoke-(?:webrequest|restmethod))$/.test(plain)) {
      return fetches(args) ? READS : WORKS;
    }
    const kind = ALIKE[plain] ?? plain;
    // What a project calls `./test` is no builtin.
    const isOwn = first !== name && /^(?:\.{0,2}|[\w-]+)[\\/]/.test(first) && !/^[\\/]/.test(first);
    if (!READERS.has(plain) || isOwn) return doingOf(plain, args, shell, depth);
    return Object.hasOwn(WRITING, kind) && WRITING[kind]?.(args) ? WORKS : READS;
  }
  return READS;
}

/** What ends a here-document. */
interface Delimiter {
  readonly text: string;
  /** The shell takes the body as it stands. */
  readonly quoted: boolean;
}

/** Commands that are open, up to what closes them. */
interface Frame {
  readonly close: ")" | "`" | "}" | "";
  /** What it prints or is stands in a word; else it is a subshell. */
  readonly isWord: boolean;
  words: string[];
  word: string | undefined;
  /** Within double quotes. */
  quoted: boolean;
  /** What the next word is. */
  expects: "word" | "output" | "input" | "document" | "quoted-document";
  readonly documents: Delimiter[];
}

/** Reads a command line from left to right, once, and says what its commands do. */
class Lexer {
  readonly #text: string;
  readonly #shell: Shell;
  readonly #depth: number;
  readonly #runs: TestRun[] = [];
  readonly #stack: Frame[] = [];
  #at = 0;
  #frame: Frame;
  #writes = false;
  #tooDeep = false;

  constructor(text: string, shell: Shell, depth: number) {
    this.#text = text;
    this.#shell = shell;
    this.#depth = depth;
    this.#frame = this.#open("");
  }

  #open(close: Frame["close"], isWord = true): Frame {
    const frame: Frame = {
      close,
      isWord,
      words: [],
      word: undefined,
      quoted: false,
      expects: "word",
      documents: [],
    };
    if (this.#stack.push(frame) > DEPTH) this.#tooDeep = true;
    this.#frame = frame;
    return frame;
  }

  run(): Doing {
    while (this.#at < this.#text.length && !this.#tooDeep) this.#step();
    while (this.#stack.length > 1 && !this.#tooDeep) this.#close();
    this.#endCommand();
    return { reads: !this.#writes && !this.#tooDeep, runs: this.#runs };
  }

  #add(text: string): void {
    this.#frame.word = (this.#frame.word ?? "") + text;
  }

  #endWord(): void {
    const frame = this.#frame;
    const { word } = frame;
    if (word === undefined) return;
    frame.word = undefined;
    if (frame.expects === "word") frame.words.push(word);
    else if (frame.expects === "document") frame.documents.push({ text: word, quoted: false });
    else if (frame.expects === "quoted-document") frame.documents.push({ text: word, quoted: true });
    else if (
      frame.expects === "output" && !/^(?:\/dev\/(?:null|std(?:out|err)|tty)|\$null|nul:?|\d+|-)$/i.test(word)
    ) {
      this.#writes = true;
    }
    frame.expects = "word";
  }

  #endCommand(): void {
    this.#endWord();
    const { reads, runs } = judge(this.#frame.words, this.#shell, this.#depth);
    if (!reads) this.#writes = true;
    for (const run of runs) this.#runs.push(run);
    this.#frame.words = [];
    this.#frame.expects = "word";
  }

  #close(): void {
    this.#endCommand();
    const closed = this.#stack.pop();
    this.#frame = this.#stack.at(-1) ?? this.#frame;
    if (closed?.isWord !== false) this.#add(EXPANSION);
  }

  #step(): void {
    const text = this.#text;
    const frame = this.#frame;
    const character = text[this.#at++] ?? "";
    const escape = this.#shell === "powershell" ? "`" : "\\";
    if (character === escape) {
      const next = text[this.#at++] ?? "";
      const isKept = frame.quoted && this.#shell === "sh" && !/[$`"\\\n]/.test(next);
      if (next !== "\n") this.#add(isKept ? character + next : next);
      return;
    }
    if (character === "$" && text[this.#at] === "(") {
      this.#at++;
      this.#open(")");
      return;
    }
    if (character === "$" && text[this.#at] === "'" && !frame.quoted) {
      const quotes = /'(?:[^'\\]|\\[^])*'?/y;
      quotes.lastIndex = this.#at;
      this.#at += quotes.exec(text)?.[0].length ?? 0;
      this.#add(EXPANSION);
      return;
    }
    if (character === "`") {
      if (frame.close === "`" && !frame.quoted) this.#close();
      else this.#open("`");
      return;
    }
    if (character === '"') {
      frame.quoted = !frame.quoted;
      this.#add("");
      return;
    }
    if (frame.quoted) return this.#add(character);
    if (character === "'") {
      const end = text.indexOf("'", this.#at);
      this.#add(text.slice(this.#at, end < 0 ? text.length : end));
      this.#at = end < 0 ? text.length : end + 1;
      return;
    }
    if (character === "#" && frame.word === undefined) {
      const end = text.indexOf("\n", this.#at);
      this.#at = end < 0 ? text.length : end;
      return;
    }
    if (character === "<" || character === ">") return this.#redirect(character);
    if (character === "&" && text[this.#at] === ">") {
      this.#at++;
      return this.#redirect(">");
    }
    this.#separate(character);
  }

  #separate(character: string): void {
    const frame = this.#frame;
    if (character === "\n") {
      this.#endCommand();
      for (const delimiter of frame.documents.splice(0)) this.#skipDocument(delimiter);
    } else if (/\s/.test(character)) this.#endWord();
    else if (/[;|&]/.test(character)) this.#endCommand();
    else if (character === "(") {
      this.#open(")", this.#shell === "powershell" || frame.words.length > 0 || frame.word !== undefined);
    } else if (character === ")" && frame.close === ")") this.#close();
    else if (this.#shell === "powershell" && character === "{") this.#open("}");
    else if (this.#shell === "powershell" && character === "}" && frame.close === "}") this.#close();
    else if (this.#shell === "powershell" && this.#callsMethod(character)) this.#writes = true;
    else this.#add(character);
  }

  /** A method of an object may do anything. */
  #callsMethod(character: string): boolean {
    if (character === ":") return this.#text[this.#at] === ":";
    return character === "." && /^\w{1,100}\(/.test(this.#text.slice(this.#at, this.#at + 101));
  }

  /** After a `<` or `>`. */
  #redirect(character: "<" | ">"): void {
    const frame = this.#frame;
    // What stands before may be the number of a descriptor.
    if (frame.word !== undefined && /^(?:\d+|\*)$/.test(frame.word)) frame.word = undefined;
    this.#endWord();
    const rest = this.#text.slice(this.#at, this.#at + 2);
    if (rest.startsWith("(")) {
      this.#at++;
      this.#open(")");
    } else if (character === ">") {
      this.#at += rest.startsWith(">") || rest.startsWith("|") || rest.startsWith("&") ? 1 : 0;
      frame.expects = "output";
    } else if (rest === "<<") {
      this.#at += 2;
      frame.expects = "input";
    } else if (rest.startsWith("<")) {
      this.#at += rest === "<-" ? 2 : 1;
      frame.expects = /^[ \t]*['"\\]/.test(this.#text.slice(this.#at, this.#at + 20))
        ? "quoted-document"
        : "document";
    } else {
      if (rest.startsWith("&")) this.#at++;
      frame.expects = "input";
    }
  }

  /** Passes over a here-document; one with a command in it is taken for one that writes. */
  #skipDocument({ text: delimiter, quoted }: Delimiter): void {
    const from = this.#at;
    let line = from;
    for (;;) {
      const found = this.#text.indexOf("\n", line);
      const end = found < 0 ? this.#text.length : found;
      const isEnd = this.#text.slice(line, end).trim() === delimiter;
      this.#at = found < 0 ? end : end + 1;
      if (isEnd || found < 0) break;
      line = end + 1;
    }
    if (!quoted && /\$\(|`/.test(this.#text.slice(from, this.#at))) this.#writes = true;
  }
}

/**
 * What a command line does. It only reads where all its commands are git, known readers, runs of tests or what a shell
 * does by itself, joined in whatever way, and none writes a file by a redirection. A command that is not known does
 * more, and so does a line that is very long or nested. Quotes and brackets that do not match are closed at the end.
 * Never throws. Takes linear time.
 */
export function readCommand(command: string, shell: Shell): Doing {
  return command.length > LENGTH ? WORKS : new Lexer(command, shell, 0).run();
}
