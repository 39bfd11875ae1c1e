import type { Guard } from "../lib/contract/hook.ts";
import { guardUntouched } from "../lib/rules/guard-untouched.ts";
import { noMoreSecretsInEvidence } from "../lib/rules/no-secrets-in-evidence.ts";
import { noSecretsWritten } from "../lib/rules/no-secrets-written.ts";
import { stayInsideWorktree } from "../lib/rules/stay-inside-worktree.ts";
import { unreadFields } from "../lib/rules/unread-fields.ts";
import { withinBudget } from "../lib/rules/within-budget.ts";
import { runGuard } from "../lib/run/guard.ts";

/** Stands before every tool call that writes. */
export const preToolUse: Guard = {
  kind: "guard",
  name: "pre-tool-use",
  summary: "refuses a tool call that writes what or where it must not",
  rules: [
    stayInsideWorktree,
    unreadFields,
    noSecretsWritten,
    withinBudget,
    guardUntouched,
    noMoreSecretsInEvidence,
  ],
};

if (import.meta.main) runGuard(preToolUse);
