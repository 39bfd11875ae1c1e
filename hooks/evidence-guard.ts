import type { Guard } from "../lib/contract/hook.ts";
import { noSecretsInEvidence } from "../lib/rules/no-secrets-in-evidence.ts";
import { runGuard } from "../lib/run/guard.ts";

/** Stands before every tool call that writes, for evidence alone. */
export const evidenceGuard: Guard = {
  kind: "guard",
  name: "evidence-guard",
  summary: "refuses a tool call that writes a secret into evidence",
  rules: [noSecretsInEvidence],
};

if (import.meta.main) runGuard(evidenceGuard);
