import type { Observer } from "../lib/contract/observer.ts";
import { runObserver } from "../lib/run/observer.ts";

/** Stands where an agent has loaded a file of instructions. */
export const instructionsLoaded: Observer = {
  kind: "observer",
  name: "instructions-loaded",
  summary: "keeps a log of the instruction files that an agent has loaded",
  file: "proofpunk-loads.jsonl",
  line: ({ filePath, loadReason, cwd }, time) => ({ ts: time, filePath, loadReason, cwd }),
};

if (import.meta.main) runObserver(instructionsLoaded);
