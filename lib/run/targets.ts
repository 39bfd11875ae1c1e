import type { Call } from "../contract/call.ts";
import type { Target } from "../contract/hook.ts";
import { isSameFile } from "../io/disk.ts";
import { executable } from "../io/system.ts";
import { type Place, resolve } from "../paths/resolve.ts";
import type { redirections } from "../paths/shell.ts";
import { disk } from "./roots.ts";

/** More files than an honest call names; each takes several looks at the disk. */
const TARGETS_LIMIT = 1_000;

/** What the call names as written, the redirections of its commands included. */
function* nameTargets(
  call: Call,
  place: Place,
  find: typeof redirections | undefined,
): Generator<{ field: string; path: string; isPattern: boolean }> {
  for (const { field, path } of call.destinations) yield { field, path, isPattern: false };
  for (const { field, text, shell } of call.commands) {
    for (const { path, isPattern, unlessFolder } of find?.(text, shell, place.platform) ?? []) {
      if (unlessFolder !== undefined && isFolder(unlessFolder, place)) continue;
      yield { field, path, isPattern };
    }
  }
}

function isFolder(path: string, place: Place): boolean {
  const found = resolve(path, place);
  return "readings" in found && found.readings.every((reading) => disk.kind(reading) === "folder");
}

/** A path as text, after the folder that it is relative to, on whatever system it is absolute. */
function asText(written: string, cwd: string): string {
  return cwd === "" || /^(?:[\\/~]|[A-Za-z]:)/.test(written) ? written : `${cwd}/${written}`;
}

/** Resolves all that the call names as written. */
export async function findTargets(call: Call, place: Place): Promise<Target[]> {
  const program = executable();
  // What takes command lines apart is large, and nothing to a call that has none.
  const find = call.commands.length > 0 ? (await import("../paths/shell.ts")).redirections : undefined;
  const targets: Target[] = [];
  for (const { field, path, isPattern } of nameTargets(call, place, find)) {
    const known = { field, written: path, asText: asText(path, place.cwd) };
    const found = targets.length >= TARGETS_LIMIT
      ? { problem: `is one of more than ${TARGETS_LIMIT} files that the call names` }
      : isPattern
      ? { problem: "is a pattern, which can stand for any name" }
      : resolve(path, place);
    if ("problem" in found) {
      targets.push({ ...known, readings: [], names: [], problem: found.problem, isExecutable: false });
      continue;
    }
    const { readings, textual, names } = found;
    const isExecutable = readings.some((reading) => isSameFile(reading, program));
    targets.push({ ...known, readings, names: [textual, ...names], isExecutable });
  }
  return targets;
}
