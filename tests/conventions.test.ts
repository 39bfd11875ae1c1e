/** What holds for the source tree as a whole. */
import { assert, assertEquals } from "@std/assert";
import { dirname, fromFileUrl, join, relative } from "@std/path";
import { VERSION } from "../lib/contract/version.ts";
import { rows } from "../nonzero.ts";
import { registry } from "../toolchain/registry.ts";

const ROOT = dirname(dirname(fromFileUrl(import.meta.url)));

/** Each folder may import from its own and from those in the lines above. */
const LAYERS: readonly (readonly string[])[] = [
  ["lib/contract"],
  ["lib/paths", "lib/secrets", "lib/evidence", "lib/transcript", "lib/release"],
  ["lib/rules"],
  ["lib/harness"],
  ["lib/io", "lib/config", "lib/install"],
  ["lib/run"],
  ["lib/doctor"],
  ["lib/cli", "hooks", "gates"],
  ["."],
];

function* sources(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(join(ROOT, folder))) {
    const path = folder === "." ? name : `${folder}/${name}`;
    if (isDirectory) yield* sources(path);
    else if (/\.ts$/.test(name) && !name.endsWith(".d.ts")) yield path;
  }
}

const product = [...sources("lib"), ...sources("hooks"), ...sources("gates"), "nonzero.ts"];
const text = (path: string) => Deno.readTextFileSync(join(ROOT, path));

function folderOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first === "lib" ? `${first}/${second}` : path.includes("/") ? first : ".";
}

function importsOf(path: string): string[] {
  return [...text(path).matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)"|import\("([^"]+)"\)/gm)]
    .map((match) => match[1] ?? match[2] ?? "");
}

Deno.test("imports: point one way, from the program down to the contract", () => {
  const level = (folder: string) => LAYERS.findIndex((folders) => folders.includes(folder));
  let checked = 0;
  for (const path of product) {
    const from = folderOf(path);
    assert(level(from) >= 0, `${path} is in no layer`);
    for (const specifier of importsOf(path).filter((specifier) => specifier.startsWith("."))) {
      const to = folderOf(relative(ROOT, join(ROOT, dirname(path), specifier)).replaceAll("\\", "/"));
      assert(
        to === from || level(to) < level(from),
        `${path} imports ${specifier}: ${from} may not know ${to}`,
      );
      checked++;
    }
  }
  assert(checked > 40);
});

Deno.test("imports: the world is touched in lib/io alone", () => {
  for (const path of product.filter((path) => folderOf(path) !== "lib/io")) {
    const touching = importsOf(path).filter((specifier) => specifier.startsWith("node:"));
    assertEquals(touching, [], path);
    const code = text(path).replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "");
    assert(!/\b(?:Deno|Bun|process|console|Date|fetch)\./.test(code), path);
    assert(!/Math\.random|new Date|performance\./.test(code), path);
  }
});

Deno.test("imports: every name from outside is in deno.json", () => {
  const { imports } = JSON.parse(text("deno.json"));
  for (const path of product) {
    for (const specifier of importsOf(path).filter((specifier) => !/^(?:\.|node:)/.test(specifier))) {
      assert(Object.hasOwn(imports, specifier), `${path}: ${specifier}`);
    }
  }
});

Deno.test("imports: every dependency is pinned exactly", () => {
  const { imports } = JSON.parse(text("deno.json"));
  for (const specifier of Object.values<string>(imports)) {
    assert(/^npm:(?:@[a-z0-9-]+\/)?[a-z0-9-]+@\d+\.\d+\.\d+(?:\/[a-z/_.]+)?$/.test(specifier), specifier);
  }
  const { optionalDependencies } = JSON.parse(text("toolchain/package.json"));
  for (const version of Object.values<string>(optionalDependencies)) assert(/^\d+\.\d+\.\d+$/.test(version));
});

Deno.test("registry: one row for each file of hooks and gates, of the same name", () => {
  const files = [...sources("hooks"), ...sources("gates")].sort();
  const rows = registry.map(({ folder, unit }) => `${folder}/${unit.name}.ts`).sort();
  assertEquals(rows, files);
});

Deno.test("registry: each row loads what it names", () => {
  const told = rows.map(({ folder, name, kind }) => ({ folder, name, kind }));
  assertEquals(told, registry.map(({ folder, unit: { name, kind } }) => ({ folder, name, kind })));
});

Deno.test("registry: rules have one id each, and say what they refuse and how to satisfy them", () => {
  for (const { unit } of registry) {
    if (!("rules" in unit)) continue;
    const ids = unit.rules.map(({ id }) => id);
    assertEquals(ids.length, new Set(ids).size);
    for (const { id, refuses, satisfy } of unit.rules) {
      assert(/^[a-z]+(?:-[a-z]+)*$/.test(id), id);
      assert(refuses.length > 10 && satisfy.length > 10, id);
    }
  }
});

Deno.test("registry: every rule is a file of its name, and every such file a rule of some entry", () => {
  const ids = new Set(
    registry.flatMap(({ unit }) => "rules" in unit ? unit.rules.map(({ id }) => `lib/rules/${id}.ts`) : []),
  );
  assertEquals([...ids].sort(), [...sources("lib/rules")].sort());
});

Deno.test("entries: run only as the main module, by their last line", () => {
  for (const path of [...registry.map(({ folder, unit }) => `${folder}/${unit.name}.ts`), "nonzero.ts"]) {
    const lines = text(path).trimEnd().split("\n");
    assert(/^if \(import\.meta\.main\) run\w+\(\w+\);$/.test(lines.at(-1) ?? ""), path);
    assertEquals(lines.filter((line) => line.includes("import.meta.main")).length, 1, path);
  }
});

Deno.test("VERSION: deno.json has the same", () =>
  assertEquals(VERSION, JSON.parse(text("deno.json")).version));

Deno.test("files: are named in kebab-case", () => {
  for (const path of [...product, ...sources("toolchain").filter((path) => !path.includes("node_modules"))]) {
    assert(/^(?:[a-z0-9-]+\/)*[a-z0-9-]+(?:\.test)?\.ts$/.test(path), path);
  }
});

Deno.test("docs: every exported symbol says what it is", () => {
  const missing = product.flatMap((path) => {
    const lines = text(path).split("\n");
    return lines.flatMap((line, at) => {
      const name =
        /^export (?:declare |abstract |async )*(?:function\*?|const|let|class|interface|type|enum) (\w+)/
          .exec(line)?.[1];
      return name && !lines[at - 1]?.endsWith("*/") ? [`${path}: ${name}`] : [];
    });
  });
  assertEquals(missing, []);
});
