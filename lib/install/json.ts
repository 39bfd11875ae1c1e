/** JSON as strictly as Claude Code reads its settings: of a file with a slip it reads nothing, and says nothing. */
import { type AnyNode, type MemberNode, parse, type Token, type ValueNode } from "@humanwhocodes/momoa";
import { type Bytes, decode, splitBom } from "./bytes.ts";
import { InstallError } from "./error.ts";

/** What a member of an object is called. */
export function nameOf({ name }: MemberNode): string {
  return name.type === "String" ? name.value : name.name;
}

/** Throws InstallError at the place of a node. */
export function refuseNode({ loc }: AnyNode | Token, what: string): never {
  throw new InstallError(`line ${loc.start.line}, column ${loc.start.column}: ${what}`);
}

function refuseDuplicates(node: ValueNode): void {
  if (node.type === "Array") {
    for (const { value } of node.elements) refuseDuplicates(value);
  } else if (node.type === "Object") {
    const seen = new Set<string>();
    for (const member of node.members) {
      const name = nameOf(member);
      if (seen.has(name)) refuseNode(member, `key "${name}" stands twice`);
      seen.add(name);
      refuseDuplicates(member.value);
    }
  }
}

/** What the parser stumbled over and where, in words for who wrote it. */
function explain(text: string, error: Error): string {
  const early = error.message.includes("end of input");
  const told = "offset" in error ? Number(error.offset) : 0;
  const before = early ? text.trimEnd() : text.slice(0, told);
  const rest = text.slice(before.length);
  const lines = before.split("\n");
  const place = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
  if (early) return `${place}: the file ends too early`;
  if (/^\/[/*]/.test(rest)) return `${place}: a comment, which JSON has none of`;
  if (/^[}\]]/.test(rest) && /,\s*$/.test(before)) return `${place}: a comma with nothing after it`;
  return `${place}: is not valid JSON`;
}

/**
 * The document of a text. Throws InstallError with line and column, counted from 1, for what is no strict JSON and
 * for a key that stands twice, at any depth.
 */
export function parseStrict(text: string): ValueNode {
  let document;
  try {
    document = parse(text, { mode: "json", tokens: true });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The parser calls itself; the client reads such a file all the same.
    if (error instanceof RangeError) throw new InstallError("nests too deep to be edited");
    throw new InstallError(explain(text, error));
  }
  for (const token of document.tokens ?? []) {
    const { start, end } = token.loc;
    // The parser takes control characters in strings, which JSON does not.
    // deno-lint-ignore no-control-regex
    if (token.type === "String" && /[\0-\x1f]/.test(text.slice(start.offset, end.offset))) {
      refuseNode(token, "a control character in a string");
    }
  }
  refuseDuplicates(document.body);
  return document.body;
}

/** The same of a file, whose BOM is passed over; offsets count from the end of that, in bytes. Throws InstallError. */
export function parseFile(bytes: Bytes): { readonly checked: ValueNode; readonly node: ValueNode } {
  // Names and columns are of the text, places of the bytes.
  const checked = parseStrict(decode(bytes));
  return { checked, node: parse(splitBom(bytes).body, { mode: "json" }).body };
}
