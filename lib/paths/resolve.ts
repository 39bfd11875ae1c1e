import type { Platform } from "../contract/hook.ts";
import type { Disk, Kind } from "./disk.ts";
import { collapse, joinPath, type Parsed, parsePath } from "./parse.ts";

/** What a path is resolved by. */
export interface Place {
  readonly platform: Platform;
  /** What a relative path is relative to: absolute. */
  readonly cwd: string;
  /** What `~` stands for: absolute. */
  readonly home?: string | undefined;
  readonly disk: Disk;
}

/** Where a path leads, or why that cannot be told: a phrase that goes on from the path, such as "is empty". */
export type Resolution =
  | {
    /**
     * One or two absolute paths without links. Two where `..` after a link reads differently as text and to the
     * system; the system's reading is the first.
     */
    readonly readings: readonly string[];
    /** The absolute path as text alone: `.` and `..` taken out, no link followed. */
    readonly textual: string;
    /**
     * The path once more for each link that it leads through: resolved up to that link, which is not followed.
     * For rules that guard a name whatever it is a link to.
     */
    readonly names: readonly string[];
  }
  | { readonly problem: string };

/** As many links as Linux follows in one path. */
const LINK_LIMIT = 40;

/** The longest path that any system takes, in UTF-16 units. */
const LENGTH_LIMIT: Record<Platform, number> = { linux: 4096, darwin: 4096, windows: 32_767 };

class Unresolvable extends Error {}

/** Bytes that are no text became U+FFFD on their way here, and half a character will on its way to the system. */
function isText(name: string): boolean {
  return name.isWellFormed() && !/[\0\ufffd]/.test(name);
}

/** Reads a path as absolute text, its `..` still in it. Throws Unresolvable. */
function readAbsolute(
  written: string,
  { platform, cwd, home }: Omit<Place, "disk">,
): Extract<Parsed, { kind: "absolute" }> {
  if (written === "") throw new Unresolvable("is empty");
  // Some tools trim a path before they use it, some do not.
  if (written !== written.trim()) throw new Unresolvable("begins or ends with white space");
  if (written.includes("\0")) throw new Unresolvable("holds a NUL byte");
  if (!isText(written)) throw new Unresolvable("holds characters that are not valid Unicode");
  if (written.length > LENGTH_LIMIT[platform]) throw new Unresolvable("is longer than the system takes");
  let base = cwd;
  let text = written;
  if (text.startsWith("~")) {
    if (!/^~(?:$|\/)/.test(platform === "windows" ? text.replaceAll("\\", "/") : text)) {
      throw new Unresolvable("begins with ~ and a name, which is another user's home or no home at all");
    }
    if (home === undefined) throw new Unresolvable("begins with ~, and the home folder is not known");
    base = home;
    text = `.${text.slice(1)}`;
  }
  const parsed = parsePath(text, platform);
  if (parsed.kind === "absolute") return parsed;
  if (parsed.kind === "unusable") throw new Unresolvable(parsed.problem);
  const start = parsePath(base, platform);
  if (start.kind === "unusable") throw new Unresolvable(`is relative to a folder that ${start.problem}`);
  if (start.kind !== "absolute") throw new Unresolvable("is relative to a folder that is itself relative");
  return {
    ...start,
    segments: parsed.kind === "rooted" ? parsed.segments : [...start.segments, ...parsed.segments],
  };
}

interface Walk {
  readonly path: string;
  /** Of the whole path. */
  readonly kind: Kind;
  readonly names: readonly string[];
  /** A link on the way has `..` in its text. */
  readonly turnsBack: boolean;
}

/**
 * Follows a path from its root as the system does: each link by its text, `..` from where the link led. What does
 * not exist is taken for folders to be made, so that a dangling link leads to what a write through it would create.
 * `asText`: `..` in a link's text is taken out as text first, as Windows does. Throws Unresolvable, and the
 * system's errors.
 */
