/** The texts of tests/cases that secrets are looked for in. */
import { fromFileUrl, join } from "@std/path";
import { expand } from "../../expand.ts";

const CASES = fromFileUrl(new URL("../../cases/", import.meta.url));

/** What tests/cases/secrets says of one pattern: texts that hold such a secret, and texts that hold none, each with why. */
export interface Cases {
  readonly id: string;
  readonly positives: readonly string[];
  readonly negatives: Readonly<Record<string, string>>;
}

function names(folder: string): string[] {
  return [...Deno.readDirSync(join(CASES, folder))].map(({ name }) => name).sort();
}

/** The cases of every pattern, as templates. */
export function cases(): Cases[] {
  return names("secrets").map((name) => ({
    id: name.replace(/\.json$/, ""),
    ...JSON.parse(Deno.readTextFileSync(join(CASES, "secrets", name))),
  }));
}

/** Files in which nothing is a secret, by name, as templates. */
export function allowed(): { name: string; template: string }[] {
  return names("secrets-allowed").map((name) => ({
    name,
    template: Deno.readTextFileSync(join(CASES, "secrets-allowed", name)),
  }));
}

/** Every text there is, filled in, under a name that tells which it is. */
export function texts(): { name: string; text: string }[] {
  return [
    ...cases().flatMap(({ id, positives, negatives }) => [
      ...positives.map((template) => ({ name: `${id}: ${template}`, text: expand(template) })),
      ...Object.values(negatives).map((template) => ({
        name: `${id}, not: ${template}`,
        text: expand(template),
      })),
    ]),
    ...allowed().map(({ name, template }) => ({ name: `allowed: ${name}`, text: expand(template) })),
  ];
}
