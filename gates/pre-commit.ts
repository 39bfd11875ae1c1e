import type { Gate } from "../lib/contract/gate.ts";
import { evidence, passed } from "../lib/evidence/conditions.ts";
import { runGate } from "../lib/run/gate.ts";

/** Stands before a commit. */
export const preCommit: Gate = {
  kind: "gate",
  name: "pre-commit",
  summary: "tests and the secret scan passed, and no private key is staged",
  declarations: [evidence("OAIES_TEST_EVIDENCE", passed), evidence("OAIES_SECRET_SCAN_EVIDENCE", passed)],
  staged: true,
};

if (import.meta.main) runGate(preCommit);
