import { preToolUse } from "./hooks/pre-tool-use.ts";
import { runProgram } from "./lib/cli/main.ts";
import type { Entry } from "./lib/contract/entry.ts";

/** Every hook and gate, and what each may do. Help, the build and the tests follow from this. */
export const registry: readonly Entry[] = [
  {
    folder: "hooks",
    unit: preToolUse,
    permissions: { read: true, env: ["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA"], sys: ["uid"] },
  },
];

if (import.meta.main) runProgram(registry);
