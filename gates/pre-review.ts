import type { Gate } from "../lib/contract/gate.ts";
import { evidence, passed } from "../lib/evidence/conditions.ts";
import { runGate } from "../lib/run/gate.ts";

/** Stands before a review. */
export const preReview: Gate = {
  kind: "gate",
  name: "pre-review",
  summary: "format and lint passed",
  declarations: [evidence("OAIES_FORMAT_EVIDENCE", passed), evidence("OAIES_LINT_EVIDENCE", passed)],
};

if (import.meta.main) runGate(preReview);
