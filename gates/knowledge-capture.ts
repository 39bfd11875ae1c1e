import type { Gate } from "../lib/contract/gate.ts";
import { evidence, present } from "../lib/evidence/conditions.ts";
import { runGate } from "../lib/run/gate.ts";

/** Stands before knowledge is kept. */
export const knowledgeCapture: Gate = {
  kind: "gate",
  name: "knowledge-capture",
  summary: "the knowledge has an owner, a source and a retention",
  declarations: [evidence("OAIES_KNOWLEDGE_FILE", present("owner"), present("source"), present("retention"))],
};

if (import.meta.main) runGate(knowledgeCapture);
