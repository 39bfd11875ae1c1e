import { GIT_VARIABLES } from "./lib/contract/git.ts";
import { runProgram } from "./lib/cli/main.ts";
import type { EntryPermissions, Hook, Permissions, Row } from "./lib/contract/entry.ts";
import type { Gate } from "./lib/contract/gate.ts";

/** A hook's row: it may read files, and the variables that say where the user's own lie. */
function hook(
  name: string,
  kind: Hook["kind"],
  load: () => Promise<Hook>,
  more: EntryPermissions = {},
): Row {
  const env = ["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA", ...more.env ?? []];
  return { folder: "hooks", name, kind, load, permissions: { ...more, read: true, env, sys: ["uid"] } };
}

function gate(name: string, load: () => Promise<Gate>, permissions: EntryPermissions = {}): Row {
  return { folder: "gates", name, kind: "gate", load, permissions };
}

/** Every hook and gate, and what each may do. Help, the build and the tests follow from this. */
export const rows: readonly Row[] = [
  hook("pre-tool-use", "guard", async () => (await import("./hooks/pre-tool-use.ts")).preToolUse),
  hook("evidence-guard", "guard", async () => (await import("./hooks/evidence-guard.ts")).evidenceGuard),
  hook("stop-guard", "stop", async () => (await import("./hooks/stop-guard.ts")).stopGuard),
  hook("session-start", "observer", async () => (await import("./hooks/session-start.ts")).sessionStart),
  hook(
    "instructions-loaded",
    "observer",
    async () => (await import("./hooks/instructions-loaded.ts")).instructionsLoaded,
    { env: ["CLAUDE_CONFIG_DIR"], write: true },
  ),
  gate("pre-planning", async () => (await import("./gates/pre-planning.ts")).prePlanning),
  gate("pre-code", async () => (await import("./gates/pre-code.ts")).preCode),
  gate("post-code", async () => (await import("./gates/post-code.ts")).postCode),
  // Deno's node:child_process reads the last one whatever it is told.
  gate("pre-commit", async () => (await import("./gates/pre-commit.ts")).preCommit, {
    run: ["git"],
    env: [...GIT_VARIABLES, "NODE_V8_COVERAGE"],
  }),
  gate("pre-review", async () => (await import("./gates/pre-review.ts")).preReview),
  gate("deployment", async () => (await import("./gates/deployment.ts")).deployment),
  gate("knowledge-capture", async () => (await import("./gates/knowledge-capture.ts")).knowledgeCapture),
  gate("pre-tool-call", async () => (await import("./gates/pre-tool-call.ts")).preToolCall),
  gate("post-tool-call", async () => (await import("./gates/post-tool-call.ts")).postToolCall),
  gate("pre-delegation", async () => (await import("./gates/pre-delegation.ts")).preDelegation),
  gate("post-deployment", async () => (await import("./gates/post-deployment.ts")).postDeployment),
  gate("budget-guard", async () => (await import("./gates/budget-guard.ts")).budgetGuard),
];

/** What the program's own commands may do beside what its hooks and gates may. */
export const commandPermissions: Permissions = {
  read: true,
  write: true,
  // doctor runs what is wired, in the environment that it has from the client.
  env: true,
  run: true,
  sys: ["uid"],
};

if (import.meta.main) runProgram(rows);
