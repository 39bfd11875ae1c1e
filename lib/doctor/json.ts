import { type AnyNode, evaluate, parse } from "@humanwhocodes/momoa";

/** Where a text is no strict JSON, and why. Lines count from 1. */
export interface JsonProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A text read as JSON. */
export interface Json {
  /** What it says; where it is no strict JSON, what it says with comments and trailing commas allowed. */
  readonly value: unknown;
  /** Where comments and trailing commas are not enough to read it, `value` is undefined. */
  readonly problem?: JsonProblem;
  /** The first key that stands twice in an object. */
  readonly duplicate?: { readonly key: string; readonly line: number };
}

/** The nesting beyond which a text is not looked into for keys that stand twice: no settings have it. */
const DEPTH_LIMIT = 200;
const TOO_DEEP = "It nests too deep.";

function findDuplicate(node: AnyNode): Json["duplicate"] {
  if (node.type === "Array") {
    for (const { value } of node.elements) {
      const found = findDuplicate(value);
      if (found) return found;
    }
  } else if (node.type === "Object") {
    const seen = new Set<string>();
    for (const { name, value, loc } of node.members) {
      const key = name.type === "String" ? name.value : name.name;
      if (seen.has(key)) return { key, line: loc.start.line };
      seen.add(key);
      const found = findDuplicate(value);
      if (found) return found;
    }
  }
  return undefined;
}

/**
 * What the parser does not see: brackets that nest deeper than any settings do, on which a reader that calls itself
 * fails, and a control character in a string.
 */
function findOddity(text: string): JsonProblem | undefined {
  let depth = 0;
  let line = 1;
  let lineStart = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    const problem = (message: string) => ({ line, column: at - lineStart + 1, message });
    if (inString && character < " ") return problem("A string holds a control character.");
    if (character === "\n") {
      line++;
      lineStart = at + 1;
    } else if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") {
      if (++depth > DEPTH_LIMIT) return problem(TOO_DEEP);
    } else if (character === "}" || character === "]") depth--;
  }
  return undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/ \(\d+:\d+\)$/, "") : "it cannot be read";
}

function placeOf(error: unknown): { line: number; column: number } {
  const at = error instanceof Error ? error as Error & { line?: unknown; column?: unknown } : undefined;
  return {
    line: typeof at?.line === "number" ? at.line : 1,
    column: typeof at?.column === "number" ? at.column : 1,
  };
}

/** Reads what nests too deep for a reader that says more; of a key that stands twice the last counts, as for the client. */
function readDeep(text: string, problem: JsonProblem): Json {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { value: undefined, problem };
  }
}

/** Reads a text as strict JSON, as a client reads its settings; a leading BOM is allowed. Never throws. */
export function readJson(written: string): Json {
  const text = written.replace(/^\uFEFF/, "");
  const oddity = findOddity(text);
  if (oddity?.message === TOO_DEEP) return readDeep(text, oddity);
  try {
    const { body } = parse(text, { mode: "json" });
    const duplicate = findDuplicate(body);
    return {
      value: evaluate(body),
      ...duplicate ? { duplicate } : {},
      ...oddity ? { problem: oddity } : {},
    };
  } catch (error) {
    const problem = { ...placeOf(error), message: messageOf(error) };
    try {
      return { value: evaluate(parse(text, { mode: "jsonc", allowTrailingCommas: true })), problem };
    } catch {
      return { value: undefined, problem };
    }
  }
}
