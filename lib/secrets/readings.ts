/** Other ways to read a text than as it is written: as it is shown, and as a table. Lines stay what they are. */
import { isIdentifier, isRepeated, isUuid, looksRandom, readsAsWords } from "./values.ts";
import { isRedacted } from "./redactions.ts";

/** What a text must have for {@linkcode readAsShown} to change it. */
const STYLED =
  /[^\t\n\r -~]|\\(?:u001b|x1b|e|033)\[|&(?:quot|apos|nbsp|#)|\*\*|<\/?(?:b|i|em|strong|code|span|tt|kbd|samp)[ >]/i;

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', 34: '"', x22: '"', nbsp: " ", 160: " " };

/**
 * A text as it is shown: without a terminal's colours, emphasis of Markdown and HTML and what has no width, with plain
 * spaces, quotes and signs for those of other scripts.
 */
export function readAsShown(text: string): string {
  if (!STYLED.test(text)) return text;
  return text
    // deno-lint-ignore no-control-regex -- escape sequences begin so
    .replace(/(?:\x1b|\\(?:u001b|x1b|e|033))\[[0-9;:]{0,32}[A-Za-z]|\x9b[0-9;:]{0,32}m/gi, "")
    .replace(
      /&(quot|apos|nbsp|#(?:34|39|160|x22|x27));/gi,
      (_, name) => ENTITIES[name.toLowerCase().replace("#", "")] ?? "'",
    )
    .replace(/<\/?(?:b|i|em|strong|code|span|tt|kbd|samp)(?: [^<>]{0,128})?>|(?<!\*)\*\*(?!\*)/gi, "")
    .replace(
      /[\p{Default_Ignorable_Code_Point}\p{Zs}\p{Pi}\p{Pf}\u201a\u201e\uff01-\uff5e\u2190-\u21ff]/gu,
      plain,
    );
}

/** The sign of ASCII that a character of other scripts stands for; nothing for one without width. */
function plain(character: string): string {
  if (character >= "\uff01" && character <= "\uff5e") {
    return String.fromCharCode(character.charCodeAt(0) - 0xfee0);
  }
  if (/\p{Zs}/u.test(character)) return " ";
  if (/[\u2190-\u21ff]/.test(character)) return ":";
  if (/[\u2018-\u201b\u2039\u203a]/.test(character)) return "'";
  return /\p{Default_Ignorable_Code_Point}/u.test(character) ? "" : '"';
}

/** Whether a value is long and of letters, in no case that words have: one in sixty keys has no digit. */
function isOfRandomLetters(value: string): boolean {
  return /^[A-Za-z]{20,}$/.test(value) && (value.match(/[a-z][A-Z]/g) ?? []).length >= 4 &&
    !readsAsWords(value);
}

/** Whether a value that only its place tells, in prose or a table, is a key: it looks like chance, and not like a name. */
export function isKeyByItsLooks(value: string): boolean {
  const bare = value.replace(/[.?!,:;]+$/, "");
  if (isUuid(bare)) return !isRepeated(bare);
  return (looksRandom(bare) || isOfRandomLetters(bare)) && !isIdentifier(bare) && !isRedacted(value, true) &&
    !/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(bare); // the name of a variable
}

/** A column's head that names an API key. */
const HEAD = /^(?:[a-z0-9]{1,16}[-_. ]){0,3}api[._ -]?keys?$/i;

/** What may part the cells of a table. */
const MARKS = ["|", "\t", ";", ","] as const;

/** The cells of a row that stand in columns of keys; nothing for a line that is no row of the table. */
type Columns = (row: string) => readonly string[] | undefined;

const unquoted = (cell: string) => cell.trim().replace(/^["'`]+|["'`]+$/g, "");

/** The cells of a row; a mark within quotes parts none. */
function cellsOf(row: string, mark: string): string[] {
  if (!row.includes('"')) return row.split(mark).map(unquoted);
  const cells: string[] = [""];
  let isQuoted = false;
  for (const character of row) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === mark && !isQuoted) cells.push("");
    else cells[cells.length - 1] += character;
  }
  return cells.map(unquoted);
}

/** The columns of keys that a line is the head of, if it is one. */
function columnsUnder(line: string): Columns | undefined {
  if (!/api[._ -]?key/i.test(line)) return undefined;
  for (const mark of MARKS) {
    const heads = line.includes(mark) ? cellsOf(line, mark) : [];
    const places = heads.flatMap((head, place) => HEAD.test(head) ? [place] : []);
    const isTable = mark === "|" || heads.every((head) => head !== "");
    if (places.length === 0 || !isTable) continue;
    return (row) => {
      const cells = cellsOf(row, mark);
      // A line of a database's output has no mark at its ends: `----+----`.
      return cells.length === heads.length
        ? places.map((place) => cells[place] ?? "")
        : /^[-+| ]+$/.test(row)
        ? []
        : undefined;
    };
  }
  // Aligned by spaces.
  if (!/\S {2}/.test(line)) return undefined;
  const places = [...line.matchAll(/(?:\S| (?! )){1,64}/g)].filter(([head]) => HEAD.test(head.trim()))
    .map(({ index, 0: head }) => index + head.search(/\S/));
  return places.length > 0
    ? (row) => places.map((place) => /^\S{1,256}/.exec(row.slice(place, place + 256))?.[0] ?? "")
    : undefined;
}

/** The lines, from 1, that hold a key in a table under a head that names one: Markdown, CSV, a database's output. */
export function linesWithKeys(text: string): number[] {
  if (!/api[._ -]?key/i.test(text)) return [];
  let columns: Columns | undefined;
  return text.split(/\r\n|[\r\n]/).flatMap((line, at) => {
    const cells = line.trim() === "" ? undefined : columns?.(line);
    columns = columnsUnder(line) ?? (cells && columns);
    return cells?.some((cell) => /^[\w+/=.~-]+$/.test(cell) && isKeyByItsLooks(cell)) ? [at + 1] : [];
  });
}
