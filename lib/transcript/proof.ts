import { onlyReads } from "./readers.ts";
import { bearsPass } from "./summaries.ts";
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

const WRITES =
  /^(?:write|overwrite|edit|create|delete|remove|move|rename|copy|patch|save|append|insert|replace|mkdir|touch|download)/;
const READS = /^(?:get|list|read|search|find|fetch|show|describe|is|has)$/;

/** Whether the name of a tool that is not known says that it writes. */
function writesByName(name: string): boolean {
  const words = name.replace(/^mcp__[^]*?__/, "").replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase()
    .split(/[^a-z]+/).filter((word) => word !== "");
  return !READS.test(words[0] ?? "") && words.some((word) => WRITES.test(word));
}

function isKnown(name: string): boolean {
  return [SHELLS, EDITORS, DELEGATES, FINDERS, TALKERS].some((names) => names.test(name)) ||
    /^(?:BashOutput|KillShell|KillBash|Task(?:Stop|Output))$/.test(name);
}

function fieldOf(input: unknown, name: string): string | undefined {
  if (typeof input !== "object" || input === null || !Object.hasOwn(input, name)) return undefined;
  const value = (input as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" ? value : undefined;
}

function isWork({ name, input, result }: ToolUse): boolean {
  if (EDITORS.test(name)) return result?.isError !== true;
  if (DELEGATES.test(name)) return true;
  const command = fieldOf(input, "command");
  if (SHELLS.test(name)) {
    return command === undefined || !onlyReads(command, name === "PowerShell" ? "powershell" : "sh");
  }
  if (isKnown(name)) return false;
  return writesByName(name) && result?.isError !== true || command !== undefined && !onlyReads(command, "sh");
}

/**
 * Whether something may have been done since the turn's prompt: an edit that did not fail, a tool that says by its
 * name that it writes, a subagent, or a shell command other than git and what only reads. So too where the window does
 * not show the whole turn.
 */
export function hasWork(window: Window): boolean {
  return !window.whole || window.uses.some(isWork);
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
  return [name, ...writesByName(name) ? pathsOf(input) : stringsOf(input)];
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

/** 200 as a number of its own. */
const OK_STATUS = /(?<![\d.,])200(?![\d]|[.,]\d)/;
const BAD_STATUS = /(?:^|\s|HTTP\/[\d.]+ )[45]\d\d(?:\s|$)/;

/** Whether it is a curl command that got, or was held against, a status of 200. */
function isFetched({ name, input, result }: ToolUse): boolean {
  const command = fieldOf(input, "command") ?? "";
  if (!SHELLS.test(name) || !result || !/(?<![\w.-])curl(?:\.exe)?["']?\s/.test(command)) return false;
  return OK_STATUS.test(result.text) || OK_STATUS.test(command) && !BAD_STATUS.test(result.text);
}

/**
 * Whether a tool was given or returned a sign that the work was tried out: an inventory of evidence, `step-1`, a
 * screenshot, a verdict, or a curl with a status of 200. Where the only markers of claims are "all tests pass", a test
 * runner's summary without a failure is one, too. A call that failed counts for nothing. Nor does what is no more than
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
    uses.some((use) => bearsPass(returnedOf(use)));
}

/** The most paths that are told. */
const PATHS = 200;

/** The longest path, in UTF-16 units. */
const PATH_LENGTH = 1024;

/** What stands between spaces, quotes, brackets and signs. */
const WORDS = /[^\s"“”„‘’«»`|,;()[\]{}=，。；：（）、]+/g;

/** Texts in quotes, code or the target of a link, where a path may have spaces. */
const SPANS = [
  /`([^`\n]+)`/g,
  /"([^"\n]+)"/g,
  /“([^“”\n]+)”/g,
  /(?<![^\s(])'([^'\n]+)'/g,
  /\]\(<?([^()<>\n]+)>?\)/g,
];

/** A path as it was meant: without what stands around it and what points to a place in the file. */
function tidy(raw: string): string {
  let path = raw.trim().replace(/^[^\p{L}\p{N}/\\~.$_+-]+/u, "");
  path = path.replace(/^\p{L}[\p{L}\d_-]{1,40}:(?!\/\/)/u, "").replace(/^file:\/\/(?=\/)/i, "").replace(
    /^\$(?:\{?(?:PWD|CLAUDE_PROJECT_DIR)\}?)[/\\]/,
    "",
  );
  path = path.replace(/['’]s$/, "").replace(/[^\p{L}\p{N}/\\_+-]{1,100}$/u, "");
  path = path.replace(/(?:#L\d+(?:-L?\d+)?|:\d+(?:[:-]\d+)?|:L\d+(?:-L?\d+)?)$/, "");
  path = path.replace(/[^\p{L}\p{N}/\\_+-]{1,100}$/u, "");
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

function* pathsIn(line: string, names: ReadonlySet<string>): Generator<{ at: number; path: string }> {
  for (const { 0: word, index: at } of line.matchAll(WORDS)) {
    const path = word.length > PATH_LENGTH * 2 ? "" : tidy(word);
    if (isCited(path, names)) yield { at, path };
  }
  for (const span of SPANS) {
    for (const found of line.matchAll(span)) {
      const whole = found[1] ?? "";
      const isLink = found[0].startsWith("]");
      if (whole.length > PATH_LENGTH || !/\s/.test(whole) && !(isLink && whole.includes("%"))) continue;
      const plain = isLink ? decode(whole.replace(/\s+["'][^]*$/, "")) : whole;
      const path = tidy(plain);
      // What has these is a command or a sentence.
      if (/[|&;<>$]|\s-|[.,:]\s/.test(plain) || !isCited(path, names)) continue;
      yield { at: found.index, path };
    }
  }
}

/**
 * The paths that texts name, in code, quotes and links too, which have a segment equal to one of `folders`: any case,
 * `\` as `/`. Each once, as written, in order, 200 at most: relative, absolute or beginning with `~/`, a folder's too.
 * What stands around a path is taken off, and so is the line at its end (`:12`, `#L3`); of a pattern its folder is
 * told. A path may have spaces in quotes, code and links alone, where it is told beside its parts. A bare name is no
 * path, an address of the web is none. Takes linear time.
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
