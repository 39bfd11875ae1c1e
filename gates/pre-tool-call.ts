import type { Gate } from "../lib/contract/gate.ts";
import { approvalOf, effectWord } from "../lib/evidence/conditions.ts";
import { runGate } from "../lib/run/gate.ts";

/** Stands before a tool is called. */
export const preToolCall: Gate = {
  kind: "gate",
  name: "pre-tool-call",
  summary: "the effect is known, and approved where it is a high one",
  declarations: [effectWord("OAIES_TOOL_EFFECT"), approvalOf("OAIES_TOOL_EFFECT")],
};

if (import.meta.main) runGate(preToolCall);
