import { structuredPatch } from "diff";
import { decode } from "./bytes.ts";
import type { Change } from "./record.ts";

/** How many lines around a change are shown. */
const CONTEXT = 3;

function header({ path, before, after }: Change, safe: (text: string) => string): string[] {
  return [
    before === undefined ? "--- /dev/null" : `--- a/${safe(path)}`,
    after === undefined ? "+++ /dev/null" : `+++ b/${safe(path)}`,
  ];
}

/** A range of a hunk, as `diff -u` writes it: one of no lines names the line before it. */
function range(start: number, lines: number): string {
  return lines === 1 ? `${start}` : `${lines === 0 ? start - 1 : start},${lines}`;
}

/**
 * The changes as a unified diff, with the texts as far as they are UTF-8.
 *
 * @param safe Makes one line of a text, safe to print.
 */
export function diffOf(changes: readonly Change[], safe: (text: string) => string): string {
  const lines = changes.filter(({ before, after }) => before !== after).flatMap((change) => {
    const { hunks } = structuredPatch(
      "",
      "",
      decode(change.before ?? ""),
      decode(change.after ?? ""),
      undefined,
      undefined,
      { context: CONTEXT },
    );
    return [
      ...header(change, safe),
      ...hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
        `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
        ...lines.map((line) =>
          line.slice(0, 1) + line.slice(1).replace(/\r$/, "").split("\t").map(safe).join("\t")
        ),
      ]),
    ];
  });
  return lines.map((line) => `${line}\n`).join("");
}
