/** A guard with pre-tool-use's rules and one more, which throws: a program of the tests, so that the product has no seam. */
import { preToolUse } from "../../hooks/pre-tool-use.ts";
import type { Facts, Guard, Rule } from "../../lib/contract/hook.ts";
import { runGuard } from "../../lib/run/hook.ts";

const alwaysThrows: Rule<Facts> = {
  id: "always-throws",
  refuses: "everything, for it is broken",
  satisfy: "Nothing can.",
  check() {
    throw new Error("broken on purpose");
  },
};

/** The broken rule stands first: none behind it may be lost. */
const throwing: Guard = {
  ...preToolUse,
  name: "throwing",
  rules: [alwaysThrows, ...preToolUse.rules],
};

if (import.meta.main) runGuard(throwing);
