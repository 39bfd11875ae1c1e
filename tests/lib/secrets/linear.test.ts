import { assert } from "@std/assert";
import { PATTERNS } from "../../../lib/secrets/patterns.ts";
import { scan } from "../../../lib/secrets/scan.ts";
import { countSteps, parse } from "./expression.ts";

type Tree = ReturnType<typeof parse>;

/**
 * How much work a scan does: every expression that it runs is also run by a matcher that counts its steps; what is no
 * pattern's own (a search, a judgment) counts the characters that it is given or passes over.
 */
function workOf(text: string): number {
  const trees = new Map<string, Tree>();
  let work = 0;
  const exec = RegExp.prototype.exec;
  RegExp.prototype.exec = function (this: RegExp, subject: string) {
    const { source, flags, sticky, global, lastIndex } = this;
    if (sticky && PATTERNS.some((pattern) => pattern.source === source)) {
      const key = flags + source;
      // Patched again while parsing, this would count the counting.
      RegExp.prototype.exec = exec;
      const tree = trees.get(key) ?? parse(source, flags.includes("i"));
      trees.set(key, tree);
      work += countSteps(tree, subject, lastIndex);
      RegExp.prototype.exec = counting;
    }
    const match = exec.call(this, subject);
    if (global) work += (match ? this.lastIndex : subject.length) - lastIndex;
    else work += sticky ? match?.[0].length ?? 1 : subject.length;
    return match;
  };
  const counting = RegExp.prototype.exec;
  try {
    scan(text);
  } finally {
    RegExp.prototype.exec = exec;
  }
  return work;
}

const SIZE = 9 * 1024;
const of = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);

/** What is repeated to defeat a pattern: each of its literals, bare, and one with what could lead it on. */
const units = PATTERNS.flatMap(({ literals }) => [
  ...literals,
  ...[" ", "a", "a1B2c3D4e5F6g7H8", '" : "', "=", " ".repeat(70), "\\n".repeat(40), ".-".repeat(40)]
    .map((more) => literals[0] + more),
]).concat(
  ["eyJabcdefgh.", "-", " ", "\\", "x://a:", "x://a:b@", `x://${"a".repeat(120)}:${"b".repeat(250)}`],
  ["token=a.b@c.", `password=${"aB3dE5gH7jK9mN1pQ2rS"};`, `${["BEGIN EC PRIVATE", "KEY"].join(" ")} `],
  [["-----BEGIN PRIVATE", "KEY-----"].join(" "), `PuTTY-User-Key-File-${2}: x-rsa `],
  ["a".repeat(14) + ".atlasv1.", "1234567890:AA", "\u001b[0msk-", "%20sk-", "\\nsk-"],
);

Deno.test("scan: does work that grows with the text, on text made to defeat it", () => {
  for (const unit of units) {
    const small = workOf(of(unit, SIZE));
    const large = workOf(of(unit, 2 * SIZE));
    assert(large <= 2.3 * small + 1_000, `${JSON.stringify(unit)}: ${small} steps, then ${large}`);
    assert(small <= 64 * SIZE, `${JSON.stringify(unit)}: ${small / SIZE} steps a character`);
  }
});

Deno.test("scan: compiles no expression of a pattern whose literal does not occur", () => {
  const compiled: string[] = [];
  const Original = RegExp;
  const sources = new Set(PATTERNS.map(({ source }) => source));
  globalThis.RegExp = new Proxy(Original, {
    construct(target, parts: [string, string]) {
      if (sources.has(parts[0])) compiled.push(parts[0]);
      return new target(...parts);
    },
  });
  try {
    scan("plain words, and some more of them\n".repeat(1_000));
    scan("plain words");
  } finally {
    globalThis.RegExp = Original;
  }
  assert(compiled.length === 0, compiled.join("\n"));
});
