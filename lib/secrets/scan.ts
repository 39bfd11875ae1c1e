/** Finds secret material in text by the patterns of patterns.ts, in time linear in the text. */
import { type Pattern, PATTERNS } from "./patterns.ts";
import { isRepeated } from "./values.ts";

/** Where a text holds a secret, and which kind; never the secret itself. */
export interface SecretMatch {
  /** The pattern's id. */
  readonly id: string;
  /** The line that it begins on, from 1; LF, CRLF and CR each end one. */
  readonly line: number;
  /** Where it begins and ends, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** A match whose place in the table is known, before overlaps are settled. */
interface Candidate {
  readonly rank: number;
  readonly start: number;
  readonly end: number;
  /** Not so where its vendor published it, or it is one character repeated; what lies inside is none either. */
  readonly secret: boolean;
}

/** Called for each place where a literal of the pattern of that rank begins. */
type Visit = (rank: number, at: number) => void;

/** Up to this length, looking for one literal after the other costs less than compiling what finds many at once. */
const FEW = 8 * 1024;
/** How much of the text before a literal a pattern may look at. */
const BEFORE = 64;
/** How far behind a header the line may be that closes it: twice the largest private key in use. */
const BODY = 16 * 1024;

/** Patterns to scan for, the most specific first. Each expression is compiled when it is first needed: most never are. */
export class PatternTable {
  /** A pattern's place is its rank. */
  readonly patterns: readonly Pattern[];
  readonly #matchers: RegExp[] = [];
  readonly #befores: RegExp[] = [];
  #groups: readonly Group[] | undefined;

  constructor(patterns: readonly Pattern[]) {
    this.patterns = patterns;
  }

  /** The expression of the pattern of that rank. */
  matcherOf(rank: number): RegExp {
    const { source, anyCase } = this.patterns[rank] as Pattern;
    return this.#matchers[rank] ??= new RegExp(source, anyCase ? "iy" : "y");
  }

  /** Whether the text before a place ends as the pattern asks. */
  isPreceded(text: string, rank: number, at: number): boolean {
    const before = this.#befores[rank] ??= new RegExp((this.patterns[rank] as Pattern).before as string);
    return before.test(text.slice(Math.max(0, at - BEFORE), at));
  }

  /** What finds the literals of all patterns in a long text. */
  get groups(): readonly Group[] {
    return this.#groups ??= groupLiterals(this.patterns);
  }
}

const ALL = new PatternTable(PATTERNS);

function isTokenCharacter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) ||
    code === 95 ||
    code === 45;
}

/**
 * Whether a token can begin there: the character before is none of a token's, or it ends an escape that stands
 * for one that is none: `\n`, `\x22`, `\u0022`, `%22`, or a terminal's colour.
 */
function startsToken(text: string, at: number): boolean {
  const last = text.charCodeAt(at - 1);
  if (!isTokenCharacter(last)) return true;
  if (last === 95 || last === 45) return false;
  const before = text.slice(Math.max(0, at - 16), at);
  return /\\(?:[abefnrtv0]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})$|%[0-9A-Fa-f]{2}$/.test(before) ||
    /(?:[^ -~]|\\x1b|\\u001b|\\e|\\033)\[[0-9;]{0,8}m$/.test(before);
}

/** A literal of the pattern of that rank, and where in it its probe stands. */
interface Literal {
  readonly rank: number;
  readonly literal: string;
  readonly offset: number;
}

/** Literals that one expression finds: their probes are equally long, which is what makes the search fast. */
interface Group {
  readonly search: RegExp;
  readonly length: number;
  readonly anyCase: boolean;
  readonly finds: ReadonlyMap<string, readonly Literal[]>;
}

/**
 * A probe is two or three letters or digits and the mark after them, so that all of a group have the same mark at
 * the same place: the engine looks for that one character, many places at a time. Of a literal without, it is an end.
 */
function probeOf(literal: string, anyCase: boolean): { text: string; offset: number } {
  const marked = anyCase ? null : /[A-Za-z0-9]{2,3}[^A-Za-z0-9]/.exec(literal);
  if (marked) return { text: marked[0], offset: marked.index };
  const offset = anyCase ? literal.length - 4 : 0;
  return { text: literal.slice(offset, offset + 4), offset };
}

