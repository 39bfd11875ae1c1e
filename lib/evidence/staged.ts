import { FINDINGS_LIMIT } from "../contract/gate.ts";

/** A private key's header in a diff, in the file and line that it will have. */
export interface KeyHeader {
  readonly file: string;
  readonly line: number;
}

/** What a diff shows. */
export interface StagedKeys {
  /** At most so many as are told; the others are counted. */
  readonly keys: readonly KeyHeader[];
  readonly more: number;
  /** How many files are in the middle of a merge; their text is not shown. */
  readonly unmerged: number;
  /** Why not all of it could be read. */
  readonly problem?: string;
}

/** The header of a private key of any kind, as it stands in PEM, OpenPGP and SSH2 armour. */
const HEADER =
  /-----BEGIN (?:[A-Z0-9 .-]{0,80}PRIVATE KEY(?: BLOCK)?|PGP SECRET KEY BLOCK)-----|---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----/;

/** What every such header holds, in UTF-8 or with zero bytes between its letters; tells most text at a glance. */
const HINT = /PRIVATE|SECRET|P\0/;

/** The longest line that is looked at as one. Of a longer one each piece is, with so much that no header is cut. */
const LINE_LIMIT = 64 * 1024;
const OVERLAP = 1024;

/** The lines that stand between hunks; any other means that the diff is not of the form that was asked for. */
const FRAME =
  /^(?:diff --git |index [0-9a-f]|(?:old|new|deleted file|new file) mode [0-7]|--- |\+\+\+ |\\ |\* Unmerged path )/;

/** The bytes that a letter after a backslash stands for, in a name that git quotes. */
const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** A file's name as git prints it: as it is, or in quotes with escapes for what is not plain ASCII. */
export function unquote(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes: number[] = [];
  for (const [, octal, escaped = "", plain = ""] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|(.)/gs)) {
    bytes.push(
      octal ? parseInt(octal, 8) : plain ? plain.charCodeAt(0) : ESCAPES[escaped] ?? escaped.charCodeAt(0),
    );
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

/** The file of a line `+++ `. A name with a space in it has a tab after it. */
function fileOf(text: string): string {
  return unquote(text.slice(4).replace(/\t$/, "")).replace(/^b\//, "");
}

/**
 * Searches the added lines of a diff for headers of private keys. It takes the diff piece by piece, cut anywhere, each
 * character standing for one byte.
 */
export function findKeyHeaders(): { take(piece: string): void; end(): StagedKeys } {
  const keys: KeyHeader[] = [];
  let more = 0;
  let unmerged = 0;
  let problem: string | undefined;
  /** The line that has not ended yet, or, of a long one, its first character and its end so far. */
  let rest = "";
  let file = "";
  /** The number in the new file of the next line that is in it. */
  let line = 0;
  /** How many lines of the old and the new file the hunk still has. */
  let old = 0;
  let fresh = 0;
  /** The added line that was found last, lest the pieces of a long one count twice. */
  let last = 0;

  const search = (text: string) => {
    if (line === last || !HEADER.test(text.replaceAll("\0", ""))) return;
    last = line;
    if (keys.length < FINDINGS_LIMIT) keys.push({ file, line });
    else more++;
  };

  const readFrame = (text: string) => {
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (hunk) {
      old = Number(hunk[1] ?? 1);
      line = Number(hunk[2]);
      fresh = Number(hunk[3] ?? 1);
      last = 0;
    } else if (!FRAME.test(text)) problem = "git did not answer with a diff that can be read";
    else if (text.startsWith("+++ ")) file = fileOf(text);
    else if (text.startsWith("* ")) unmerged++;
  };

  /** Reads one line; `hinted`: it may hold a header. */
  const readLine = (text: string, start: number, end: number, hinted: boolean) => {
    if (old + fresh === 0) return readFrame(text.slice(start, end));
    switch (text[start]) {
      case "+":
        if (hinted) search(text.slice(start, end));
        line++;
        fresh--;
        break;
      case "-":
        old--;
        break;
      case " ":
        line++;
        old--;
        fresh--;
        break;
      case "\\":
        break;
      default:
        problem = "git did not answer with a diff that can be read";
    }
    if (old < 0 || fresh < 0) problem = "git's diff has more lines than it says";
  };

  return {
    take(piece) {
      if (problem !== undefined) return;
      const text = rest + piece;
      const hinted = HINT.test(text);
      let start = 0;
      for (let end = text.indexOf("\n"); end >= 0 && problem === undefined; end = text.indexOf("\n", start)) {
        readLine(text, start, end, hinted);
        start = end + 1;
      }
      rest = text.slice(start);
      if (rest.length > LINE_LIMIT && old + fresh > 0) {
        if (hinted && rest.startsWith("+")) search(rest);
        rest = rest.slice(0, 1) + rest.slice(-OVERLAP);
      }
    },
    end() {
      if (rest !== "" || old + fresh > 0) problem ??= "git's diff ends too early";
      return { keys, more, unmerged, ...problem === undefined ? {} : { problem } };
    },
  };
}
