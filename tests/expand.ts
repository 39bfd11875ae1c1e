/**
 * Templates for texts that hold secrets, so that no file of this repository holds one: `{alnum:36}` stands for 36
 * letters and digits by chance, the same ones each time, `{alnum:36:b}` for others, and `{|}` for nothing, to split
 * what would be known at sight.
 */

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGIT = "0123456789";

const ALPHABETS: Readonly<Record<string, string>> = {
  alnum: UPPER + LOWER + DIGIT,
  alpha: UPPER + LOWER,
  base64: UPPER + LOWER + DIGIT + "+/",
  base64url: UPPER + LOWER + DIGIT + "-_",
  bech32: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
  digit: DIGIT,
  hex: DIGIT + "abcdef",
  hexup: DIGIT + "ABCDEF",
  lower: LOWER,
  print: UPPER + LOWER + DIGIT + "!@#%^*?~-_.+",
  upnum: UPPER + DIGIT,
  upx: "X",
  x: "x",
  zero: "0",
};

/** Numbers from 0 to 1 that look like chance, the same for the same name: FNV-1a, then mulberry32. */
function generator(name: string): () => number {
  let state = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) state = Math.imul(state ^ name.charCodeAt(i), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Fills a template. The same placeholder stands for the same text everywhere, for another with another seed. What
 * names no alphabet is left, for it may be code.
 */
export function expand(template: string, seed = 0): string {
  return template.replace(/\{\|\}|\{([a-z0-9]+):(\d+)(?::[a-z]+)?\}/g, (placeholder, name, length) => {
    if (name === undefined) return "";
    const alphabet = ALPHABETS[name];
    if (!alphabet) return placeholder;
    const next = generator(`${placeholder}${seed}`);
    return Array.from({ length: Number(length) }, () => alphabet[Math.floor(next() * alphabet.length)]).join(
      "",
    );
  });
}
