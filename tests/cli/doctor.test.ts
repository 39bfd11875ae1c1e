import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { type Tree, withFolder } from "../black-box.ts";
import { expand } from "../expand.ts";
import { canRun, findProgram, posix, type Report, runNonzero, wiring, writeScript } from "./wired.ts";

/** One line of tests/cases/doctor: a home and a project, and what is found there. */
interface Case {
  readonly case: string;
  /** Values that are no text are written as JSON. What lies under `bin` is made a script that can be run. */
  readonly tree: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly exit: 0 | 1 | 2;
  /** All findings but notes, in order: level and id. */
  readonly findings: readonly string[];
  /** The verdicts on the entries, in order. */
  readonly verdicts?: readonly string[];
  /** What the messages and remedies have in them. */
  readonly says?: readonly string[];
  /** Files that must not be there afterwards. */
  readonly absent?: readonly string[];
}

const CASES = fromFileUrl(new URL("../cases/doctor", import.meta.url));

/** Fills in what stands for a wiring: `{hooks}` all of it, `{guard}` that of the guard alone, `{shell}` for sh. */
function filler(folder: string, program: string): (text: string) => string {
  const values: Record<string, unknown> = {
    hooks: wiring(program),
    guard: wiring(program, { guardOnly: true }),
    plugin: wiring("${CLAUDE_PLUGIN_ROOT}/nonzero", { guardOnly: true }),
    shell: wiring(program, { shell: true }),
    brokenShell: wiring(join(folder, "bin", "nonzero"), { shell: true }),
    bin: wiring(join(folder, "bin", "nonzero"), { guardOnly: true }),
    ours: wiring(join(folder, "project", "bin", "nonzero"), { guardOnly: true }),
  };
  return (text) => {
    let filled = text.replaceAll("{work}", folder).replaceAll("{program}", program);
    for (const [name, value] of Object.entries(values)) {
      const json = JSON.stringify(value);
      filled = filled.replaceAll(`"{${name}}"`, json).replaceAll(`{${name}}`, json);
    }
    return expand(filled);
  };
}

async function plant(folder: string, tree: Case["tree"], fill: (text: string) => string): Promise<void> {
  await Deno.mkdir(join(folder, "project"), { recursive: true });
  for (const [path, content] of Object.entries(tree)) {
    const full = join(folder, path);
    await Deno.mkdir(content === null ? full : join(full, ".."), { recursive: true });
    if (content === null) continue;
    const text = fill(typeof content === "string" ? content : JSON.stringify(content));
    if (/(?:^|\/)bin\//.test(path)) await writeScript(full, text);
    else await Deno.writeTextFile(full, text);
  }
}

async function check(test: Case): Promise<void> {
  await withFolder({} satisfies Tree, async (folder) => {
    const fill = filler(folder, await findProgram(folder));
    await plant(folder, test.tree, fill);
    const env = Object.fromEntries(
      Object.entries(test.env ?? {}).map(([name, value]) => [
        name,
        fill(value).replaceAll("{path}", Deno.env.get("PATH") ?? ""),
      ]),
    );
    const args = ["doctor", "--json", ...(test.args ?? []).map(fill)];
    const { code, stdout, stderr } = await runNonzero(folder, args, { env });
    assertEquals(stderr, "");
    const report: Report = JSON.parse(stdout);
    const told = JSON.stringify(report, null, 1);
    const real = report.findings.filter(({ level }) => level !== "note");
    assertEquals(real.map(({ level, id }) => `${level} ${id}`), test.findings, told);
    assertEquals(
      [code, report.exit, report.ok, report.schema],
      [test.exit, test.exit, test.exit === 0, 1],
      told,
    );
    if (test.verdicts) assertEquals(report.entries.map(({ verdict }) => verdict), test.verdicts, told);
    const texts = report.findings.map(({ message, fix, file }) => `${message} ${fix} ${file}`).join("\n");
    for (const part of test.says ?? []) assertStringIncludes(texts, fill(part));
    for (const { fix } of report.findings) assert(fix.length > 10, told);
    for (const path of test.absent ?? []) {
      await Deno.lstat(join(folder, path)).then(() => assert(false, `${path} is there`), () => {});
    }
  });
}

if (canRun && posix) {
  for (const { name } of Deno.readDirSync(CASES)) {
    const cases: readonly Case[] = JSON.parse(Deno.readTextFileSync(join(CASES, name)));
    for (const test of cases) {
      Deno.test(`doctor, ${name.replace(/\.json$/, "")}: ${test.case}`, () => check(test));
    }
  }
}
