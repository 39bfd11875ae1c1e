import { type AnyNode, evaluate, type ObjectNode, parse as parseJson } from "@humanwhocodes/momoa";
import { checkShape } from "../contract/shape.ts";
import { globProblem } from "../paths/glob.ts";
import { isPatternId } from "../secrets/evidence.ts";
import { ConfigError } from "./error.ts";
import { type ConfigFile, configShape, type ProjectEntry } from "./schema.ts";

function nameOf(member: ObjectNode["members"][number]): string {
  return member.name.type === "String" ? member.name.value : member.name.name;
}

/** The key that stands twice in an object, if any does; JSON readers differ in which of the two they obey. */
function findDuplicate(node: AnyNode): { key: string; line: number } | undefined {
  if (node.type === "Array") {
    for (const element of node.elements) {
      const found = findDuplicate(element.value);
      if (found) return found;
    }
  } else if (node.type === "Object") {
    const seen = new Set<string>();
    for (const member of node.members) {
      const key = nameOf(member);
      if (seen.has(key)) return { key, line: member.loc.start.line };
      seen.add(key);
      const found = findDuplicate(member.value);
      if (found) return found;
    }
  }
  return undefined;
}

/** The line where the value at that path begins, or the deepest part of the path that is there. */
function lineAt(node: AnyNode, path: readonly PropertyKey[]): number {
  const [key, ...rest] = path;
  if (key !== undefined) {
    const member = node.type === "Object"
      ? node.members.find((member) => nameOf(member) === key)
      : node.type === "Array"
      ? node.elements[Number(key)]
      : undefined;
    if (member) return lineAt(member.value, rest);
  }
  return node.loc.start.line;
}

/** The globs and pattern ids of a file that would silently mean nothing, each with where it stands. */
function* findIdle(
  file: ConfigFile,
): Generator<{ readonly path: readonly PropertyKey[]; readonly problem: string }> {
  const parts: { path: PropertyKey[]; part: ProjectEntry }[] = [
    { path: [], part: file },
    ...Object.entries(file.projects ?? {}).map(([name, part]) => ({ path: ["projects", name], part })),
  ];
  for (const { path, part } of parts) {
    const globs = [
      ...(part.records ?? []).map((glob, at) => ({ glob, path: [...path, "records", at] })),
      ...(part.editable ?? []).map((glob, at) => ({ glob, path: [...path, "editable", at] })),
      ...(part.accept ?? []).map(({ path: glob }, at) => ({ glob, path: [...path, "accept", at, "path"] })),
    ];
    for (const { glob, path } of globs) {
      const problem = globProblem(glob);
      if (problem !== undefined) yield { path, problem: `"${glob}" ${problem}` };
    }
    for (const [at, name] of (part.evidence ?? []).entries()) {
      const problem = globProblem(name) ?? (/[*?]/.test(name) ? "has a wildcard: it is a name" : undefined);
      if (problem === undefined) continue;
      yield { path: [...path, "evidence", at], problem: `"${name}" ${problem}` };
    }
    for (const [at, { pattern }] of (part.accept ?? []).entries()) {
      if (isPatternId(pattern)) continue;
      yield { path: [...path, "accept", at, "pattern"], problem: `no pattern is called "${pattern}"` };
    }
  }
}

/** Reads the text of a configuration file strictly. `file` is what messages call it. Throws ConfigError. */
export function parseConfig(text: string, file: string): ConfigFile {
  let body: AnyNode;
  try {
    body = parseJson(text.replace(/^\uFEFF/, ""), { mode: "json" }).body;
  } catch (error) {
    const line = error instanceof Error && "line" in error ? Number(error.line) : 1;
    throw new ConfigError(`${file}:${line}: is not valid JSON`);
  }
  const duplicate = findDuplicate(body);
  if (duplicate) throw new ConfigError(`${file}:${duplicate.line}: key "${duplicate.key}" stands twice`);
  const parsed = checkShape(configShape(), evaluate(body));
  if (parsed.success) {
    for (const { path, problem } of findIdle(parsed.data)) {
      throw new ConfigError(`${file}:${lineAt(body, path)}: ${path.map(String).join(".")}: ${problem}`);
    }
    return parsed.data;
  }
  const issue = parsed.error.issues[0];
  const path = issue?.path ?? [];
  if (issue?.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    throw new ConfigError(
      `${file}:${lineAt(body, [...path, key])}: unknown key "${[...path, key].join(".")}"`,
    );
  }
  const expected = issue?.code === "invalid_type"
    ? `expected ${issue.expected}`
    : "has a value that is not allowed";
  throw new ConfigError(
    `${file}:${lineAt(body, path)}: ${path.map(String).join(".") || "the file"}: ${expected}`,
  );
}
