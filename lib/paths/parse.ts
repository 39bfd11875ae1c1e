import type { Platform } from "../contract/hook.ts";

/** A path as text, taken apart. `.` and `..` are still among the segments; empty ones are not. */
export type Parsed =
  /** `root` ends in a separator: `/`, `C:\` (the letter in upper case) or `\\server\share\`. */
  | { readonly kind: "absolute"; readonly root: string; readonly segments: string[] }
  /** Windows' `\x`: on the drive of the current folder. */
  | { readonly kind: "rooted"; readonly segments: string[] }
  | { readonly kind: "relative"; readonly segments: string[] }
  | { readonly kind: "unusable"; readonly problem: string };

/** What stands between the segments of a path as this project writes it. */
export function separator(platform: Platform): string {
  return platform === "windows" ? "\\" : "/";
}

/** The path of a root as `Parsed` has it and the segments below it. */
export function joinPath(root: string, segments: readonly string[], platform: Platform): string {
  return root + segments.join(separator(platform));
}

const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/** The words that a problem of a Windows name is told in; undefined where Windows takes the name as it stands. */
function nameProblem(name: string): string | undefined {
  if (name === "." || name === "..") return undefined;
  if (name.includes(":")) return "names an alternate data stream, or a drive in the middle of a path";
  // deno-lint-ignore no-control-regex -- the characters that no name on Windows has
  if (/[\x00-\x1f<>"|?*]/.test(name)) return "holds a character that Windows has in no name";
  // Windows drops them, so that the name written is not the name of the file.
  if (name.endsWith(".") || name.endsWith(" ")) return "has a name that ends in a dot or a space";
  if (DEVICE.test(name)) return "names a device of Windows";
  return undefined;
}

function split(text: string, at: string): string[] {
  return text.split(at).filter((segment) => segment !== "");
}

function unusable(problem: string): Parsed {
  return { kind: "unusable", problem };
}

function parseWindows(written: string): Parsed {
  let text = written.replaceAll("/", "\\");
  if (text.startsWith("\\??\\") || text.startsWith("\\\\.\\") || text === "\\\\.") {
    return unusable("names a device of Windows");
  }
  if (text.startsWith("\\\\?\\") || text === "\\\\?") {
    const rest = text.slice(4);
    if (/^unc\\/i.test(rest)) text = `\\\\${rest.slice(4)}`;
    else if (/^[a-z]:\\/i.test(rest)) text = rest;
    else return unusable("names a device of Windows");
  }
  let root: string | undefined;
  let segments: string[];
  if (text.startsWith("\\\\")) {
    const [server, share, ...rest] = text.slice(2).split("\\");
    if (!server || !share || /^[.?]{1,2}$/.test(server) || share === "." || share === "..") {
      return unusable("names no share of a server");
    }
    const problem = nameProblem(server) ?? nameProblem(share);
    if (problem !== undefined) return unusable(problem);
    root = `\\\\${server}\\${share}\\`;
    segments = rest.filter((segment) => segment !== "");
  } else if (/^[a-z]:/i.test(text)) {
    if (text[2] !== "\\") return unusable("is relative to the current folder of a drive");
    root = `${text.slice(0, 2).toUpperCase()}\\`;
    segments = split(text.slice(3), "\\");
  } else {
    segments = split(text, "\\");
  }
  for (const segment of segments) {
    const problem = nameProblem(segment);
    if (problem !== undefined) return unusable(problem);
  }
  if (root !== undefined) return { kind: "absolute", root, segments };
  return { kind: text.startsWith("\\") ? "rooted" : "relative", segments };
}

/** Takes a path apart as text. What no file of that platform can be called is `unusable`. */
export function parsePath(written: string, platform: Platform): Parsed {
  if (platform === "windows") return parseWindows(written);
  const segments = split(written, "/");
  return written.startsWith("/") ? { kind: "absolute", root: "/", segments } : { kind: "relative", segments };
}

/** Takes `.` and `..` out of segments as text alone. `..` at their beginning stays, but above a root is the root. */
export function collapse(segments: readonly string[], from: "root" | "folder"): string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    const last = kept.at(-1);
    if (segment === ".." && last !== undefined && last !== "..") kept.pop();
    else if (segment !== "." && (segment !== ".." || from === "folder")) kept.push(segment);
  }
  return kept;
}
