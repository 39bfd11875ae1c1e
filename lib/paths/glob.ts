/** Whether `*` (any run of characters) and `?` (one character) of a pattern cover the text. Takes O(n·m) time. */
function matchSegment(text: string, pattern: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let read = 0; read < text.length;) {
    if (pattern[at] === "*") {
      star = at++;
      resume = read;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === text[read])) {
      at++;
      read++;
    } else if (star >= 0) {
      at = star + 1;
      read = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}

/** What is wrong with a glob, so that it would not mean what its author thinks; undefined where nothing is. */
export function globProblem(glob: string): string | undefined {
  if (glob.trim() === "" || /^[./]*$/.test(glob)) return "is empty";
  if (glob !== glob.trim()) return "begins or ends with a space";
  if (/[[\]{}!\\]/.test(glob)) return "has a character that is none of its wildcards: only *, ? and ** are";
  if (glob.startsWith("~") || glob.split("/").includes("..")) return "leads out of the worktree";
  return undefined;
}

/**
 * Whether a glob covers the segments of a relative path: `*` and `?` stay within a segment, `**` is any number of
 * segments. A glob without `/` covers the name at any depth. One that ends in a plain name, or in `/`, covers a folder
 * of that name with all that is in it. There are no other wildcards. The time is bounded by the product of the
 * lengths, whoever wrote the glob.
 */
export function matchGlob(path: readonly string[], glob: string): boolean {
  const wanted = glob.replace(/^\.?\/+/, "").split("/").filter((segment) => segment !== "");
  const last = wanted.at(-1);
  if (last === undefined) return false;
  if (!glob.replace(/\/+$/, "").includes("/")) wanted.unshift("**");
  if (!/[*?]/.test(last)) wanted.push("**");
  let reached = new Set([0]);
  const skipStars = (from: Set<number>) => {
    for (const index of from) if (wanted[index] === "**") from.add(index + 1);
    return from;
  };
  skipStars(reached);
  for (const segment of path) {
    const next = new Set<number>();
    for (const index of reached) {
      const pattern = wanted[index];
      if (pattern === "**") next.add(index);
      else if (pattern !== undefined && matchSegment(segment, pattern)) next.add(index + 1);
    }
    reached = skipStars(next);
  }
  return reached.has(wanted.length);
}
