import { join } from "@std/path";
import { root } from "../root.ts";

/** A part of a release that someone else made. */
export interface Part {
  readonly name: string;
  /** An SPDX expression. */
  readonly license: string;
  readonly url: string;
  /** Whose it is, a line each. */
  readonly copyright: readonly string[];
}

/** The runtime that the programs are compiled on, and what it links. */
export interface RuntimeParts extends Part {
  readonly components: readonly Part[];
}

/** An npm package that is in the program. */
export interface Package {
  readonly name: string;
  readonly version: string;
  /** As the lock file has it: `sha512-…`. */
  readonly integrity: string;
  /** An SPDX expression. */
  readonly license: string;
  /** The text of its licence, with its copyright. */
  readonly text: string;
}

const FOLDER = join(root, "licenses");

/** The licences in an SPDX expression, by the names of their texts. */
export function licensesIn(expression: string): string[] {
  return expression.split(/[()\s]+/).filter((word) => !["", "AND", "OR", "WITH"].includes(word))
    .map((id) => id.replace(/-(?:only|or-later)$/, ""));
}

/**
 * The text of a licence by its SPDX id.
 *
 * @throws {Error} Where licenses/texts has none.
 */
export async function licenseText(id: string): Promise<string> {
  try {
    return await Deno.readTextFile(join(FOLDER, "texts", `${id}.txt`));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Error(`Cannot say under which licence a part is: licenses/texts has no ${id}.txt`);
  }
}

/** What licenses/runtime.json says of Bun. */
export async function readRuntimeParts(): Promise<RuntimeParts> {
  return JSON.parse(await Deno.readTextFile(join(FOLDER, "runtime.json")));
}

/** What `deno info --json` says of a program. */
interface Info {
  readonly modules: readonly { readonly kind?: string; readonly specifier: string }[];
  readonly npmPackages: Readonly<
    Record<string, {
      readonly name: string;
      readonly version: string;
      readonly dependencies: readonly string[];
      readonly localPath: string;
    }>
  >;
}

/** The packages that a program imports, and what those depend on, sorted; each as `name@version`. */
export function importedPackages({ modules, npmPackages }: Info): string[] {
  const open = modules.flatMap(({ kind, specifier }) => {
    const found = /^npm:\/?((?:@[^/]+\/)?[^/@]+@[^/]+)/.exec(specifier)?.[1];
    return kind === "npm" && found !== undefined ? [found] : [];
  });
  const all = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (all.has(next)) continue;
    all.add(next);
    open.push(...npmPackages[next]?.dependencies ?? []);
  }
  return [...all].sort();
}

/** The texts of the files in a package's folder that say under which licence it is. */
async function ownTexts(folder: string): Promise<string> {
  const names: string[] = [];
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile && /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(name)) names.push(name);
  }
  const texts = await Promise.all(names.sort().map((name) => Deno.readTextFile(join(folder, name))));
  return texts.map((text) => `${text.replaceAll("\r\n", "\n").trimEnd()}\n`).join("\n");
}

/**
 * The npm packages that are in the program, with their licences from their own folders; of those that carry none, from
 * licenses/.
 *
 * @throws {Error} Where a package's licence is not known.
 */
export async function readPackages(): Promise<Package[]> {
  const args = ["info", "--json", "--frozen", "nonzero.ts"];
  const { success, stdout } = await new Deno.Command(Deno.execPath(), { args, cwd: root }).output();
  if (!success) throw new Error("Cannot tell the packages of the program: deno info failed");
  const info: Info = JSON.parse(new TextDecoder().decode(stdout));
  const lock = JSON.parse(await Deno.readTextFile(join(root, "deno.lock")));
  const holders: Record<string, string[]> = JSON.parse(await Deno.readTextFile(join(FOLDER, "npm.json")));
  return await Promise.all(
    importedPackages(info).map(async (id) => {
      const found = info.npmPackages[id];
      const integrity = lock.npm[id]?.integrity;
      if (!found || typeof integrity !== "string") {
        throw new Error(`Cannot find ${id}: deno.lock does not pin it`);
      }
      const { license } = JSON.parse(await Deno.readTextFile(join(found.localPath, "package.json")));
      if (typeof license !== "string") throw new Error(`Cannot publish ${id}: it does not name its licence`);
      let text = await ownTexts(found.localPath);
      if (text === "") {
        const lines = holders[found.name];
        if (!lines) {
          throw new Error(`Cannot publish ${id}: it has no licence file, and licenses/npm.json no line`);
        }
        const texts = await Promise.all(licensesIn(license).map(licenseText));
        text = [`${lines.join("\n")}\n`, ...texts].join("\n");
      }
      return { name: found.name, version: found.version, integrity, license, text };
    }),
  );
}

const RULE = `${"=".repeat(80)}\n`;

/**
 * The text of THIRD-PARTY-LICENSES.
 *
 * @param bun The version of the runtime.
 * @throws {Error} Where a licence's text is missing.
 */
export async function thirdPartyLicenses(
  packages: readonly Package[],
  runtime: RuntimeParts,
  bun: string,
): Promise<string> {
  const parts = [runtime, ...runtime.components];
  const ids = [...new Set(parts.flatMap(({ license }) => licensesIn(license)))].sort();
  const texts = await Promise.all(ids.map(async (id) => `${RULE}${id}\n\n${await licenseText(id)}`));
  return [
    `nonzero is under the MIT licence, which is in LICENSE. Its executables also hold what is named here.

The program has npm packages in it, each with its licence below. It is compiled on ${runtime.name} ${bun}, which links the
libraries that are listed after them; the texts of their licences are at the end. JavaScriptCore and TinyCC are
under the LGPL: their source is at the addresses given, and with nonzero's own source the program can be put on a
runtime with another version of them (make dist; BUILD.json says what this one was made of).
`,
    ...packages.map(({ name, version, license, text }) =>
      `${RULE}${name} ${version} (${license})\n\n${text}`
    ),
    `${RULE}${runtime.name} ${bun}\n\n${
      parts.map(({ name, license, url, copyright }) =>
        `${name}\n${[license, url, ...copyright].map((line) => `    ${line}\n`).join("")}`
      ).join("\n")
    }`,
    ...texts,
  ].join("\n");
}
