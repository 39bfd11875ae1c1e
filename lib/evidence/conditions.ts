import type { Condition, Declaration, Words } from "../contract/gate.ts";
import { EFFECTS, isDigest, isEffect, isHighEffect, parseInteger } from "./values.ts";

/** The key has any value. */
export function present(key: string): Condition {
  return { key, wants: key, judge: () => undefined, exits: [] };
}

/** The key has that value. */
export function equals(key: string, wanted: string): Condition {
  return {
    key,
    wants: `${key}=${wanted}`,
    judge: (value) =>
      value === wanted
        ? undefined
        : { id: `not-${wanted}`, exit: 70, message: `${key} is "${value}", not "${wanted}"` },
    exits: [70],
  };
}

/** The key is a digest. */
export function digest(key: string): Condition {
  return {
    key,
    wants: `${key}=<algorithm>:<hex>`,
    judge: (value) =>
      isDigest(value)
        ? undefined
        : { id: "malformed", exit: 65, message: `${key} is no digest <algorithm>:<hex>` },
    exits: [65],
  };
}

/** An integer above zero, as a value of evidence or as a declaration. */
function judgePositive(name: string): Condition["judge"] {
  return (text) => {
    const value = parseInteger(text);
    if (value === undefined) return { id: "malformed", exit: 65, message: `${name} is no integer` };
    return value > 0
      ? undefined
      : { id: "not-positive", exit: 70, message: `${name} is ${value}, not above zero` };
  };
}

/** The key is an integer above zero. */
export function positive(key: string): Condition {
  return { key, wants: `${key}>0`, judge: judgePositive(key), exits: [65, 70] };
}

function unknownEffect(name: string, word: string): ReturnType<Condition["judge"]> {
  return isEffect(word)
    ? undefined
    : { id: "unknown-effect", exit: 65, message: `${name} "${word}" is none of ${EFFECTS.join(", ")}` };
}

/** The key names an effect. */
export function effect(key: string): Condition {
  return { key, wants: `${key}=<known effect>`, judge: (word) => unknownEffect(key, word), exits: [65] };
}

/** What an approval must say: the very effect, and what it is for. */
function approves(wanted: string): readonly Condition[] {
  const same = equals("effect", wanted);
  return [
    { ...same, judge: (word) => unknownEffect("effect", word) ?? same.judge(word), exits: [65, 70] },
    present("target"),
  ];
}

/** A variable that names a file of evidence with these conditions. */
export function evidence(variable: string, ...conditions: readonly Condition[]): Declaration {
  return { variable, kind: "evidence", conditions: () => conditions };
}

/** A variable that names a file that must hold text. */
export function textFile(variable: string): Declaration {
  return { variable, kind: "text" };
}

/** A variable that is an effect. */
export function effectWord(variable: string): Declaration {
  return {
    variable,
    kind: "word",
    wants: "a known effect",
    judge: (word) => unknownEffect(variable, word),
    exits: [65],
  };
}

/** A variable that is any word. */
export function anyWord(variable: string): Declaration {
  return { variable, kind: "word", wants: "a word", judge: () => undefined, exits: [] };
}

/** A variable that is an integer above zero. */
export function positiveWord(variable: string): Declaration {
  return {
    variable,
    kind: "word",
    wants: "an integer above zero",
    judge: judgePositive(variable),
    exits: [65, 70],
  };
}

/** The approval of one effect. */
export function approval(wanted: string): Declaration {
  return { variable: "OAIES_APPROVAL_FILE", kind: "evidence", conditions: () => approves(wanted) };
}

/** The approval of the effect that another variable declares, where that is a high one. */
export function approvalOf(variable: string): Declaration {
  const declared = (words: Words) => words[variable] ?? "";
  return {
    variable: "OAIES_APPROVAL_FILE",
    kind: "evidence",
    conditions: (words) => approves(declared(words)),
    neededFor: "high effects",
    needed: (words) => isHighEffect(declared(words)),
  };
}

/** The usual condition: a verifier that ran says that it passed. */
export const passed: Condition = equals("status", "passed");
