import { budgetGuard } from "./gates/budget-guard.ts";
import { deployment } from "./gates/deployment.ts";
import { knowledgeCapture } from "./gates/knowledge-capture.ts";
import { postCode } from "./gates/post-code.ts";
import { postDeployment } from "./gates/post-deployment.ts";
import { postToolCall } from "./gates/post-tool-call.ts";
import { preCode } from "./gates/pre-code.ts";
import { preCommit } from "./gates/pre-commit.ts";
import { preDelegation } from "./gates/pre-delegation.ts";
import { prePlanning } from "./gates/pre-planning.ts";
import { preReview } from "./gates/pre-review.ts";
import { preToolCall } from "./gates/pre-tool-call.ts";
import { evidenceGuard } from "./hooks/evidence-guard.ts";
import { instructionsLoaded } from "./hooks/instructions-loaded.ts";
import { preToolUse } from "./hooks/pre-tool-use.ts";
import { sessionStart } from "./hooks/session-start.ts";
import { stopGuard } from "./hooks/stop-guard.ts";
import { GIT_VARIABLES } from "./lib/contract/git.ts";
import { runProgram } from "./lib/cli/main.ts";
import type { Entry, Hook, Permissions } from "./lib/contract/entry.ts";
import type { Gate } from "./lib/contract/gate.ts";

/** What an entry may do more than the others of its kind. */
type More = Permissions & { readonly env?: readonly string[] };

/** A gate's row: it may read files, what its own declarations name, and whether GitHub Actions runs it. */
function gate(unit: Gate, more: More = {}): Entry {
  const env = [...unit.declarations.map(({ variable }) => variable), "GITHUB_ACTIONS", ...more.env ?? []];
  return { folder: "gates", unit, permissions: { ...more, read: true, env } };
}

/** A hook's row: it may read files, and the variables that say where the user's own lie. */
function hook(unit: Hook, more: More = {}): Entry {
  const env = ["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA", ...more.env ?? []];
  return { folder: "hooks", unit, permissions: { ...more, read: true, env, sys: ["uid"] } };
}

/** Every hook and gate, and what each may do. Help, the build and the tests follow from this. */
export const registry: readonly Entry[] = [
  hook(preToolUse),
  hook(evidenceGuard),
  hook(stopGuard),
  hook(sessionStart),
  hook(instructionsLoaded, { env: ["CLAUDE_CONFIG_DIR"], write: true }),
  gate(prePlanning),
  gate(preCode),
  gate(postCode),
  // Deno's node:child_process reads the last one whatever it is told.
  gate(preCommit, { run: ["git"], env: [...GIT_VARIABLES, "NODE_V8_COVERAGE"] }),
  gate(preReview),
  gate(deployment),
  gate(knowledgeCapture),
  gate(preToolCall),
  gate(postToolCall),
  gate(preDelegation),
  gate(postDeployment),
  gate(budgetGuard),
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

if (import.meta.main) runProgram(registry);
