/** A word of a command: its text, and whether that is all there is to it. */
interface Word {
  readonly text: string;
  readonly literal: boolean;
  /** It is the folder that the command runs in, such as `$PWD`. */
  readonly isHere?: boolean;
}

/** A folder that a command may run in. */
export interface Reading {
  /** Absolute, or relative to the folder that the line begins in; that itself is empty. */
  readonly path: string;
  /** Only where this folder does not exist: a `cd` into it would have led elsewhere. */
  readonly unless?: string;
}

/** Where a command runs, as far as its line tells. */
export interface Folder {
  readonly readings: readonly Reading[];
  /** Where the commands run that do not depend on a `cd` of this list of commands. */
  readonly failed: readonly Reading[];
  /** Where `cd -` leads. */
  readonly before: readonly Reading[];
  /** Where `popd` leads. */
  readonly stack: readonly (readonly Reading[])[];
  readonly cdpath: readonly string[];
  /** Folders that the line makes. */
  readonly made: readonly string[];
  /** A `cd` led somewhere that the line does not tell. */
  readonly lost: boolean;
}

/** Where a line begins. */
export const START: Folder = {
  readings: [{ path: "" }],
  failed: [],
  before: [],
  stack: [],
  cdpath: [],
  made: [],
  lost: false,
};

/** How long the path of a folder may become. */
const LENGTH_LIMIT = 4096;

/** How many readings are kept. */
const READING_LIMIT = 32;

const CHANGES = new Set(["cd", "chdir", "set-location", "sl", "pushd", "push-location"]);
const RETURNS = new Set(["popd", "pop-location"]);

/** Commands that succeed, as a rule, so that what depends on them runs. */
const SURE = new Set([
  ":",
  "true",
  "cd",
  "pushd",
  "mkdir",
  "echo",
  "printf",
  "pwd",
  "set",
  "export",
  "shopt",
]);

/** A path as it reads from a folder; an absolute one stays as it is. */
export function joinFolder(folder: string, path: string, isAbsolute: (path: string) => boolean): string {
  if (folder === "" || isAbsolute(path)) return path;
  return /[/\\]$/.test(folder) ? folder + path : `${folder}/${path}`;
}

/** Of any system, since to take a relative folder for an absolute one changes no more than to be lost. */
function isAbsolute(path: string): boolean {
  return /^(?:[/\\~]|[a-z]:)/i.test(path);
}

/** Whether a folder lies elsewhere than below where the line begins, as far as its path tells. */
function leadsOut(path: string): boolean {
  return isAbsolute(path) || path.split(/[/\\]/).includes("..");
}

/** As shells take `..`: back to where the `cd` before came from. */
function normalize(path: string): string {
  if (path.includes("\\") || !/(?:^|\/)\.{1,2}(?:\/|$)/.test(path)) return path;
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    const last = kept.at(-1);
    if (segment === "." || segment === "" && kept.length > 0) continue;
    if (segment !== ".." || last === undefined || last === ".." || /^~/.test(last)) kept.push(segment);
    else if (last !== "") kept.pop();
  }
  return kept.length === 1 && kept[0] === "" ? "/" : kept.join("/");
}

function merge(readings: readonly Reading[]): readonly Reading[] {
  if (readings.length < 2) return readings;
  const plain = new Set(readings.filter(({ unless }) => unless === undefined).map(({ path }) => path));
  const kept = new Map<string, Reading>();
  for (const reading of readings) {
    const { path, unless } = reading;
    if (unless !== undefined && plain.has(path)) continue;
    const key = JSON.stringify([path, unless]);
    if (!kept.has(key)) kept.set(key, reading);
  }
  const all = [...kept.values()];
  const half = READING_LIMIT / 2;
  return all.length > READING_LIMIT ? [...all.slice(0, half), ...all.slice(-half)] : all;
}

/** Where a command runs that follows on either way. */
export function unite(one: Folder, other: Folder): Folder {
  if (one === other) return one;
  return {
    ...one,
    readings: merge([...one.readings, ...other.readings]),
    failed: merge([...one.failed, ...other.failed]),
    lost: one.lost || other.lost,
  };
}

/** Where a command runs after a list of commands, whatever of it failed. */
export function settle(folder: Folder): Folder {
  if (folder.failed.length === 0) return folder;
  return { ...folder, readings: merge([...folder.readings, ...folder.failed]), failed: [] };
}

/** The name of the command that words are, past what may stand before it, and its arguments. */
function findCommand(words: readonly Word[]): {
  name: string;
  more: readonly Word[];
  cdpath?: string;
  /** To zsh it is a program, which leaves the folder alone. */
  isProgram: boolean;
} {
  let cdpath: string | undefined;
  let isProgram = false;
  for (const [index, { text, literal }] of words.entries()) {
    const assigned = /^[a-zA-Z_]\w*\+?=([^]*)$/.exec(text);
    if (assigned) {
      if (literal && text.startsWith("CDPATH=")) cdpath = assigned[1];
      continue;
    }
    if (!literal) break;
    isProgram ||= text === "command";
    if (index < words.length - 1 && /^(?:command|builtin|noglob|-[pq-])$/.test(text)) continue;
    return {
      name: text.toLowerCase(),
      more: words.slice(index + 1),
      isProgram,
      ...(cdpath !== undefined && { cdpath }),
    };
  }
  return { name: "", more: [], isProgram, ...(cdpath !== undefined && { cdpath }) };
}