function walk(
  start: Extract<Parsed, { kind: "absolute" }>,
  place: Place,
  asText: boolean,
): Walk {
  const { platform, disk } = place;
  let root = start.root;
  const pending = start.segments.toReversed();
  let reached: string[] = [];
  let kind: Kind = "folder";
  /** How many of the last segments reached do not exist. */
  let missing = 0;
  let links = 0;
  let turnsBack = false;
  const names: string[] = [];
  refuseForeignShare(root, place);
  for (let segment = pending.pop(); segment !== undefined; segment = pending.pop()) {
    if (kind === "file" || kind === "other") throw new Unresolvable("leads through what is no folder");
    if (segment === ".") continue;
    if (segment === "..") {
      reached.pop();
      if (missing > 0) missing--;
      kind = missing > 0 ? "missing" : "folder";
      continue;
    }
    reached.push(segment);
    if (missing > 0) {
      missing++;
      continue;
    }
    // Its links, such as /proc/self/cwd and /dev/fd, lead each process somewhere else.
    if (platform === "linux" && reached[0] === "proc") throw new Unresolvable("leads into /proc");
    const here = joinPath(root, reached, platform);
    kind = disk.kind(here);
    if (kind === "missing") missing = 1;
    if (kind !== "link") continue;
    if (++links > LINK_LIMIT) {
      throw new Unresolvable(`leads through more than ${LINK_LIMIT} links, or in a circle`);
    }
    const text = disk.readLink(here);
    if (text === "" || !isText(text)) throw new Unresolvable("leads through a link that cannot be read");
    // A disk that is mounted in a folder has no other path.
    if (platform === "windows" && /^\\\\\?\\volume\{[^\\]*\}\\?$/i.test(text)) {
      kind = "folder";
      continue;
    }
    const target = parsePath(text, platform);
    if (target.kind === "unusable") {
      throw new Unresolvable(`leads through a link whose target ${target.problem}`);
    }
    names.push(joinPath(root, collapse([...reached, ...pending.toReversed()], "root"), platform));
    reached.pop();
    if (target.kind !== "relative") reached = [];
    if (target.kind === "absolute") {
      root = target.root;
      refuseForeignShare(root, place);
    }
    turnsBack ||= target.segments.includes("..");
    if (asText && turnsBack) {
      const rest = collapse([...target.segments, ...pending.toReversed()], "folder");
      pending.length = 0;
      pending.push(...rest.reverse());
    } else {
      pending.push(...target.segments.toReversed());
    }
    kind = "folder";
  }
  if (platform !== "linux") {
    // To spell a FIFO out is to open it on some systems, which waits for who writes to it.
    const made = reached.splice(reached.length - missing - (kind === "other" ? 1 : 0));
    const existing = parsePath(disk.canonical(joinPath(root, reached, platform)), platform);
    if (existing.kind !== "absolute") throw new Unresolvable("leads where no absolute path leads");
    root = existing.root;
    reached = [...existing.segments, ...made];
  }
  return { path: joinPath(root, reached, platform), kind, names, turnsBack };
}

/** To ask a server for a file is to log in there: only the ones that the agent and its user work on are asked. */
function refuseForeignShare(root: string, { platform, cwd, home = "" }: Place): void {
  if (!root.startsWith("\\\\")) return;
  const isOwn = [cwd, home].some((folder) => {
    const own = parsePath(folder, platform);
    return own.kind === "absolute" && own.root.toLowerCase() === root.toLowerCase();
  });
  if (!isOwn) throw new Unresolvable("leads to a share of another machine");
}

/** Runs what may throw because of the path; every such error becomes the phrase for it. */
function attempt<Result>(work: () => Result): Result | { readonly problem: string } {
  try {
    return work();
  } catch (error) {
    if (error instanceof Unresolvable) return { problem: error.message };
    // The message would tell the path once more.
    const cause = !(error instanceof Error)
      ? "unknown error"
      : "code" in error
      ? String(error.code)
      : error.name;
    return { problem: `cannot be resolved (${cause})` };
  }
}

function follow(
  written: string,
  place: Place,
): { readonly textual: string; readonly walks: readonly Walk[] } {
  const start = readAbsolute(written, place);
  const segments = collapse(start.segments, "root");
  const walks = [walk(start, place, false)];
  if (start.segments.includes("..") || (place.platform === "windows" && walks.some((way) => way.turnsBack))) {
    walks.push(walk({ ...start, segments }, place, place.platform === "windows"));
  }
  return { textual: joinPath(start.root, segments, place.platform), walks };
}

/**
 * Says where a write to a path lands, on that platform: absolute, every link followed, also one that dangles. Never
 * throws; where it cannot tell, it says why. What the last name is (a file, a folder, missing) makes no difference.
 */
export function resolve(written: string, place: Place): Resolution {
  return attempt(() => {
    const { textual, walks } = follow(written, place);
    return {
      readings: [...new Set(walks.map(({ path }) => path))],
      textual,
      names: [...new Set(walks.flatMap(({ names }) => names))],
    };
  });
}

/**
 * Says where an absolute path to an existing folder leads, every link followed, or why it is none. Never throws.
 */
export function resolveFolder(
  written: string,
  { platform, disk }: Pick<Place, "platform" | "disk">,
): { readonly path: string } | { readonly problem: string } {
  const parsed = parsePath(written, platform);
  if (parsed.kind === "relative" || parsed.kind === "rooted") {
    return { problem: written === "" ? "is empty" : "is relative" };
  }
  return attempt(() => {
    const { walks } = follow(written, { platform, cwd: written, disk });
    const first = walks[0];
    if (!first || walks.some(({ path }) => path !== first.path)) {
      throw new Unresolvable("leads to one folder as text and to another one for the system");
    }
    if (first.kind !== "folder") {
      throw new Unresolvable(first.kind === "missing" ? "does not exist" : "is no folder");
    }
    return { path: first.path };
  });
}
