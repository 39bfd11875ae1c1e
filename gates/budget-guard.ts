import type { Gate } from "../lib/contract/gate.ts";
import { anyWord, positiveWord } from "../lib/evidence/conditions.ts";
import { runGate } from "../lib/run/gate.ts";

/** Stands where a budget is spent. */
export const budgetGuard: Gate = {
  kind: "gate",
  name: "budget-guard",
  summary: "a budget is named and something of it is left",
  declarations: [anyWord("OAIES_BUDGET_PROFILE"), positiveWord("OAIES_BUDGET_REMAINING")],
};

if (import.meta.main) runGate(budgetGuard);
