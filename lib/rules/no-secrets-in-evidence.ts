import type { Facts, Objection, Rule, Target } from "../contract/hook.ts";
import { isAccepted } from "../paths/accepted.ts";
import { isEvidence, namesEvidence } from "../paths/evidence.ts";
import { findInEvidence, isOfEvidenceAlone } from "../secrets/evidence.ts";

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

/**
 * What is wrong with the texts for evidence, each place named once.
 *
 * @param isNamed whether a secret of that pattern is named elsewhere where the text shows it as written
 */
function judge(facts: Facts, isNamed: (pattern: string) => boolean): readonly Objection[] {
  const texts = textsForEvidence(facts);
  if (texts.length === 0) return [];
  const readings = findInEvidence(texts);
  if ("reason" in readings) return [readings];
  const known = new Set<string>();
  return readings.flatMap((found, reading) => {
    const places = found.filter(({ id, text }) => !isAccepted(id, text, facts))
      .map(({ id, text, line }) => ({ id, place: `in ${text.field}, line ${line}` }))
      .filter(({ place }) => !known.has(place));
    for (const { place } of places) known.add(place);
    return places.filter(({ id }) => reading > 0 || !isNamed(id)).map(({ id, place }) => `${id} ${place}`);
  });
}

/** No secret enters evidence, which is kept and shown around. */
export const noSecretsInEvidence: Rule<Facts> = {
  id: "no-secrets-in-evidence",
  refuses: "a write into an evidence folder that holds a secret or an API key's value",
  satisfy: "Redact it, as in api_key=***, and write the evidence again. Evidence is kept and shown around.",
  check: (facts) => judge(facts, () => false),
};

/** The same for a guard that has no-secrets-written too: what that names is not named twice. */
export const noMoreSecretsInEvidence: Rule<Facts> = {
  ...noSecretsInEvidence,
  check: (facts) => judge(facts, (pattern) => !isOfEvidenceAlone(pattern)),
};
