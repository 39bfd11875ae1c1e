/**
 * Regular expressions as trees, to hold that they take linear time: by how they are built, and by counting the steps
 * that a backtracking engine takes. Knows the syntax that the pattern table uses; anything else is an error.
 */

/** Character codes 0 to 255, then all others as one. */
const CODES = 257;

type Node =
  | { readonly kind: "set"; readonly has: readonly boolean[] }
  | { readonly kind: "sequence"; readonly parts: readonly Node[] }
  | { readonly kind: "choice"; readonly options: readonly Node[] }
  | { readonly kind: "repeat"; readonly part: Node; readonly min: number; readonly max: number }
  | { readonly kind: "look"; readonly part: Node; readonly negative: boolean }
  | { readonly kind: "edge"; readonly end: boolean };

const WORD = /[A-Za-z0-9_]/;

function setOf(test: (character: string, code: number) => boolean): Node & { kind: "set" } {
  const has = Array.from({ length: CODES }, (_, code) => test(String.fromCharCode(code), code));
  return { kind: "set", has };
}

/** Parses the source of an expression. Throws a SyntaxError on what it does not know. */
export function parse(source: string, anyCase = false): Node {
  let at = 0;
  const fail = (what: string): never => {
    throw new SyntaxError(`Cannot read ${what} at ${at} of ${source}`);
  };
  const single = (code: number) => {
    const character = String.fromCharCode(code);
    return setOf((other) =>
      other === character || (anyCase && other.toLowerCase() === character.toLowerCase())
    );
  };

  /** What follows a backslash: a class as a set, a character as its code. */
  function escape(): number | (Node & { kind: "set" }) {
    const letter = source[at++];
    if (letter === "s") return setOf((character) => /\s/.test(character));
    if (letter === "w") return setOf((character) => WORD.test(character));
    if (letter === "t") return 9;
    if (letter === "x") return parseInt(source.slice(at, at += 2), 16);
    if (letter === undefined || /[A-Za-z0-9]/.test(letter)) return fail(`\\${letter}`);
    return letter.charCodeAt(0);
  }

  function characterClass(): Node {
    const negative = source[at] === "^";
    if (negative) at++;
    const members = new Set<number>();
    const add = (code: number) => {
      members.add(code);
      const character = String.fromCharCode(code);
      if (anyCase) {
        members.add(character.toLowerCase().charCodeAt(0)).add(character.toUpperCase().charCodeAt(0));
      }
    };
    const member = () => {
      const character = source[at++];
      return character === undefined
        ? fail("a class")
        : character === "\\"
        ? escape()
        : character.charCodeAt(0);
    };
    while (source[at] !== "]") {
      const from = member();
      if (typeof from !== "number") {
        from.has.forEach((has, code) => has && members.add(code));
      } else if (source[at] === "-" && source[at + 1] !== "]") {
        at++;
        const to = member();
        if (typeof to !== "number") return fail("a range");
        for (let code = from; code <= to; code++) add(code);
      } else {
        add(from);
      }
    }
    at++;
    return setOf((_, code) => members.has(code) !== negative);
  }

  function atom(): Node {
    const character = source[at++];
    if (character === "[") return characterClass();
    if (character === "^" || character === "$") return { kind: "edge", end: character === "$" };
    if (character === "\\") {
      const escaped = escape();
      return typeof escaped === "number" ? single(escaped) : escaped;
    }
    if (character === "(") {
      const opening = /^\?(?::|=|!)/.exec(source.slice(at))?.[0] ?? "";
      if (opening === "" && source[at] === "?") return fail("a group of that kind");
      at += opening.length;
      const part = choice();
      if (source[at++] !== ")") return fail("the end of a group");
      return /[=!]/.test(opening) ? { kind: "look", part, negative: opening === "?!" } : part;
    }
    if (character === undefined || /[.*+?{}]/.test(character)) return fail(`"${character}"`);
    return single(character.charCodeAt(0));
  }

  function sequence(): Node {
    const parts: Node[] = [];
    while (at < source.length && source[at] !== ")" && source[at] !== "|") {
      const part = atom();
      const quantifier = /^(?:\?|\*|\+|\{(\d+)(,?)(\d*)\})/.exec(source.slice(at));
      if (!quantifier) {
        parts.push(part);
        continue;
      }
      at += quantifier[0].length;
      if (source[at] === "?" || source[at] === "+") return fail("a lazy quantifier");
      const [whole, least, comma, most] = quantifier;
      const min = least ? Number(least) : whole === "+" ? 1 : 0;
      const max = whole === "?" ? 1 : !least || (comma && !most) ? Infinity : Number(most || least);
      parts.push({ kind: "repeat", part, min, max });
    }
    return { kind: "sequence", parts };
  }

  function choice(): Node {
    const options = [sequence()];
    while (source[at] === "|") {
      at++;
      options.push(sequence());
    }
    return options.length === 1 ? options[0]! : { kind: "choice", options };
  }

  const root = choice();
  return at === source.length ? root : fail("the rest");
}