/**
 * What all of a group have in common: the mark at their end, else whether they begin with a letter of either case or
 * none, which makes the search of many several times as fast.
 */
function markOf(probe: string, anyCase: boolean): string {
  if (!/[A-Za-z0-9]$/.test(probe)) return probe.slice(-1);
  if (anyCase || probe.length < 4) return "";
  return /^[A-Z]/.test(probe) ? "A" : /^[a-z]/.test(probe) ? "a" : "0";
}

function groupLiterals(patterns: readonly Pattern[]): readonly Group[] {
  const groups = new Map<string, { anyCase: boolean; finds: Map<string, Literal[]> }>();
  patterns.forEach(({ literals, anyCase = false }, rank) => {
    for (const literal of literals) {
      const { text, offset } = probeOf(literal, anyCase);
      const shape = `${anyCase}${markOf(text, anyCase)}${text.length}`;
      const group = groups.get(shape) ?? { anyCase, finds: new Map() };
      groups.set(shape, group);
      group.finds.set(text, [...group.finds.get(text) ?? [], { rank, literal, offset }]);
    }
  });
  return [...groups.values()].map(({ anyCase, finds }) => {
    const probes = [...finds.keys()];
    const sources = probes.map((text) => text.replace(/[^A-Za-z0-9_ -]/g, "\\$&"));
    // A constant text is looked for in another way, several times slower at worst: one with a class is not constant.
    const source = sources.length === 1 ? sources[0]!.replace(/^\\?./, "[$&]") : sources.join("|");
    return { search: new RegExp(source, anyCase ? "gi" : "g"), length: probes[0]!.length, anyCase, finds };
  });
}

function visitGroup(text: string, { search, length, anyCase, finds }: Group, visit: Visit): void {
  const read = anyCase
    ? (from: number, to: number) => text.slice(from, to).toLowerCase()
    : (from: number, to: number) => text.slice(from, to);
  search.lastIndex = 0;
  while (search.test(text)) {
    const at = search.lastIndex - length;
    search.lastIndex = at + 1;
    for (const { rank, literal, offset } of finds.get(read(at, at + length)) ?? []) {
      const start = at - offset;
      if (start >= 0 && read(start, start + literal.length) === literal) visit(rank, start);
    }
  }
}

function visitEach(text: string, patterns: readonly Pattern[], visit: Visit): void {
  const lower = text.toLowerCase();
  patterns.forEach(({ literals, anyCase }, rank) => {
    const searched = anyCase ? lower : text;
    for (const literal of literals) {
      for (let at = searched.indexOf(literal); at >= 0; at = searched.indexOf(literal, at + 1)) {
        visit(rank, at);
      }
    }
  });
}

/** Visits every place where a literal begins; those of one literal in order. */
function visitLiterals(text: string, table: PatternTable, visit: Visit): void {
  // Lower case can be longer than what it is of: then it does not tell places.
  if (text.length <= FEW && text.toLowerCase().length === text.length) visitEach(text, table.patterns, visit);
  else for (const group of table.groups) visitGroup(text, group, visit);
}

/** Where texts occur next in a text. Asked in order of place, it reads the text once for each. */
class Occurrences {
  readonly #text: string;
  readonly #next = new Map<string, { from: number; at: number }>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The place of the first at or after `from`; infinite where there is none. */
  after(from: number, searched: string): number {
    let next = this.#next.get(searched);
    if (!next || from < next.from || from > next.at) {
      const at = this.#text.indexOf(searched, from);
      this.#next.set(searched, next = { from, at: at < 0 ? Infinity : at });
    }
    return next.at;
  }
}

/**
 * The end of what a header opened: of the line that closes it where one is near, else of the lines of base64 that
 * follow, for a key that is cut must not be shown either.
 */
