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
/** How far from a header the line may be that closes it: twice the largest private key in use. */
const BODY = 16 * 1024;

const matchers: RegExp[] = [];
const befores: RegExp[] = [];

/** Each expression is compiled when it is first needed: most never are. */
function matcherOf(rank: number): RegExp {
  const { source, anyCase } = PATTERNS[rank] as Pattern;
  return matchers[rank] ??= new RegExp(source, anyCase ? "iy" : "y");
}

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
  if (!isTokenCharacter(text.charCodeAt(at - 1))) return true;
  const before = text.slice(Math.max(0, at - 16), at);
  return /\\(?:[abefnrtv0]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})$|%[0-9A-Fa-f]{2}$/.test(before) ||
    /(?:[^ -~]|\\x1b|\\u001b|\\e|\\033)\[[0-9;]{0,8}m$/.test(before);
}

/** Whether the text before a place is what the pattern asks for. */
function isPreceded(text: string, rank: number, at: number): boolean {
  const { before } = PATTERNS[rank] as Pattern;
  if (before === undefined) return startsToken(text, at);
  if (before === "") return true;
  return (befores[rank] ??= new RegExp(before)).test(text.slice(Math.max(0, at - BEFORE), at));
}

/** The part of a literal by which it is found, and where in the literal it stands. */
interface Probe {
  readonly rank: number;
  readonly literal: string;
  readonly offset: number;
}

/** Literals that one expression finds: their probes are equally long and end alike, which makes the search fast. */
interface Group {
  readonly search: RegExp;
  readonly length: number;
  readonly probes: ReadonlyMap<string, readonly Probe[]>;
}

let groups: readonly Group[] | undefined;

/**
 * The literals by group. A probe is two or three letters or digits and the mark after them, so that all of a group
 * have the same mark at the same place: the engine looks for that one character many at a time.
 */
function groupLiterals(): readonly Group[] {
  const byShape = new Map<string, Map<string, Probe[]>>();
  PATTERNS.forEach(({ literals, anyCase }, rank) => {
    for (const literal of literals) {
      const marked = anyCase ? null : /[A-Za-z0-9]{2,3}[^A-Za-z0-9]/.exec(literal);
      const text = marked?.[0] ?? (anyCase ? literal : literal.slice(0, 4));
      const shape = anyCase ? "any case" : `${marked ? text.at(-1) : "none"}${text.length}`;
      const probes = byShape.get(shape) ?? new Map<string, Probe[]>();
      const probe = { rank, literal, offset: marked?.index ?? 0 };
      byShape.set(shape, probes.set(text, [...probes.get(text) ?? [], probe]));
    }
  });
  return [...byShape].map(([shape, probes]) => {
    const source = [...probes.keys()].map((text) => text.replace(/[^A-Za-z0-9_ -]/g, "\\$&")).join("|");
    const length = shape === "any case" ? 0 : [...probes.keys()][0]!.length;
    return { search: new RegExp(source, shape === "any case" ? "gi" : "g"), length, probes };
  });
}

function visitGroup(text: string, { search, length, probes }: Group, visit: Visit): void {
  search.lastIndex = 0;
  if (length === 0) {
    for (let found = search.exec(text); found; found = search.exec(text)) {
      search.lastIndex = found.index + 1;
      for (const { rank } of probes.get(found[0].toLowerCase()) ?? []) visit(rank, found.index);
    }
    return;
  }
  while (search.test(text)) {
    const at = search.lastIndex - length;
    search.lastIndex = at + 1;
    for (const { rank, literal, offset } of probes.get(text.slice(at, at + length)) ?? []) {
      if (text.startsWith(literal, at - offset)) visit(rank, at - offset);
    }
  }
}

function visitEach(text: string, visit: Visit): void {
  const lower = text.toLowerCase();
  PATTERNS.forEach(({ literals, anyCase }, rank) => {
    const searched = anyCase ? lower : text;
    for (const literal of literals) {
      for (let at = searched.indexOf(literal); at >= 0; at = searched.indexOf(literal, at + 1)) {
        visit(rank, at);
      }
    }
  });
}

/** Visits every place where a literal begins; those of one literal in order. */
function visitLiterals(text: string, visit: Visit): void {
  // Lower case can be longer than what it is of: then it does not tell places.
  if (text.length <= FEW && text.toLowerCase().length === text.length) visitEach(text, visit);
  else for (const group of groups ??= groupLiterals()) visitGroup(text, group, visit);
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

/** The end of the line that closes what a header opened, or of the header where no such line is near. */
function closingEnd(text: string, end: number, closes: string, occurrences: Occurrences): number {
  const at = occurrences.after(end, closes);
  // NUL stands between texts that are scanned as one.
  if (at - end > BODY || occurrences.after(end, "\0") < at) return end;
  return at + /^[^\r\n\\"'\0]*/.exec(text.slice(at, at + 128))![0].length;
}

/** The candidate at a place where a literal of a pattern begins, if the pattern matches there. */
function candidateAt(
  text: string,
  rank: number,
  at: number,
  occurrences: Occurrences,
): Candidate | undefined {
  if (!isPreceded(text, rank, at)) return undefined;
  const matcher = matcherOf(rank);
  matcher.lastIndex = at;
  const match = matcher.exec(text);
  if (!match) return undefined;
  const { groupOnly, published, accepts, closes } = PATTERNS[rank] as Pattern;
  const value = match[1] as string;
  const end = at + match[0].length;
  const start = groupOnly ? end - value.length : at;
  if (accepts && !accepts({ text, at, start, end, value })) return undefined;
  const secret = !isRepeated(value) && !published?.includes(value);
  return { rank, start, end: secret && closes ? closingEnd(text, end, closes, occurrences) : end, secret };
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
    if (shield && candidate.end <= shield.end && candidate.rank > shield.rank) continue;
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

/**
 * Finds the secrets in a text, in order of place. Matches that overlap are one, of the most specific kind. Total: any
 * string is scanned, well-formed or not.
 */
export function scan(text: string): SecretMatch[] {
  const candidates: Candidate[] = [];
  const occurrences = new Occurrences(text);
  visitLiterals(text, (rank, at) => {
    const candidate = candidateAt(text, rank, at, occurrences);
    if (candidate) candidates.push(candidate);
  });
  const settled = settle(candidates);
  if (settled.length === 0) return [];
  const lineEnd = /\r\n|[\r\n]/g;
  let next = lineEnd.exec(text);
  let line = 1;
  return settled.map(({ rank, start, end }) => {
    for (; next && next.index < start; next = lineEnd.exec(text)) line++;
    return { id: (PATTERNS[rank] as Pattern).id, line, start, end };
  });
}

/** The text with each secret replaced by `[redacted <id>]`. */
export function redact(text: string): string {
  let redacted = "";
  let from = 0;
  for (const { id, start, end } of scan(text)) {
    redacted += `${text.slice(from, start)}[redacted ${id}]`;
    from = end;
  }
  return redacted + text.slice(from);
}
