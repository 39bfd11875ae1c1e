import {
  type Declaration,
  FINDINGS_LIMIT,
  type Gate,
  type GateFinding,
  type Words,
} from "../contract/gate.ts";
import { isBlank, isBlankFile, judgeValue, parseEvidence } from "./parse.ts";

/** What a declared file holds, or why it cannot be read. */
export type Reading = { readonly bytes: Uint8Array } | { readonly problem: string };

/** What the environment declares; undefined where it does not. */
export type Environment = (variable: string) => string | undefined;

/** The value of a variable; one with nothing to see in it is as good as none. */
function declared(variable: string, environment: Environment): string | undefined {
  const value = environment(variable);
  return value === undefined || isBlank(value) ? undefined : value;
}

function wordsOf(gate: Gate, environment: Environment): Words {
  return Object.fromEntries(gate.declarations.flatMap(({ kind, variable }) => {
    const word = kind === "word" ? declared(variable, environment) : undefined;
    return word === undefined ? [] : [[variable, word]];
  }));
}

function judgeEvidence(
  { variable, conditions }: Extract<Declaration, { kind: "evidence" }>,
  file: string,
  bytes: Uint8Array,
  words: Words,
): GateFinding[] {
  const where = { declaration: variable, file };
  const parsed = parseEvidence(bytes);
  if ("malformed" in parsed) {
    const malformed = (message: string, line?: number): GateFinding => ({
      id: "malformed",
      exit: 65,
      message,
      ...where,
      ...line === undefined ? {} : { line },
    });
    const told = parsed.malformed.slice(0, FINDINGS_LIMIT).map(({ line, reason }) => malformed(reason, line));
    const more = parsed.malformed.length - told.length;
    return more > 0 ? [...told, malformed(`${more} more lines are malformed`)] : told;
  }
  return conditions(words).flatMap(({ key, judge }): GateFinding[] => {
    const entry = parsed.entries.find((entry) => entry.key === key);
    if (!entry) return [{ id: "missing-key", exit: 65, message: `no key "${key}"`, ...where }];
    const failure = judge(entry.value);
    return failure ? [{ ...failure, ...where, line: entry.line }] : [];
  });
}

function judgeDeclaration(
  declaration: Declaration,
  words: Words,
  environment: Environment,
  read: (file: string) => Reading,
): GateFinding[] {
  const { variable } = declaration;
  if (declaration.kind === "evidence" && declaration.needed && !declaration.needed(words)) return [];
  const value = declared(variable, environment);
  if (value === undefined) {
    return [{ id: "not-declared", exit: 64, message: `${variable} is not declared`, declaration: variable }];
  }
  if (declaration.kind === "word") {
    const failure = declaration.judge(value);
    if (failure) return [{ ...failure, declaration: variable }];
    const reason = judgeValue(value);
    if (reason === undefined) return [];
    return [{ id: "malformed", exit: 65, message: `${variable} has ${reason}`, declaration: variable }];
  }
  const reading = read(value);
  const where = { declaration: variable, file: value };
  if ("problem" in reading) return [{ id: "unreadable", exit: 65, message: reading.problem, ...where }];
  if (isBlankFile(reading.bytes)) return [{ id: "empty", exit: 65, message: "is empty", ...where }];
  return declaration.kind === "text" ? [] : judgeEvidence(declaration, value, reading.bytes, words);
}

/** Everything that keeps a gate from passing, in the order of its declarations. Throws what `read` throws. */
export function judgeGate(
  gate: Gate,
  environment: Environment,
  read: (file: string) => Reading,
): GateFinding[] {
  const words = wordsOf(gate, environment);
  return gate.declarations.flatMap((declaration) => judgeDeclaration(declaration, words, environment, read));
}
