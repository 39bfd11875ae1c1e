import type { Gate } from "../lib/contract/gate.ts";
import { approval, digest, evidence, passed, present } from "../lib/evidence/conditions.ts";
import { runGate } from "../lib/run/gate.ts";

/** Stands before a deployment. */
export const deployment: Gate = {
  kind: "gate",
  name: "deployment",
  summary: "the release is named by digest and environment, approved and passed",
  declarations: [
    evidence("OAIES_RELEASE_MANIFEST", digest("digest"), present("environment")),
    approval("deployment"),
    evidence("OAIES_RELEASE_EVIDENCE", passed),
  ],
};

if (import.meta.main) runGate(deployment);
