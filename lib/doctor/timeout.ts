/** Whether the client waits long enough for a hook. */
import { DEADLINE } from "../io/clock.ts";
import type { Finding } from "./finding.ts";
import type { OurEntry } from "./ours.ts";
import type { Tried } from "./try.ts";

/** The least that a guard needs to refuse by itself before the client gives up, in seconds: its deadline and its start. */
const LEAST = DEADLINE / 1000 + 1;

/** How much slower than just now a hook may be at any time. */
const SPREAD = 3;

/** What is wrong with the time that the client gives an entry, beside what it took when it was tried out. */
export function checkTimeout({ handler, hook, place }: OurEntry, tried: Tried): Finding[] {
  const { timeout } = handler;
  if (!hook || timeout === undefined || timeout >= LEAST) return [];
  const took = Math.max(...[tried.harmless, tried.mustRefuse].map((ran) => ran?.ms ?? 0));
  const tooShort = took * SPREAD > timeout * 1000;
  if (hook.kind !== "guard" && !tooShort) return [];
  // A line for sh is killed with what it starts, so that its own refusal does not count here.
  const closed = hook.kind !== "guard" || handler.onFailure === "block";
  const late = hook.kind !== "guard"
    ? "it does nothing"
    : closed
    ? "the client refuses the call"
    : "the tool runs unjudged";
  return [{
    level: tooShort && !closed ? "error" : "warning",
    id: "timeout",
    message: `The client gives ${hook.name} on ${handler.event} ${timeout} s` +
      (tooShort ? `, and it took ${Math.round(took)} ms` : "") + `: where it takes longer, ${late}.`,
    fix: `Let "timeout" be ${LEAST} or more; \`nonzero list --hooks-json --settings\` prints 10.`,
    file: place.file,
  }];
}
