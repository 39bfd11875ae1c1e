import type { Gate } from "../lib/contract/gate.ts";
import { digest, equals, evidence, present } from "../lib/evidence/conditions.ts";
import { runGate } from "../lib/run/gate.ts";

/** Stands after a deployment. */
export const postDeployment: Gate = {
  kind: "gate",
  name: "post-deployment",
  summary: "what is deployed is named by digest and environment, and healthy",
  declarations: [
    evidence("OAIES_HEALTH_EVIDENCE", digest("digest"), present("environment"), equals("status", "healthy")),
  ],
};

if (import.meta.main) runGate(postDeployment);