/** Whether the next command of a list, which depends on this one, runs as a rule. */
export function isSure(words: readonly Word[]): boolean {
  return SURE.has(findCommand(words).name);
}

/** Whether a `cd` into a folder cannot fail. */
function isThere(path: string, made: readonly string[]): boolean {
  return /^(?:[/~]|\.\.(?:\/\.\.)*)?$/.test(path) ||
    made.some((one) => one === path || one.startsWith(`${path}/`));
}

function listedPaths(value: string): string[] {
  return value.split(":").filter((path) => path !== "" && path !== ".").slice(0, 4);
}

/**
 * Where the next command runs after a command of words, if that succeeds; where else, if not, is told as `failed`.
 * `skipped`: the command may not have run at all.
 */
export function enterFolder(folder: Folder, words: readonly Word[], skipped: boolean): Folder {
  const { name, more, cdpath, isProgram } = findCommand(words);
  if (cdpath !== undefined && name === "") return { ...folder, cdpath: listedPaths(cdpath) };
  if (name === "export" || name === "declare" || name === "typeset") {
    const set = more.find(({ text, literal }) => literal && text.startsWith("CDPATH="));
    return set ? { ...folder, cdpath: listedPaths(set.text.slice(7)) } : folder;
  }
  if (name === "mkdir" || name === "md") {
    return { ...folder, made: [...folder.made, ...making(folder, more)].slice(-64) };
  }
  // Of several arguments, old shells take the first.
  const skips = skipped || isProgram ||
    CHANGES.has(name) && more.filter(({ text }) => !text.startsWith("-")).length > 1;
  const failed = skips ? merge([...folder.failed, ...folder.readings]) : folder.failed;
  if (RETURNS.has(name)) {
    const all = [...folder.stack].reverse();
    const readings = more.length > 0 ? merge([...all.flat(), ...folder.readings]) : all[0] ?? folder.readings;
    return { ...folder, readings, failed, before: folder.readings, stack: folder.stack.slice(0, -1) };
  }
  if (!CHANGES.has(name)) return folder;
  const pushes = name.startsWith("pu");
  const stack = pushes ? [...folder.stack, folder.readings].slice(-16) : folder.stack;
  const left = { failed, stack, before: folder.readings };
  const [to = name === "cd" ? { text: "~", literal: true } : undefined, ...others] = more.filter(({ text }) =>
    !/^-(?:[LPe@]+|-|path|literalpath)$/i.test(text)
  );
  if (to?.isHere && others.length === 0) return { ...folder, stack };
  if (to === undefined && pushes) {
    return { ...folder, ...left, readings: folder.stack.at(-1) ?? folder.readings };
  }
  if (to?.literal && to.text === "-" && folder.before.length > 0) {
    return { ...folder, ...left, readings: folder.before };
  }
  if (!to?.literal || /^[-+]/.test(to.text)) return { ...folder, ...left, lost: true };
  // From a folder that the line does not tell nothing leads to one that it tells; but it may be the one before.
  if (folder.lost && !isAbsolute(to.text) && leadsOut(to.text)) return { ...folder, ...left };
  const readings: Reading[] = [];
  const after: Reading[] = [...failed];
  const searched = /^(?:[/~.]|$)/.test(to.text) ? [] : [...folder.cdpath, ...listedPaths(cdpath ?? "")];
  for (const reading of folder.readings) {
    const path = normalize(joinFolder(reading.path, to.text, isAbsolute));
    if (path.length > LENGTH_LIMIT) return { ...folder, ...left, lost: true };
    readings.push({ ...reading, path });
    for (const entry of searched) {
      readings.push({
        path: normalize(joinFolder(joinFolder(reading.path, entry, isAbsolute), to.text, isAbsolute)),
      });
    }
    if (!isThere(path, folder.made)) after.push({ path: reading.path, unless: reading.unless ?? path });
  }
  return {
    ...folder,
    ...left,
    readings: merge(readings),
    failed: merge(after),
    lost: folder.lost && !isAbsolute(to.text),
  };
}

/** The folders that `mkdir` makes. */
function making({ readings }: Folder, words: readonly Word[]): string[] {
  return words.filter(({ text, literal }) => literal && text !== "" && !text.startsWith("-")).slice(0, 16)
    .flatMap(({ text }) =>
      readings.slice(0, 4).map(({ path }) => normalize(joinFolder(path, text, isAbsolute)))
    );
}
