import type { StatedClaim, StopFacts } from "../contract/stop.ts";
import type { Stop } from "../harness/claude-events.ts";
import { FileError, waitForFile } from "../io/files.ts";
import { readLinesBackwards } from "../io/tail.ts";
import { findClaims } from "../transcript/claims.ts";
import { hasSignal, hasWork } from "../transcript/proof.ts";
import { redact } from "../secrets/scan.ts";
import { readWindow, type Window } from "../transcript/window.ts";
import { cut } from "./answer.ts";
import { EVIDENCE_FOLDERS, lookUpCitations } from "./citations.ts";

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

/**
 * What the rules look at; undefined where nothing can be known of the turn. Throws FileError.
 *
 * @param said The claims of the event's message, where it has one.
 * @param folders The names of folders that are evidence.
 */
export function gather(
  stop: Stop,
  said: readonly StatedClaim[] | undefined,
  folders: readonly string[] = EVIDENCE_FOLDERS,
): StopFacts | undefined {
  const window = readTurn(stop);
  if (!window) return undefined;
  const claims = (said ?? findClaims(window.texts.at(-1) ?? "")).map(({ marker, sentence }) => ({
    marker,
    // Redacted first: the first half of a secret is not known as one.
    sentence: cut(redact(cut(sentence, 100 * SENTENCE_LIMIT)), SENTENCE_LIMIT),
  }));
  const markers = claims.map(({ marker }) => marker);
  const worked = hasWork(window, markers);
  if (claims.length === 0 || !worked) return { claims, worked, citations: [], signalled: false };
  // The final message first: only so many citations are looked up.
  const texts = [...stop.message === undefined ? [] : [stop.message], ...window.texts.toReversed()];
  return {
    claims,
    worked,
    citations: lookUpCitations(texts, stop.cwd, folders),
    signalled: hasSignal(window, markers),
  };
}
