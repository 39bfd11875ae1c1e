import type { Edit } from "../contract/call.ts";

/** No file that is judged grows beyond this by its edits, in UTF-16 units. */
const GROWTH_LIMIT = 32 * 1024 * 1024;

const unix = (text: string) => text.replaceAll("\r\n", "\n");

/** The text with curly quotes as plain ones, place for place: what an agent writes may have either. */
const plainQuotes = (text: string) => text.replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"');

/** What an edit takes out, as it stands in the text; undefined where it does not. */
function findOld(text: string, old: string): string | undefined {
  if (text.includes(old)) return old;
  const at = plainQuotes(text).indexOf(plainQuotes(old));
  return at < 0 ? undefined : text.slice(at, at + old.length);
}

/** Whether a text stays within the bound when `old` becomes `fresh` in all its places. */
function staysSmall(text: string, old: string, fresh: string): boolean {
  let room = GROWTH_LIMIT - text.length;
  for (let at = text.indexOf(old); at >= 0 && room >= 0; at = text.indexOf(old, at + old.length)) {
    room -= fresh.length - old.length;
  }
  return room >= 0;
}

function applyOne(text: string, edit: Edit, takesLineEnd: boolean): string | undefined {
  const fresh = unix(edit.new);
  if (edit.old === "") return text.trim() === "" ? fresh : undefined;
  const found = findOld(text, unix(edit.old));
  if (found === undefined) return undefined;
  const withEnd = takesLineEnd && fresh === "" && !found.endsWith("\n") && text.includes(`${found}\n`);
  const old = withEnd ? `${found}\n` : found;
  if (edit.all) return staysSmall(text, old, fresh) ? text.replaceAll(old, () => fresh) : undefined;
  const at = text.indexOf(old);
  return text.slice(0, at) + fresh + text.slice(at + old.length);
}

/**
 * The texts that a file may have after the edits, one after the other; line ends become LF, since agents match them
 * so. More than one, as a client that takes out a piece of a line may take its line end, too (measured: Claude Code
 * does). None where an edit does not apply: what it takes out is not there even with other quotes, it takes out
 * nothing in a file that has text, or the file would grow beyond all bounds.
 */
export function applyEdits(before: string, edits: readonly Edit[]): readonly string[] {
  const apply = (takesLineEnd: boolean) => {
    let text: string | undefined = unix(before);
    for (const edit of edits) {
      if (text !== undefined) text = applyOne(text, edit, takesLineEnd);
    }
    return text;
  };
  return [...new Set([apply(false), apply(true)])].filter((text) => text !== undefined);
}
