import { saysThatItWrites } from "../contract/tools.ts";
import { gotStatus } from "./fetches.ts";
import { type Doing, readCommand, type Shell } from "./readers.ts";
import { outcomeOf, type Outcomes, type TestResult } from "./test-runs.ts";
import { readSummary } from "./summaries.ts";
import type { ToolUse, Window } from "./window.ts";

/** The marker of a claim that a runner's summary proves. */
const TESTS_PASS = "all tests pass";

const SHELLS = /^(?:Bash|PowerShell)$/;
const EDITORS = /^(?:Write|Edit|MultiEdit|NotebookEdit)$/;
const DELEGATES = /^(?:Agent|Task|Workflow)$/;

/** Tools whose result is a text that others wrote, which proves nothing, though their path may. */
const FINDERS = /^(?:Read|NotebookRead|Glob|Grep|LS|LSP)$/;

/** Tools that hold what the agent or the user said, or a page of the web. */
const TALKERS =
  /^(?:Todo\w*|AskUserQuestion|EnterPlanMode|ExitPlanMode|Task(?:Create|Update|List|Get)|Send\w*Message|ToolSearch|Skill|Web\w*)$/;

function isKnown(name: string): boolean {
  return [SHELLS, EDITORS, DELEGATES, FINDERS, TALKERS].some((names) => names.test(name)) ||
    /^(?:BashOutput|KillShell|KillBash|Task(?:Stop|Output))$/.test(name);
}

function fieldOf(input: unknown, name: string): string | undefined {
  if (typeof input !== "object" || input === null || !Object.hasOwn(input, name)) return undefined;
  const value = (input as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" ? value : undefined;
}

/** Subagents that have no tools to edit with. */
const LOOKERS = /^(?:Explore|Plan|claude-code-guide)$/i;

/** What the command of a tool does, where it has one. */
function doingOf({ name, input }: ToolUse): Doing | undefined {
  const command = fieldOf(input, "command");
  const shell: Shell = name === "PowerShell" ? "powershell" : "sh";
  return command === undefined ? undefined : readCommand(command, shell);
}

function isWork(use: ToolUse): boolean {
  const { name, input, result } = use;
  if (EDITORS.test(name)) return result?.isError !== true;
  if (DELEGATES.test(name)) return !LOOKERS.test(fieldOf(input, "subagent_type") ?? "");
  if (SHELLS.test(name)) return doingOf(use)?.reads !== true;
  if (isKnown(name)) return false;
  return saysThatItWrites(name) && result?.isError !== true || doingOf(use)?.reads === false;
}

/**
 * Whether something may have been done since the turn's prompt that can be proven: an edit that did not fail, a tool
 * that says by its name that it writes, a subagent other than one that only looks, or a shell command other than git,
 * what only reads and what runs tests. So too where the window does not show the whole turn, and where "all tests
 * pass" is among the markers of claims while the last run of some tests failed.
 */
export function hasWork(window: Window, markers: readonly string[] = []): boolean {
  return !window.whole || window.uses.some(isWork) ||
    markers.includes(TESTS_PASS) && outcomesOf(window.uses).fail;
}

/** The strings and keys within a value, at any depth. */
function stringsOf(value: unknown): string[] {
  const found: string[] = [];
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") found.push(next);
    else if (Array.isArray(next)) { for (const one of next) open.push(one); }
    else if (typeof next === "object" && next !== null) {
      for (const [key, one] of Object.entries(next)) open.push(one, key);
    }
  }
  return found;
}

/** The fields of a tool that reads or edits a file which name it. */
function pathsOf(input: unknown): string[] {
  return ["file_path", "notebook_path", "path", "filePath", "filename"].flatMap((name) =>
    fieldOf(input, name) ?? []
  );
}

/** What a tool was given that counts. */
function givenOf({ name, input }: ToolUse): string[] {
  if (SHELLS.test(name)) return [fieldOf(input, "command") ?? ""];
  if (EDITORS.test(name) || FINDERS.test(name)) return pathsOf(input);
  if (TALKERS.test(name) || DELEGATES.test(name)) return [];
  return [name, ...saysThatItWrites(name) ? pathsOf(input) : stringsOf(input)];
}

/** What a tool returned that counts. */
function returnedOf({ name, input, result }: ToolUse): string {
  if (!result || EDITORS.test(name) || TALKERS.test(name)) return "";
  // What a command in the background printed is read from a file.
  const isOutput = /[\\/]tasks[\\/][\w-]+\.output$/.test(fieldOf(input, "file_path") ?? "");
  return FINDERS.test(name) && !isOutput ? "" : result.text;
}

const SIGNAL =
  /evidence[-_ ]inventory|(?<![a-z\d])step[-_]\d+(?![a-z\d])|screenshot|(?<![a-z\d])verdicts?(?![a-z\d])/i;

