/** Tells evidence folders by their names. */
import { foldForGuard } from "./compare.ts";
import { collapse } from "./parse.ts";

/** What folders of evidence are called, in any case; a configuration may name more. */
const EVIDENCE: readonly string[] = ["evidence", "e2e-evidence"];

/** The names in a path of any system, in one form for all that some file system might take for the same. */
function namesIn(path: string): string[] {
  const segments = path.split(/[\\/\0]/).map((segment) => segment.trim()).filter((segment) => segment !== "");
  return collapse(segments, "root").map(foldForGuard);
}

/** The names of the folders, each as the names that lead to it; one without any names nothing. */
function wanted(more: readonly string[]): string[][] {
  return [...EVIDENCE, ...more].map(namesIn).filter((names) => names.length > 0);
}

/** Whether it pays to look closer: most calls have nothing to do with evidence, and must not wait for it. */
function mayName(text: string, more: readonly string[]): boolean {
  // deno-lint-ignore no-control-regex -- ASCII
  return more.length > 0 || /evidence/i.test(text) || !/^[\x00-\x7f]*$/.test(text);
}

/**
 * Whether a path as text, of whatever system, leads into or through a folder of evidence or is called so, `..` taken
 * out. `more`: further names of such folders.
 */
export function isEvidence(path: string, more: readonly string[]): boolean {
  if (!mayName(path, more)) return false;
  const names = namesIn(path);
  return wanted(more).some((folder) =>
    names.some((_, from) => folder.every((name, at) => names[from + at] === name))
  );
}

/**
 * Whether a command line names a folder of evidence anywhere, alone or within a path; also with quotes or escapes
 * within the name. Names that the shell makes up (`$x`, `evid*`) are not told.
 */
export function namesEvidence(command: string, more: readonly string[]): boolean {
  const bare = command.replace(/\\\r?\n|["'`\\]|\p{Default_Ignorable_Code_Point}/gu, "");
  if (!mayName(bare, more)) return false;
  const folders = wanted(more).map((names) =>
    names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("[\\\\/]+")
  );
  // As a whole name: after what cannot be part of one, an option's letter or a variable's default, and before the same.
  const name = new RegExp(
    `(?:(?<![\\p{L}\\p{N}_.\\-])|(?<=\\s-[A-Za-z]|:[-=+]))(?:${folders.join("|")})` +
      "(?![\\p{L}\\p{N}_\\-]|\\.[\\p{L}\\p{N}_])",
    "iu",
  );
  // Where `\` parts names, it is no escape.
  const unquoted = command.replace(/["'`]/g, "");
  return [command, bare, unquoted].some((text) => name.test(text));
}
