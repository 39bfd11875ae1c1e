import type { Call } from "../contract/call.ts";
import type { Budget } from "../contract/hook.ts";
import { FileError, listFiles, readLines, waitForFile } from "../io/files.ts";
import { sumUsage } from "../transcript/usage.ts";

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The budget that the call declares, or else the configured limit against what the session has spent. */
export function findBudget({ spending }: Call, limit: number | undefined): Budget | undefined {
  if (!spending) return undefined;
  const unknown = (problem: string) => ({ limit, spent: undefined, estimate: undefined, problem });
  if ("budget" in spending) {
    const { budget } = spending;
    if (!isObject(budget)) return unknown("cannot be judged: budget is no object");
    const { limit, spent, estimate, calibration } = budget;
    if (calibration === undefined) return { limit, spent, estimate };
    if (!isObject(calibration)) return unknown("cannot be judged: calibration is no object");
    const { estimated, actual } = calibration;
    return { limit, spent, estimate, calibration: { estimated, actual } };
  }
  if (limit === undefined) return undefined;
  if (spending.transcript === undefined) {
    return unknown("what was spent cannot be told: the event names no transcript");
  }
  try {
    return { limit, spent: sumUsage(readSession(spending.transcript)), estimate: 0 };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return unknown(`what was spent cannot be told: the transcript ${error.message}`);
  }
}

/** How long a transcript is waited for, in milliseconds. */
const TRANSCRIPT_WAIT = 2_000;

/**
 * The lines of a session's transcript and of those of its subagents, which lie in a folder of its name. A client
 * writes them with some delay, so that the first call of a session can come before there is any (measured). Throws
 * FileError.
 */
function* readSession(transcript: string): Generator<string> {
  waitForFile(transcript, TRANSCRIPT_WAIT);
  yield* readLines(transcript);
  const folder = `${transcript.replace(/\.jsonl$/, "")}/subagents`;
  for (const path of listFiles(folder)) {
    if (path.endsWith(".jsonl")) yield* readLines(path);
  }
}
