/** Effects of a tool that need no approval. */
const LOW = ["none", "read", "workspace-read"];

/** Effects that need an approval which names the same effect, and a target. */
const HIGH = [
  "workspace-write",
  "network",
  "external-write",
  "credential-access",
  "deployment",
  "destructive",
];

/** Every effect that there is. */
export const EFFECTS: readonly string[] = [...LOW, ...HIGH];

/** Whether a word names an effect. */
export function isEffect(word: string): boolean {
  return EFFECTS.includes(word);
}

/** Whether an effect needs an approval; a word that is no effect does not get so far. */
export function isHighEffect(word: string): boolean {
  return HIGH.includes(word);
}

/** The integer that a text is, at most 2^53-1 in size; undefined where it is written in any other way. */
export function parseInteger(text: string): number | undefined {
  if (!/^(?:0|-?[1-9][0-9]*)$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Whether a text is a digest: the name of an algorithm, a colon and hexadecimal digits, as in `sha256:0a1b`. */
export function isDigest(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_.+-]*:[0-9A-Fa-f]+$/.test(text);
}
