/** Explains what a stop hook makes of the end of a turn. */
import type { StopFacts, StopHook } from "../contract/stop.ts";
import { evaluate } from "../contract/hook.ts";
import { readStop, type Stop } from "../harness/claude-events.ts";
import { FileError } from "../io/files.ts";
import { lookUpCitations } from "../run/citations.ts";
import { evidenceFolders } from "../run/evidence-folders.ts";
import { gather, readTurn } from "../run/turn.ts";
import { findClaims } from "../transcript/claims.ts";
import { hasSignal, hasWork } from "../transcript/proof.ts";
import type { Explanation, RuleExplanation } from "./explanation.ts";

type Event = Readonly<Record<string, unknown>>;

/** Why the hook lets the turn end before it looks at anything. */
function silence({ active, waits, transcript, message }: Stop): string | undefined {
  if (active) return "The turn goes on already because a stop hook asked for it (stop_hook_active).";
  if (waits) return "Work goes on in the background (background_tasks).";
  if (transcript === undefined && message === undefined) {
    return "The event has no final message and names no transcript.";
  }
  return undefined;
}

function tellClaims(message: string): string[] {
  const claims = findClaims(message);
  if (claims.length === 0) return ["no claim that work is done"];
  return claims.map(({ marker, sentence }) => `claim "${marker}" in: ${sentence}`);
}

/** The window of the turn. Throws FileError, but where what is wrong makes no difference. */
function readWindow(stop: Stop, anyhow: boolean): ReturnType<typeof readTurn> {
  try {
    return readTurn(stop);
  } catch (error) {
    if (anyhow && error instanceof FileError) return undefined;
    throw error;
  }
}

async function tellTranscript(stop: Stop, message: string, anyhow: boolean): Promise<string[]> {
  const window = readWindow(stop, anyhow);
  if (!window) return ["the transcript is not there, or tells nothing of the turn"];
  const texts = [message, ...window.texts.toReversed()];
  const markers = findClaims(message).map(({ marker }) => marker);
  const citations = lookUpCitations(texts, stop.cwd, await evidenceFolders(stop.cwd));
  return [
    hasWork(window, markers)
      ? "work: something was done in the turn that can be proven"
      : "work: nothing was done that could be proven",
    ...citations.length === 0
      ? ["citations: no path under a folder of evidence"]
      : citations.map(({ path, exists }) => `citation ${path}: ${exists ? "exists" : "is missing or empty"}`),
    hasSignal(window, markers)
      ? "signals: a tool was given or returned what shows that it was tried out"
      : "signals: no tool was given or returned what shows that it was tried out",
  ];
}

function explainRule(
  rule: StopHook["rules"][number],
  facts: StopFacts,
  looked: readonly string[],
): RuleExplanation {
  const findings = evaluate([rule], facts);
  const refuses = findings.length > 0;
  return {
    rule: rule.id,
    decision: refuses ? "refuses" : "passes",
    looked,
    why: refuses ? findings.map(({ reason }) => reason) : [`It refuses ${rule.refuses}; here is none.`],
    fix: refuses ? [...new Set(findings.map(({ satisfy }) => satisfy ?? rule.satisfy))] : [],
  };
}

const NOTHING: StopFacts = { claims: [], worked: false, citations: [], signalled: false };

/** Explains what a stop hook makes of an event. */
export async function explainStop(hook: StopHook, event: Event): Promise<Explanation> {
  const stop = readStop(event);
  const base = { hook: hook.name, harness: "claude", configuration: [] };
  const quiet = silence(stop);
  if (quiet !== undefined) {
    return { ...base, decision: "says nothing", exit: 0, because: quiet, facts: [], rules: [] };
  }
  try {
    const message = stop.message ?? readTurn(stop)?.texts.at(-1) ?? "";
    const said = stop.message === undefined ? undefined : findClaims(stop.message);
    const looked = [...tellClaims(message), ...await tellTranscript(stop, message, said?.length === 0)];
    // Where nothing is claimed the hook does not read the transcript.
    const known = said?.length === 0 ? NOTHING : gather(stop, said, await evidenceFolders(stop.cwd));
    const unknown = known === undefined && findClaims(message).length > 0;
    const rules = hook.rules.map((rule) => explainRule(rule, known ?? NOTHING, looked));
    const blocks = rules.some(({ decision }) => decision === "refuses");
    return {
      ...base,
      decision: blocks ? "sends back" : "says nothing",
      exit: 0,
      because: unknown ? "The transcript tells nothing of the turn, so its claims are let be." : null,
      facts: [
        ["event", stop.isSubagent ? "the end of a subagent's turn" : "the end of a turn"],
        ["cwd", stop.cwd ?? "not given"],
        [
          "message",
          stop.message === undefined ? "the last text of the transcript" : "last_assistant_message",
        ],
        ["transcript", stop.transcript ?? "not given"],
      ],
      rules,
    };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { ...base, decision: "fails", exit: 1, because: error.message, facts: [], rules: [] };
  }
}
