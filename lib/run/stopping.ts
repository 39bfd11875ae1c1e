import type { StopFacts, StopHook } from "../contract/stop.ts";
import { block, readStop, type Stop } from "../harness/claude-events.ts";
import { FileError, waitForFile } from "../io/files.ts";
import { writeWhole } from "../io/output.ts";
import { commandLine, exitWith } from "../io/system.ts";
import { readLinesBackwards } from "../io/tail.ts";
import { findClaims } from "../transcript/claims.ts";
import { hasSignal, hasWork } from "../transcript/proof.ts";
import { readWindow, type Window } from "../transcript/window.ts";
import { cut, printable } from "./answer.ts";
import { lookUpCitations } from "./citations.ts";
import { readEvent } from "./event.ts";
import { describeHook, parseOptions } from "./options.ts";

/** How far back a transcript is read, and the longest line of it that is parsed, in bytes. */
const LIMITS = { bytes: 16 * 1024 * 1024, line: 1024 * 1024 };

/** How long the transcript of a session that has just begun is waited for, in milliseconds. */
const WAIT = 500;

/** The most of a claim that is told, in characters. */
const SENTENCE_LIMIT = 300;

/** What is known of a turn whose transcript the event does not name: nothing speaks for it, nor against it. */
const UNKNOWN: Window = { texts: [], uses: [], whole: false };

/** The window of the turn's transcript; undefined where it tells nothing. Throws FileError. */
export function readTurn({ transcript, isSubagent }: Stop): Window | undefined {
  if (transcript === undefined) return UNKNOWN;
  waitForFile(transcript, WAIT);
  try {
    const window = readWindow(readLinesBackwards(transcript, LIMITS), isSubagent);
    return window.whole || window.texts.length > 0 || window.uses.length > 0 ? window : undefined;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (error.missing) return undefined;
    throw new FileError(`the transcript ${transcript} ${error.message}`);
  }
}

/** What the rules look at; undefined where nothing is claimed, or nothing can be known of the turn. */
export function gather(stop: Stop): StopFacts | undefined {
  const said = stop.message === undefined ? undefined : findClaims(stop.message);
  // The transcript is what takes time, and most messages claim nothing.
  if (said?.length === 0) return undefined;
  const window = readTurn(stop);
  if (!window) return undefined;
  const claims = (said ?? findClaims(window.texts.at(-1) ?? "")).map(({ marker, sentence }) => ({
    marker,
    sentence: cut(sentence, SENTENCE_LIMIT),
  }));
  const worked = hasWork(window);
  if (claims.length === 0 || !worked) return { claims, worked, citations: [], signalled: false };
  // The final message first: only so many citations are looked up.
  const texts = [...stop.message === undefined ? [] : [stop.message], ...window.texts.toReversed()];
  return {
    claims,
    worked,
    citations: lookUpCitations(texts, stop.cwd),
    signalled: hasSignal(window, claims.map(({ marker }) => marker)),
  };
}

/** The answer to an event: empty, or what sends the agent back. */
function judge(hook: StopHook): string {
  const stop = readStop(readEvent());
  // Without the first it could ask for ever; with the second the work goes on anyhow.
  if (stop.active || stop.waits) return "";
  if (stop.transcript === undefined && stop.message === undefined) return "";
  const facts = gather(stop);
  if (!facts) return "";
  const lines = hook.rules.flatMap((rule) => {
    const objections = rule.check(facts).map((objection) =>
      typeof objection === "string" ? { reason: objection } : objection
    );
    return objections.flatMap(({ reason, satisfy = rule.satisfy }) => [
      `${hook.name}: ${reason}`,
      satisfy,
    ]);
  });
  return lines.length === 0 ? "" : block(cut([...new Set(lines)].map(printable).join("\n")));
}

const NOTES =
  `A block is JSON on standard output, with exit code 0. The hook's own trouble, such as an event that it
cannot read, is exit code 1 and a message, which keeps no agent from stopping.
`;

function answer(hook: StopHook, args: readonly string[]): string {
  const { help, version } = parseOptions(args);
  return help || version ? describeHook(hook, help, NOTES) : judge(hook);
}

/** Runs a stop hook as a program: one event on standard input. Its own trouble is exit code 1. */
export function runStopHook(hook: StopHook, args: readonly string[] = commandLine()): void {
  exitWith(1);
  let stdout = "";
  let trouble = "";
  try {
    stdout = answer(hook, args);
  } catch (error) {
    trouble = `${hook.name}: ${printable(error instanceof Error ? error.message : "unknown error")}\n`;
  }
  try {
    writeWhole(2, trouble);
    writeWhole(1, stdout);
    if (trouble === "") exitWith(0);
  } catch {
    // Nobody can be told; the exit code says it.
  }
}
