import type { Rule } from "../contract/hook.ts";
import type { StopFacts } from "../contract/stop.ts";

/** The most cited paths that a reason names. */
const NAMED = 5;

/** A claim that work is done comes with proof of it. */
export const claimsAreProven: Rule<StopFacts> = {
  id: "claims-are-proven",
  refuses: "an end on a claim that work is done, without a proof of it in the same turn",
  satisfy:
    "Run the test that a user would run, against the real system, keep what it gave under evidence/ or e2e-evidence/ " +
    "and cite that file by its path. Where that cannot be done, say UNVERIFIED and what was not run.",
  check({ claims, worked, citations, signalled }) {
    const [claim] = claims;
    if (!claim || !worked || signalled || citations.some(({ exists }) => exists)) return [];
    const missing = citations.slice(0, NAMED).map(({ path }) => `"${path}"`).join(", ");
    const cited = missing === "" ? "" : `; cited, but missing or empty: ${missing}`;
    return [`"${claim.marker}" is claimed and nothing shows it: "${claim.sentence}"${cited}`];
  },
};
