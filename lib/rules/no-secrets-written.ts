import type { Facts, Rule } from "../contract/hook.ts";
import { isAccepted } from "../paths/accepted.ts";
import { findSecrets } from "../secrets/texts.ts";

/** No text that is written holds secret material. */
export const noSecretsWritten: Rule<Facts> = {
  id: "no-secrets-written",
  refuses: "text that holds a key, token, password or other secret",
  satisfy: "Write a placeholder or read the secret from the environment or a secret store when it is needed.",
  check(facts) {
    const found = findSecrets(facts.texts);
    if ("reason" in found) return [found];
    return found.filter(({ id, text }) => !isAccepted(id, text, facts))
      .map(({ id, text, line }) => `${id} in ${text.field}, line ${line}`);
  },
};
