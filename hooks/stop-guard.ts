import type { StopHook } from "../lib/contract/stop.ts";
import { claimsAreProven } from "../lib/rules/claims-are-proven.ts";
import { runStopHook } from "../lib/run/stop.ts";

/** Stands before the end of an agent's turn. */
export const stopGuard: StopHook = {
  kind: "stop",
  name: "stop-guard",
  summary: "sends an agent back that claims to be done and shows no proof",
  rules: [claimsAreProven],
};

if (import.meta.main) runStopHook(stopGuard);
