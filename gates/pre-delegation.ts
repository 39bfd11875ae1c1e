import type { Gate } from "../lib/contract/gate.ts";
import { evidence, positive, present } from "../lib/evidence/conditions.ts";
import { runGate } from "../lib/run/gate.ts";

/** Stands before work is delegated. */
export const preDelegation: Gate = {
  kind: "gate",
  name: "pre-delegation",
  summary: "the delegation has a principal, a scope, a budget and depth left",
  declarations: [
    evidence(
      "OAIES_DELEGATION_FILE",
      present("principal"),
      present("scope"),
      present("budget_profile"),
      positive("remaining_depth"),
    ),
  ],
};

if (import.meta.main) runGate(preDelegation);