const isNullable = (node: Node): boolean => {
  switch (node.kind) {
    case "set":
      return false;
    case "sequence":
      return node.parts.every(isNullable);
    case "choice":
      return node.options.some(isNullable);
    case "repeat":
      return node.min === 0 || isNullable(node.part);
    case "look":
    case "edge":
      return true;
  }
};

const EMPTY: readonly boolean[] = Array.from({ length: CODES }, () => false);
const union = (a: readonly boolean[], b: readonly boolean[]) => a.map((has, code) => has || b[code] === true);

/** The characters that a match of the node may begin with, where `follow` may begin what comes after it. */
function firstOf(node: Node, follow: readonly boolean[]): readonly boolean[] {
  switch (node.kind) {
    case "set":
      return node.has;
    case "sequence":
      return node.parts.reduceRight((rest, part) => firstOf(part, rest), follow);
    case "choice":
      return node.options.map((option) => firstOf(option, follow)).reduce(union, EMPTY);
    case "repeat": {
      const first = firstOf(node.part, EMPTY);
      return isNullable(node) ? union(first, follow) : first;
    }
    case "look":
    case "edge":
      return follow;
  }
}

const varies = (node: Node): boolean => {
  switch (node.kind) {
    case "repeat":
      return (node.max > 1 && node.max !== node.min) || varies(node.part);
    case "sequence":
      return node.parts.some(varies);
    case "choice":
      return node.options.some(varies);
    case "look":
      return varies(node.part);
    default:
      return false;
  }
};

/**
 * Why an expression may take more than linear time; nothing where it may not. A repetition may not repeat one that
 * varies. One without bound repeats one character, ends where nothing that may follow can begin, and stands outside
 * of every other. A bounded one goes to 16,384 at most.
 */
export function problems(source: string): string[] {
  const found: string[] = [];
  let unbounded = 0;
  const visit = (node: Node, follow: readonly boolean[]): void => {
    switch (node.kind) {
      case "sequence":
        node.parts.reduceRight<readonly boolean[]>((rest, part) => {
          visit(part, rest);
          return firstOf(part, rest);
        }, follow);
        return;
      case "choice":
        for (const option of node.options) visit(option, follow);
        return;
      case "look":
        visit(node.part, EMPTY);
        return;
      case "repeat":
        if (node.max > 1 && varies(node.part)) found.push("repeats what varies");
        if (node.max === Infinity) {
          unbounded++;
          if (node.part.kind !== "set") found.push("repeats more than a character without bound");
          else if (node.part.has.some((has, code) => has && follow[code])) {
            found.push("repeats without bound what may also follow");
          }
        } else if (node.max > 16_384) found.push("has too high a bound");
        visit(node.part, node.max > 1 ? union(follow, firstOf(node.part, EMPTY)) : follow);
        return;
    }
  };
  try {
    visit(parse(source), EMPTY);
  } catch (error) {
    return [String(error)];
  }
  if (unbounded > 1) found.push("repeats without bound more than once");
  return found;
}

/** How many characters a backtracking engine compares when it matches at a place, without any shortcut. */
export function countSteps(root: Node, text: string, at: number): number {
  let steps = 0;
  const holds = (has: readonly boolean[], i: number) => {
    steps++;
    return i < text.length && has[Math.min(text.charCodeAt(i), CODES - 1)] === true;
  };
  const match = (node: Node, i: number, next: (i: number) => boolean): boolean => {
    switch (node.kind) {
      case "set":
        return holds(node.has, i) && next(i + 1);
      case "edge":
        return (node.end ? i === text.length : i === 0) && next(i);
      case "look":
        return match(node.part, i, () => true) !== node.negative && next(i);
      case "choice":
        return node.options.some((option) => match(option, i, next));
      case "sequence": {
        const from = (part: number, i: number): boolean =>
          part === node.parts.length ? next(i) : match(node.parts[part]!, i, (i) => from(part + 1, i));
        return from(0, i);
      }
      case "repeat": {
        if (node.part.kind === "set") {
          let count = 0;
          while (count < node.max && holds(node.part.has, i + count)) count++;
          for (; count >= node.min; count--) if (next(i + count)) return true;
          return false;
        }
        const again = (count: number, i: number): boolean =>
          (count < node.max && match(node.part, i, (to) => to > i && again(count + 1, to))) ||
          (count >= node.min && next(i));
        return again(0, i);
      }
    }
  };
  match(root, at, () => true);
  return steps;
}
