/** What the README shows is what happens. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, fromFileUrl, join } from "@std/path";
import { parseConfig } from "../lib/config/parse.ts";
import { gatesTable } from "../lib/cli/list.ts";
import { PATTERNS } from "../lib/secrets/patterns.ts";
import { registry } from "../toolchain/registry.ts";
import { run, withFolder } from "./black-box.ts";

const ROOT = dirname(dirname(fromFileUrl(import.meta.url)));
const readme = Deno.readTextFileSync(join(ROOT, "README.md"));

function blocks(language: string): string[] {
  return [...readme.matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? "");
}

/** Commands that call a program, and what the README says that they print. */
function examples(program: RegExp): { script: string; printed: string }[] {
  return [...readme.matchAll(/^```sh\n((?:(?!```)[^])*?)^```\n+```text\n([^]*?)^```$/gm)]
    .map(([, script = "", printed = ""]) => ({ script, printed }))
    .filter(({ script }) => program.test(script));
}

Deno.test("README: the first refusal is as printed", async () => {
  const script = blocks("sh").find((block) => block.includes("dist/host/hooks/pre-tool-use"));
  const { stdout } = await run(["sh", "-c", `{ ${script ?? "false"} } 2>&1`], { cwd: ROOT });
  assertEquals(stdout, blocks("text")[0]);
});

Deno.test("README: the walk-through sets a project up, finds it sound, and refuses a write outside", async () => {
  const script = blocks("sh").find((block) => block.includes("nonzero install"));
  await withFolder({}, async (folder) => {
    const { code, stdout, stderr } = await run(["sh", "-c", script ?? "false"], {
      cwd: folder,
      env: { HOME: join(folder, "home"), PATH: `${join(ROOT, "dist", "host")}:${Deno.env.get("PATH")}` },
    });
    assertEquals(code, 0, stderr);
    const lines = stdout.trimEnd().split("\n");
    assert(lines.filter((line) => line.startsWith("PASS")).length >= 4, stdout);
    assert(lines.some((line) => line.startsWith("Sound: 5 hooks")), stdout);
    assertEquals(lines.at(-1), "exit 2");
    assertStringIncludes(stderr, "DENY  stay-inside-worktree: ");
  });
});

Deno.test("README: the examples of the other hooks print what stands below them", async () => {
  const pairs = examples(/dist\/host\/hooks\/(?:evidence|stop)-guard/);
  assertEquals(pairs.length, 2);
  for (const { script, printed } of pairs) {
    const { stdout } = await run(["sh", "-c", `{ ${script} } 2>&1`], { cwd: ROOT });
    assertEquals(stdout, printed);
  }
});

Deno.test("README: the examples of gates print what stands below them", async () => {
  const pairs = examples(/dist\/host\/gates\//);
  assertEquals(pairs.length, 2);
  await withFolder({ dist: { link: join(ROOT, "dist") } }, async (cwd) => {
    for (const { script, printed } of pairs) {
      const { code, stdout } = await run(["sh", "-c", `{ ${script} } 2>&1`], { cwd });
      assertEquals([code, stdout], [0, printed]);
    }
  });
});

Deno.test("README: the table of gates is that of the registry", () =>
  assertStringIncludes(readme, `\n\n${gatesTable(registry)}\n`));

Deno.test("README: the configurations are valid", () => {
  const [, project = "", user = ""] = blocks("json");
  assert(parseConfig(project, "project").records);
  const { projects = {} } = parseConfig(user, "user");
  const accepted = Object.values(projects).flatMap(({ accept = [] }) => accept.map(({ pattern }) => pattern));
  assertEquals(accepted.filter((id) => !PATTERNS.some((pattern) => pattern.id === id)), []);
  assert(accepted.length > 0);
});

Deno.test("README: names every hook, and every rule of a guard", () => {
  for (const { folder, unit } of registry) {
    if (folder === "hooks") assertStringIncludes(readme, `\`${unit.name}\``);
    if (unit.kind === "guard") {
      for (const { id } of unit.rules) assertStringIncludes(readme, `| \`${id}\` `);
    }
  }
});

Deno.test("README: every make target that it names is there", async () => {
  const makefile = await Deno.readTextFile(join(ROOT, "Makefile"));
  const named = new Set([...readme.matchAll(/`make ([a-z-]+)/g)].map((match) => match[1]));
  assert(named.size > 8);
  for (const target of named) assert(new RegExp(`^${target}:`, "m").test(makefile), `make ${target}`);
});

Deno.test("README: the files that it links to are there", () => {
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1] ?? "");
  assert(links.length >= 2);
  for (const link of links) {
    const { isFile, isDirectory } = Deno.statSync(join(ROOT, link));
    assert(isFile || isDirectory, link);
  }
});

Deno.test("SECURITY: the tests that it names are there", async () => {
  const text = await Deno.readTextFile(join(ROOT, "SECURITY.md"));
  const rows = text.split("\n").filter((line) => line.startsWith("| ")).slice(2);
  assert(rows.length >= 12);
  for (const row of rows) {
    const named = [...row.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
    assert(named.length > 0, row);
    for (const [, title, link = ""] of named) {
      assertEquals(title, link);
      assert(Deno.statSync(join(ROOT, link)).isFile, link);
    }
  }
});
