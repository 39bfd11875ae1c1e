import type { Facts, Target } from "../../../lib/contract/hook.ts";

/** Facts of a call that touches nothing, with what a test changes of them. */
export function facts(changes: Partial<Facts> = {}): Facts {
  return {
    platform: "linux",
    root: { path: "/repo" },
    writable: [],
    targets: [],
    texts: [],
    documents: [],
    guarded: { places: [], aliases: [], editable: [] },
    accepted: [],
    evidence: [],
    ...changes,
  };
}

/** A target that leads to these places. */
export function target(readings: readonly string[], changes: Partial<Target> = {}): Target {
  return {
    field: "file_path",
    written: "a",
    readings,
    names: [],
    asText: "a",
    isExecutable: false,
    ...changes,
  };
}
