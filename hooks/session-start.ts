import type { Observer } from "../lib/contract/observer.ts";
import { getSection } from "../lib/install/section.ts";
import { runObserver } from "../lib/run/observer.ts";

/** Whether a memory file has the section of an installed project, with something in it. */
function hasSection(text: string): boolean {
  try {
    return /[A-Za-z]/.test(getSection(text)?.replace(/<!--.*?-->/g, "") ?? "");
  } catch {
    // Markers that do not pair are no section.
    return false;
  }
}

/** What an agent is told at the start of a session, at most 1,200 characters. */
const DOCTRINE = `This project takes work as done when the running system has shown it, not when it is said.

- Before you say done, complete, finished, shipped, works now or that all tests pass: do what the user would do, with \
the real program, and look at what comes back. Code that compiles, a mock and a reading of the source prove nothing.
- Keep what it gave (output, response, screenshot) in a folder of its own for this run under evidence/ or \
e2e-evidence/, made after the last change, and cite the file by its path in your final message.
- What you did not run you call UNVERIFIED, and say what was not run and why. That is an honest end; a claim without \
proof is sent back.
- No key, token or password goes into evidence: put *** in its place.
- A refusal by a hook says how to satisfy it. Do that, or tell the user what stands in the way. Do not look for a way \
round the check, weaken it or switch it off.`;

/** Stands at the start of a session. */
export const sessionStart: Observer = {
  kind: "observer",
  name: "session-start",
  summary: "tells the agent what counts as proof, where the project's memory does not",
  says: (memory) => memory.some(hasSection) ? undefined : DOCTRINE,
};

if (import.meta.main) runObserver(sessionStart);
