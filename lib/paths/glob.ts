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

/**
 * Whether a glob covers the segments of a relative path: `*` and `?` stay within a segment, `**` is any number of
 * segments. A glob without `/` covers the name at any depth. There are no other wildcards. The time is bounded by
 * the product of the lengths, whoever wrote the glob.
 */
export function matchGlob(path: readonly string[], glob: string): boolean {
  const wanted = glob.replace(/^\.?\/+/, "").split("/").filter((segment) => segment !== "");
  if (wanted.length === 0) return false;
  if (!glob.includes("/")) wanted.unshift("**");
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
