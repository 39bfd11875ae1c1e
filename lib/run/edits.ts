import type { Edit } from "../contract/call.ts";

const unix = (text: string) => text.replaceAll("\r\n", "\n");

/**
 * The text after the edits, one after the other; line ends become LF, since agents match them so. Undefined where
 * an edit does not apply: what it takes out is not there, or it takes out nothing in a file that has text.
 */
export function applyEdits(before: string, edits: readonly Edit[]): string | undefined {
  let text = unix(before);
  for (const edit of edits) {
    const old = unix(edit.old);
    const fresh = unix(edit.new);
    if (old === "") {
      if (text !== "") return undefined;
      text = fresh;
      continue;
    }
    const at = text.indexOf(old);
    if (at < 0) return undefined;
    text = edit.all
      ? text.replaceAll(old, () => fresh)
      : text.slice(0, at) + fresh + text.slice(at + old.length);
  }
  return text;
}
