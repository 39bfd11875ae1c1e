import type { Facts, Rule, Target } from "../contract/hook.ts";
import { isAccepted } from "../paths/accepted.ts";
import { isEvidence, namesEvidence } from "../paths/evidence.ts";
import { EVIDENCE_PATTERNS } from "../secrets/evidence.ts";
import { findSecrets } from "../secrets/texts.ts";

/** Whether a write may land in evidence, by any way to read its path. */
function landsInEvidence({ readings, names, asText }: Target, more: readonly string[]): boolean {
  return [...readings, ...names, asText].some((path) => isEvidence(path, more));
}

/** The texts that go into evidence, or may: which file a text without a target goes to is not known. */
function textsForEvidence({ targets, texts, evidence }: Facts): Facts["texts"] {
  const landing = targets.map((target) => landsInEvidence(target, evidence));
  const some = landing.includes(true);
  return texts.filter(({ target, text, isCommand }) =>
    target === undefined ? some || (isCommand && namesEvidence(text, evidence)) : landing[target]
  );
}

/** No secret enters evidence, which is kept and shown around. */
export const noSecretsInEvidence: Rule<Facts> = {
  id: "no-secrets-in-evidence",
  refuses: "a write into an evidence folder that holds a key or an API key's value",
  satisfy: "Redact it, as in api_key=***, and write the evidence again. Evidence is kept and shown around.",
  check(facts) {
    const texts = textsForEvidence(facts);
    if (texts.length === 0) return [];
    const found = findSecrets(texts, EVIDENCE_PATTERNS);
    if ("reason" in found) return [found];
    return found.filter(({ id, text }) => !isAccepted(id, text, facts))
      .map(({ id, text, line }) => `${id} in ${text.field}, line ${line}`);
  },
};