function bodyEnd(text: string, end: number, closes: string, occurrences: Occurrences): number {
  const closing = occurrences.after(end, closes);
  // NUL stands between texts that are scanned as one.
  if (closing - end <= BODY && occurrences.after(end, "\0") > closing) {
    return closing + /^[^\r\n\\"'\0]*/.exec(text.slice(closing, closing + 128))![0].length;
  }
  const line = /(?:\s|\\[nr]|["'+,]){0,16}[A-Za-z0-9+/=]{40,}/y;
  line.lastIndex = end;
  while (line.test(text)) end = line.lastIndex;
  return end;
}

/** The candidate at a place where a literal of a pattern begins, if the pattern matches there. */
function candidateAt(
  text: string,
  table: PatternTable,
  rank: number,
  at: number,
  occurrences: Occurrences,
): Candidate | undefined {
  const { before, lead = 0, groupOnly, published, accepts, closes } = table.patterns[rank] as Pattern;
  if (before === undefined && !startsToken(text, at)) return undefined;
  if (before && !table.isPreceded(text, rank, at)) return undefined;
  const matcher = table.matcherOf(rank);
  matcher.lastIndex = at;
  const match = matcher.exec(text);
  if (!match) return undefined;
  const value = match[1] as string;
  const end = at + match[0].length;
  const start = groupOnly ? end - value.length : at - lead;
  if (accepts && !accepts({ text, at, start, end, value })) return undefined;
  const secret = !isRepeated(value) && !published?.includes(value);
  return { rank, start, end: secret && closes ? bodyEnd(text, end, closes, occurrences) : end, secret };
}

/** The candidates that are secrets, in order, without those inside one that is known to be none, overlaps as one. */
function settle(candidates: Candidate[]): Candidate[] {
  candidates.sort((a, b) => a.start - b.start || a.rank - b.rank);
  const settled: Candidate[] = [];
  let shield: Candidate | undefined;
  let last: Candidate | undefined;
  for (const candidate of candidates) {
    if (!candidate.secret) {
      if (!shield || candidate.end > shield.end) shield = candidate;
      continue;
    }
    if (shield && candidate.end <= shield.end) continue;
    if (last && candidate.start < last.end) {
      const rank = Math.min(last.rank, candidate.rank);
      last = { rank, start: last.start, end: Math.max(last.end, candidate.end), secret: true };
      settled[settled.length - 1] = last;
    } else {
      settled.push(last = candidate);
    }
  }
  return settled;
}

/** From this length on it pays to bring a text to one byte a character. */
const LONG = 64 * 1024;

/**
 * A long text with characters that take the engine two bytes each, as one that takes one: it is searched three times
 * as fast, and nothing that is looked for has such characters. Places stay the same; spaces stay spaces.
 */
function narrow(text: string): string {
  if (text.length < LONG || !/[^\0-\xff]/.test(text)) return text;
  const ascii = text.replace(/[^\0-\x7f]/g, (character) => /\s/.test(character) ? " " : "\x7f");
  return new TextDecoder().decode(new TextEncoder().encode(ascii));
}

/**
 * Finds the secrets in a text, in order of place: of all patterns, or of those in a table. Matches that overlap are
 * one, of the most specific kind. Total: any string is scanned, well-formed or not.
 */
export function scan(original: string, table: PatternTable = ALL): SecretMatch[] {
  const text = narrow(original);
  const candidates: Candidate[] = [];
  const occurrences = new Occurrences(text);
  const last: (Candidate | undefined)[] = [];
  visitLiterals(text, table, (rank, at) => {
    const previous = last[rank];
    if (previous && at >= previous.start && at < previous.end) return;
    const candidate = candidateAt(text, table, rank, at, occurrences);
    if (candidate) candidates.push(last[rank] = candidate);
  });
  const settled = settle(candidates);
  if (settled.length === 0) return [];
  const lineEnd = /\r\n|[\r\n]/g;
  let next = lineEnd.exec(text);
  let line = 1;
  return settled.map(({ rank, start, end }) => {
    for (; next && next.index < start; next = lineEnd.exec(text)) line++;
    return { id: (table.patterns[rank] as Pattern).id, line, start, end };
  });
}

/**
 * The text with each secret replaced by `[redacted <id>]`, until {@linkcode scan} finds none: one that touched
 * another may only then be told from it.
 */
export function redact(text: string): string {
  for (let found = scan(text); found.length > 0; found = scan(text)) {
    let redacted = "";
    let from = 0;
    for (const { id, start, end } of found) {
      redacted += `${text.slice(from, start)}[redacted ${id}]`;
      from = end;
    }
    text = redacted + text.slice(from);
  }
  return text;
}
