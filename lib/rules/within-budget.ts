import type { Budget, Facts, Objection, Rule } from "../contract/hook.ts";

/**
 * What an estimate is expected to cost: debiased by how earlier estimates turned out, `actual / estimated`, in the
 * unit of the estimate. Without a calibration it is the estimate.
 */
export function charged(estimate: number, calibration?: { estimated: number; actual: number }): number {
  return calibration ? estimate * (calibration.actual / calibration.estimated) : estimate;
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

const DECLARE = "Declare limit, spent and estimate, and let the session keep its transcript.";

function judge(budget: Budget): Objection[] {
  const unclear = (reason: string) => [{ reason, satisfy: DECLARE }];
  if (budget.problem !== undefined) return unclear(budget.problem);
  const { limit, spent, estimate, calibration } = budget;
  const amounts: Record<string, unknown> = { limit, spent, estimate };
  if (calibration) {
    amounts["calibration.estimated"] = calibration.estimated;
    amounts["calibration.actual"] = calibration.actual;
  }
  const bad = Object.entries(amounts).filter(([, value]) => !isAmount(value)).map(([name]) => name);
  if (!isAmount(limit) || !isAmount(spent) || !isAmount(estimate) || bad.length > 0) {
    return unclear(`cannot be judged: ${bad.join(", ")} must be a finite number, zero or above`);
  }
  const cost = charged(estimate, calibration as { estimated: number; actual: number } | undefined);
  if (!isAmount(cost) || (cost === 0 && estimate > 0)) {
    return unclear("cannot be judged: the calibration gives no cost, or none that is finite");
  }
  if (spent + cost > limit) return [`spent ${spent} + charged ${cost} is over the limit of ${limit}`];
  return [];
}

/** What was spent and what this call is expected to cost stay within the declared limit. */
export const withinBudget: Rule<Facts> = {
  id: "within-budget",
  refuses: "a call that would bring what was spent over the declared limit",
  satisfy: "Stop here and report what is done, or ask for a higher limit.",
  check: ({ budget }) => budget ? judge(budget) : [],
};
