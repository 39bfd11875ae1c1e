import type { BoundGlob } from "../config/settle.ts";
import type { Call, Destination } from "../contract/call.ts";
import type { Document, Platform, Target } from "../contract/hook.ts";
import { FileError, readText } from "../io/files.ts";
import { relativeSegments } from "../paths/compare.ts";
import { matchGlob } from "../paths/glob.ts";
import { cannotHoldRecord } from "../rules/unread-fields.ts";
import { applyEdits } from "./edits.ts";

/** The largest file whose text after an edit is judged, in bytes. */
const DOCUMENT_LIMIT = 32 * 1024 * 1024;

/** Whether a file is one that must hold records and nothing else. */
function mustBeRecord(target: Target, records: readonly BoundGlob[], platform: Platform): boolean {
  // It tightens, so it does so for every spelling that such a file system takes for the same, and for every link.
  const fold = (text: string) => platform === "linux" ? text : text.toLowerCase();
  return [...target.readings, ...target.names].some((path) =>
    records.some(({ base, glob }) => {
      const relative = relativeSegments(path, base, platform)?.map(fold);
      return relative !== undefined && matchGlob(relative, fold(glob));
    })
  );
}

/** What a file may hold after the call; none where that is no text in which a record could be. */
function foresee({ path: name, change }: Destination, target: Target, strict: boolean): Document[] {
  const path = target.readings[0];
  if (path === undefined) return [];
  const unknown = (
    why: string,
  ): Document[] => [{ kind: "unknown", name, why: `${why}, so what it will hold cannot be told` }];
  const lines = /\.(?:jsonl|ndjson)$/i.test(path);
  const asText = (text: string): Document => ({ kind: "text", name, text, lines, strict });
  if ("content" in change) return [asText(change.content)];
  if (!("edits" in change)) return strict ? unknown("must be a record, and is not written as a whole") : [];
  let before = "";
  try {
    before = readText(path, DOCUMENT_LIMIT);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (!error.missing) return unknown(error.message);
  }
  const texts = applyEdits(before, change.edits);
  if (texts.length > 0) return texts.map(asText);
  // The client will not apply it either, unless it reads the file in a way of its own: then it had better be none.
  const pieces = [before, ...change.edits.map((edit) => edit.new)].join("");
  return strict || !cannotHoldRecord(pieces) ? unknown("the edit does not apply to the file") : [];
}

/** The files and payloads, as they will be after the call, in which records are looked for. */
export function findDocuments(
  call: Call,
  targets: readonly Target[],
  records: readonly BoundGlob[],
  platform: Platform,
): Document[] {
  const { payload } = call;
  const strict = targets.map((target) => mustBeRecord(target, records, platform));
  if (payload !== undefined) {
    const whole = strict[0] ?? false;
    return typeof payload === "string"
      ? [{ kind: "text", name: "payload", text: payload, lines: false, strict: whole }]
      : [{ kind: "value", name: "payload", value: payload, strict: whole }];
  }
  return targets.flatMap((target, index) =>
    foresee(
      call.destinations[index] ?? { field: target.field, path: target.written, change: {} },
      target,
      strict[index] ?? false,
    )
  );
}
