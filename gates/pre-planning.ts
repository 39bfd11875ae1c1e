import type { Gate } from "../lib/contract/gate.ts";
import { textFile } from "../lib/evidence/conditions.ts";
import { runGate } from "../lib/run/gate.ts";

/** Stands before planning. */
export const prePlanning: Gate = {
  kind: "gate",
  name: "pre-planning",
  summary: "requirements are written down",
  declarations: [textFile("OAIES_REQUIREMENTS_FILE")],
};

if (import.meta.main) runGate(prePlanning);
