import type { Gate } from "../lib/contract/gate.ts";
import { approval, textFile } from "../lib/evidence/conditions.ts";
import { runGate } from "../lib/run/gate.ts";

/** Stands before code is written. */
export const preCode: Gate = {
  kind: "gate",
  name: "pre-code",
  summary: "there is a plan, and an approval to write in the workspace",
  declarations: [textFile("OAIES_PLAN_FILE"), approval("workspace-write")],
};

if (import.meta.main) runGate(preCode);
