import type { Platform } from "../contract/hook.ts";
import { parsePath } from "./parse.ts";

/**
 * The parts of an absolute path that has no `.` or `..`: on Windows the drive (`C:`) or the share (`\\server\share`)
 * is the first. Undefined where the text is no such path.
 */
export function segments(path: string, platform: Platform): string[] | undefined {
  const parsed = parsePath(path, platform);
  if (parsed.kind !== "absolute") return undefined;
  if (parsed.segments.some((segment) => segment === "." || segment === "..")) return undefined;
  return platform === "windows" ? [parsed.root.slice(0, -1), ...parsed.segments] : parsed.segments;
}

/** HFS+ keeps these as they are, though Unicode has another form for some of them: the Kelvin sign is a K. */
const LEFT_ALONE = /[\u2000-\u2fff\uf900-\ufaff\ud800-\udfff]/;

/** The lower-case letter where it and the upper-case one are a simple pair; else the character itself. */
function lower(character: string): string {
  const small = character.toLowerCase();
  return small.length === character.length && small.toUpperCase() === character ? small : character;
}

/**
 * One form for the names that Windows or macOS surely take for the same. It errs to the side of different: `ı`, `ſ`
 * and the Kelvin sign are no `i`, `s` and `k`. That is enough, since what exists is compared in its true spelling.
 */
function fold(name: string, platform: Platform): string {
  // deno-lint-ignore no-control-regex -- ASCII
  if (/^[\x00-\x7f]*$/.test(name)) return name.toLowerCase();
  const composed = platform === "darwin" && !LEFT_ALONE.test(name) ? name.normalize("NFC") : name;
  // By UTF-16 units, as Windows does it.
  return composed.replace(/[^]/g, lower);
}

function isSameName(one: string, other: string, platform: Platform): boolean {
  return one === other || (platform !== "linux" && fold(one, platform) === fold(other, platform));
}

/**
 * The segments that lead from a folder to a path inside it, none for the folder itself; undefined where it is not
 * inside. Both are absolute and resolved, as `resolve` gives them; any other text is not inside anything.
 */
export function relativeSegments(path: string, folder: string, platform: Platform): string[] | undefined {
  const inner = segments(path, platform);
  const outer = segments(folder, platform);
  if (!inner || !outer || inner.length < outer.length) return undefined;
  // By segments: /repo-evil begins with /repo and is not in it.
  const begins = outer.every((segment, at) => isSameName(segment, inner[at] ?? "", platform));
  return begins ? inner.slice(outer.length) : undefined;
}

/**
 * Whether a path is in a folder at any depth, or is the folder. As `relativeSegments`: absolute, resolved paths. On
 * Windows and macOS without regard to case, and on macOS to the Unicode form.
 */
export function isInside(path: string, folder: string, platform: Platform): boolean {
  return relativeSegments(path, folder, platform) !== undefined;
}

/**
 * One form for all names that some file system might take for the same: lower case by any mapping, composed,
 * without the code points that HFS+ ignores, without what Windows drops (dots and spaces at the end, a data stream).
 * It errs to the side of the same, on every platform, since a repository moves between them.
 */
export function foldForGuard(name: string): string {
  let folded = name;
  // deno-lint-ignore no-control-regex -- ASCII
  if (!/^[\x00-\x7f]*$/.test(name)) {
    // Upper case first: it is what takes `ı`, `ſ` and ligatures to ASCII.
    folded = name.replace(/\p{Default_Ignorable_Code_Point}/gu, "").normalize("NFC").toUpperCase();
  }
  folded = folded.toLowerCase();
  const stream = folded.indexOf(":");
  if (stream > 0) folded = folded.slice(0, stream);
  let end = folded.length;
  while (end > 0 && (folded[end - 1] === "." || folded[end - 1] === " ")) end--;
  return folded.slice(0, end);
}
