import type { Gate } from "../lib/contract/gate.ts";
import { effect, evidence, present } from "../lib/evidence/conditions.ts";
import { runGate } from "../lib/run/gate.ts";

/** Stands after a tool was called. */
export const postToolCall: Gate = {
  kind: "gate",
  name: "post-tool-call",
  summary: "the result tells status, effect and target",
  declarations: [evidence("OAIES_TOOL_RESULT_FILE", present("status"), effect("effect"), present("target"))],
};

if (import.meta.main) runGate(postToolCall);
