import type { Gate } from "../lib/contract/gate.ts";
import { evidence, passed, present } from "../lib/evidence/conditions.ts";
import { runGate } from "../lib/run/gate.ts";

/** Stands after code was written. */
export const postCode: Gate = {
  kind: "gate",
  name: "post-code",
  summary: "the verifier passed and names its artifact",
  declarations: [evidence("OAIES_VERIFY_EVIDENCE", passed, present("artifact"))],
};

if (import.meta.main) runGate(postCode);
