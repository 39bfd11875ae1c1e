import { parse as parseYaml } from "@std/yaml/parse";
import type { Wiring } from "../harness/claude-wiring.ts";
import { type Bytes, countLines, decode } from "./bytes.ts";
import { InstallError } from "./error.ts";
import { type Files, LINE_LIMIT } from "./files.ts";
import type { InstallPlan } from "./plan-install.ts";
import { getSection } from "./section.ts";
import { isWired, readObeyed } from "./settings.ts";

/** Something that must hold after an install. */
export interface Criterion {
  readonly name: string;
  readonly pass: boolean;
}

/** Whether the front matter of a rule, where it has some, is YAML with a list of paths. */
export function isRule(bytes: Bytes): boolean {
  const text = decode(bytes);
  if (!/^---\r?\n/.test(text)) return text.trim() !== "";
  const front = /^---\r?\n([^]*?\n)---\r?\n/.exec(text)?.[1];
  if (front === undefined) return false;
  try {
    const value = parseYaml(front);
    const paths = typeof value === "object" && value !== null && "paths" in value ? value.paths : undefined;
    return Array.isArray(paths) && paths.length > 0 && paths.every((path) => typeof path === "string");
  } catch {
    return false;
  }
}

/** Whether something holds; what cannot be read does not. */
function holds(test: () => boolean): boolean {
  try {
    return test();
  } catch (error) {
    if (error instanceof InstallError) return false;
    throw error;
  }
}

/** Reads back what was installed, and says of each criterion whether it holds. */
export function verify(
  { memory, rules, changes }: InstallPlan,
  hooks: { readonly path: string; readonly wiring: Wiring } | undefined,
  files: Files,
): readonly Criterion[] {
  const read = (path: string) => files.read(path) ?? "";
  const planned = changes.find(({ path }) => path === memory)?.after;
  const criteria = [
    {
      name: `${memory}: at most ${LINE_LIMIT} lines`,
      pass: holds(() => read(memory) !== "" && countLines(read(memory)) <= LINE_LIMIT),
    },
    planned === undefined ? { name: `${memory}: the section is nonzero's own`, pass: false } : {
      name: `${memory}: markers there, and once`,
      pass: holds(() => {
        const section = getSection(read(memory));
        return section !== undefined && section === getSection(planned);
      }),
    },
  ];
  if (rules.length > 0) {
    criteria.push({ name: "rules parse", pass: rules.every((path) => holds(() => isRule(read(path)))) });
  }
  if (hooks) {
    const { path, wiring } = hooks;
    criteria.push({
      name: `${path}: hooks there`,
      pass: holds(() => isWired(readObeyed(read(path)), wiring)),
    });
  }
  return criteria;
}