/** Whether it is a curl command whose last response had a status of 200. */
function isFetched({ name, input, result }: ToolUse): boolean {
  const command = fieldOf(input, "command") ?? "";
  if (!SHELLS.test(name) || !result || !/(?<![\w.-])curl(?:\.exe)?["']?\s/.test(command)) return false;
  return gotStatus(command, result.text, 200);
}

/** How runs of tests ended that a tool's result tells of; undefined where it tells of none. */
function testResultOf(use: ToolUse): TestResult | undefined {
  const { result } = use;
  if (!result) return undefined;
  const runs = doingOf(use)?.runs ?? [];
  const built = runs.some(({ runner }) => runner === "gradle test");
  const { passes, fails, runners } = readSummary(returnedOf(use), built);
  const end = fails ? "failed" : result.isError ? "stopped" : passes ? "passed" : undefined;
  if (end === undefined || end === "stopped" && runs.length + runners.size === 0) return undefined;
  return { end, runs, runners };
}

/** How the runs of tests ended, the last of each. */
function outcomesOf(uses: readonly ToolUse[]): Outcomes {
  return outcomeOf(uses.flatMap((use) => testResultOf(use) ?? []));
}

/**
 * Whether a tool was given or returned a sign that the work was tried out: an inventory of evidence, `step-1`, a
 * screenshot, a verdict, or a curl whose last response had a status of 200. Where the only markers of claims are "all
 * tests pass", a test runner's summary without a failure is one, too, if no later run of the same tests ended otherwise
 * and the last run of none failed. A call that failed counts for nothing. Nor does what is no more than
 * words: a file's content, given to an edit or got by reading or searching (its path does count, and so does what a
 * command in the background printed), the web, lists of tasks, the prompt of a subagent, and what the user was asked.
 */
export function hasSignal(window: Window, markers: readonly string[]): boolean {
  const uses = window.uses.filter(({ result }) => result?.isError !== true);
  if (
    uses.some((use) => isFetched(use) || [...givenOf(use), returnedOf(use)].some((text) => SIGNAL.test(text)))
  ) {
    return true;
  }
  return markers.length > 0 && markers.every((marker) => marker === TESTS_PASS) &&
    outcomesOf(window.uses).pass;
}

/** The most paths that are told. */
const PATHS = 200;

/** The longest path, in UTF-16 units. */
const PATH_LENGTH = 1024;

/** What stands between spaces, quotes, brackets and signs. */
const WORDS = /[^\s"“”„‘’«»`|,;()[\]{}=，。；：（）、]+/g;

/** The same, with brackets. */
const WIDE_WORDS = /[^\s"“”„‘’«»`|,;<>=，。；：、]+/g;

/** How many words a path without quotes may have. */
const WORDS_OF_PATH = 6;

/** Words between paths rather than in one. */
const BETWEEN =
  /^(?:and|or|plus|to|from|is|are|was|were|has|have|holds?|shows?|contains?|as|for|see|→|-+|[–—&+])$/i;

/** Texts in quotes, code or the target of a link, where a path may have spaces and brackets. */
const SPANS = [
  /`([^`\n]+)`/g,
  /"([^"\n]+)"/g,
  /“([^“”\n]+)”/g,
  /(?<![^\s(])'([^'\n]+)'/g,
  /\]\(<?([^()<>\n]+)>?\)/g,
  /\]\(<([^<>\n]+)>\)/g,
  /\]\(((?:[^()<>\s]|\([^()<>\s]*\))+)\)/g,
];

const CLOSERS: Readonly<Record<string, string>> = { ")": "(", "]": "[" };

/** Takes off what follows a path, but for a bracket that closes one in it. */
function trimEnd(path: string): string {
  const kept = path.replace(/[^\p{L}\p{N}/\\_+-]{1,100}$/u, "");
  const closer = path.charAt(kept.length);
  const opener = CLOSERS[closer];
  const isOpen = opener !== undefined && kept.split(opener).length > kept.split(closer).length;
  return isOpen ? kept + closer : kept;
}

/** A path as it was meant: without what stands around it and what points to a place in the file. */
function tidy(raw: string): string {
  let path = raw.trim().replace(/^[^\p{L}\p{N}/\\~.$_+-]+/u, "");
  path = path.replace(/^\p{L}[\p{L}\d_-]{1,40}:(?!\/\/)/u, "").replace(/^file:\/\/(?=\/)/i, "").replace(
    /^\$(?:\{?(?:PWD|CLAUDE_PROJECT_DIR)\}?)[/\\]/,
    "",
  );
  path = trimEnd(path.replace(/['’]s$/, ""));
  path = path.replace(/(?:#L\d+(?:-L?\d+)?|:\d+(?:[:-]\d+)?|:L\d+(?:-L?\d+)?)$/, "");
  path = trimEnd(path);
  const emphasis = /^(_{1,3})(.+)\1$/.exec(path);
  if (emphasis?.[2] !== undefined) path = emphasis[2];
  if (path.includes("/")) path = path.replace(/\\(?=[_*])/g, "");
  // Of a pattern, the folder that it stands in.
  const wild = path.search(/[*?]/);
  return wild < 0
    ? path
    : path.slice(0, Math.max(path.lastIndexOf("/", wild), path.lastIndexOf("\\", wild)) + 1);
}

/** Whether it is a path with a segment that is one of the names. */
function isCited(path: string, names: ReadonlySet<string>): boolean {
  if (path === "" || path.length > PATH_LENGTH || /^[a-z][a-z\d+.-]+:\/\/|[<>\0…]/i.test(path)) return false;
  const segments = path.toLowerCase().split(/[/\\]/);
  return segments.length > 1 && segments.some((segment) => names.has(segment));
}

/** A percent-encoded text as it was, where it is sound. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether the brackets of a text match. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "(" || character === "[") depth++;
    else if ((character === ")" || character === "]") && --depth < 0) return false;
  }
  return depth === 0;
}

/** The paths without quotes that have spaces or brackets in them: up to an extension, or a slash. */
function* openPaths(
  line: string,
  names: ReadonlySet<string>,
  taken: readonly (readonly [number, number])[],
): Generator<{ at: number; path: string }> {
  const words = [...line.matchAll(WIDE_WORDS)];
  for (const [from, { 0: first, index }] of words.entries()) {
    if (first.length > PATH_LENGTH || first.includes("](") || /^-/.test(first)) continue;
    if (taken.some(([start, end]) => index >= start && index < end)) continue;
    const start = index + (/^[([]+/.exec(first)?.[0].length ?? 0);
    if (!isCited(tidy(first.slice(start - index)), names)) continue;
    for (let to = from; to < Math.min(words.length, from + WORDS_OF_PATH); to++) {
      const { 0: word, index: at } = words[to]!;
      const before = words[to - 1];
      if (to > from) {
        if (!before || at !== before.index + before[0].length + 1 || line[at - 1] !== " ") break;
        if (BETWEEN.test(word) || isCited(tidy(word), names)) break;
      }
      const text = line.slice(start, at + word.length);
      if (text.length > PATH_LENGTH) break;
      const path = tidy(text);
      const isWhole = /(?:\.\w{1,8}|[/\\])$/.test(path);
      if (isWhole && /[ ()[\]]/.test(path) && isBalanced(path) && isCited(path, names)) {
        yield { at: index, path };
      }
      if (isWhole && (to > from || !/[/\\]$/.test(path)) || /[.:!?]$/.test(word)) break;
    }
  }
}

function* pathsIn(line: string, names: ReadonlySet<string>): Generator<{ at: number; path: string }> {
  const taken: (readonly [number, number])[] = [];
  for (const span of SPANS) {
    for (const found of line.matchAll(span)) {
      const whole = found[1] ?? "";
      const isLink = found[0].startsWith("]");
      if (taken.length < PATHS) taken.push([found.index, found.index + found[0].length]);
      if (whole.length > PATH_LENGTH || !/[\s()[\]]/.test(whole) && !(isLink && whole.includes("%"))) {
        continue;
      }
      const plain = isLink ? decode(whole.replace(/\s+["'][^]*$/, "")) : whole;
      const path = tidy(plain);
      // What has these is a command or a sentence.
      if (/[|&;<>$]|\s-|[.,:]\s/.test(plain) || !isCited(path, names)) continue;
      yield { at: found.index, path };
    }
  }
  yield* openPaths(line, names, taken);
  for (const { 0: word, index: at } of line.matchAll(WORDS)) {
    const path = word.length > PATH_LENGTH * 2 ? "" : tidy(word);
    // A folder whose name goes on in what ends a word is not what was cited.
    const isCut = /[/\\]$/.test(path) &&
      (/[([{]/.test(line[at + word.length] ?? "") || /[/\\][$\p{Cc}]/u.test(word));
    if (!isCut && isCited(path, names)) yield { at, path };
  }
}

/**
 * The paths that texts name, in code, quotes and links too, which have a segment equal to one of `folders`: any case,
 * `\` as `/`. Each once, as written, in order, 200 at most: relative, absolute or beginning with `~/`, a folder's too.
 * What stands around a path is taken off, and so is the line at its end (`:12`, `#L3`); of a pattern its folder is
 * told. A path with spaces or brackets is told beside its parts; without quotes, code or a link around it only up to
 * an extension or a slash, and where it has a few words at most. A bare name is no path, an address of the web is
 * none. Takes linear time.
 */
export function citedPaths(texts: readonly string[], folders: readonly string[]): readonly string[] {
  const names = new Set(
    folders.map((folder) => folder.toLowerCase().replace(/[/\\]+$/, "")).filter((name) => name),
  );
  const found = new Set<string>();
  for (const text of texts) {
    for (const line of text.split(/[\r\n]+/)) {
      const plain = line.toLowerCase();
      if (![...names].some((name) => plain.includes(name))) continue;
      const paths = [...pathsIn(line, names)].sort((one, other) => one.at - other.at);
      for (const { path } of paths) {
        if (found.size === PATHS) return [...found];
        found.add(path);
      }
    }
  }
  return [...found];
}
