/** `nonzero explain` says what the hook itself then does, and why. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { type Tree, withFolder } from "../black-box.ts";
import { expand } from "../expand.ts";
import { canRun, posix, runNonzero } from "./wired.ts";

/** One line of tests/cases/explain. */
interface Case {
  readonly case: string;
  /** What is neither text, null nor a link is written as JSON; `-` in the place of a folder leaves it out. */
  readonly tree: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly event?: Readonly<Record<string, unknown>>;
  readonly stdin?: string;
  readonly decision: string;
  /** The rules that refuse, all others pass; null: none is asked. */
  readonly refused: readonly string[] | null;
  /** The rules that are asked, where they are not those of pre-tool-use. */
  readonly rules?: readonly string[];
  readonly says: readonly string[];
  /** The event holds a secret, which must come back nowhere. */
  readonly hides?: boolean;
}

interface Explanation {
  readonly schema: number;
  readonly hook: string;
  readonly decision: string;
  readonly exit: number;
  readonly rules: readonly {
    readonly rule: string;
    readonly decision: string;
    readonly looked: readonly string[];
    readonly why: readonly string[];
    readonly fix: readonly string[];
  }[];
}

const CASES = fromFileUrl(new URL("../cases/explain", import.meta.url));

const RULES: Readonly<Record<string, readonly string[]>> = {
  "pre-tool-use": [
    "stay-inside-worktree",
    "unread-fields",
    "no-secrets-written",
    "within-budget",
    "guard-untouched",
    "no-secrets-in-evidence",
  ],
  "stop-guard": ["claims-are-proven"],
};

/** The test's tree, as `withFolder` takes it. */
function treeOf(tree: Case["tree"], text: (template: string) => string): Tree {
  const kept = Object.entries(tree).filter(([, content]) => content !== "-");
  return Object.fromEntries(kept.map(([path, content]) => {
    if (content === null) return [path, null];
    if (typeof content === "object" && "link" in content) return [path, { link: String(content.link) }];
    return [path, text(typeof content === "string" ? content : JSON.stringify(content))];
  }));
}

async function check(test: Case): Promise<void> {
  const plain = treeOf(test.tree, expand);
  await withFolder({ project: null, ...plain }, async (folder) => {
    const fill = (template: string) => expand(template.replaceAll("{work}", folder));
    for (const [path, content] of Object.entries(plain)) {
      if (typeof content === "string") await Deno.writeTextFile(join(folder, path), fill(content));
    }
    const stdin = fill(test.stdin ?? JSON.stringify(test.event));
    const env = Object.fromEntries(
      Object.entries(test.env ?? {}).map(([name, value]) => [name, fill(value)]),
    );
    const args = test.args ?? [];
    const json = await runNonzero(folder, ["explain", ...args, "--json"], { stdin, env });
    const text = await runNonzero(folder, ["explain", ...args], { stdin, env });
    for (const { code, stderr } of [json, text]) assertEquals([code, stderr], [0, ""]);

    const explained: Explanation = JSON.parse(json.stdout);
    assertEquals([explained.schema, explained.decision], [1, test.decision], json.stdout);
    const refused = test.refused;
    const all = refused === null ? [] : test.rules ?? RULES[explained.hook] ?? [];
    assertEquals(
      explained.rules.map(({ rule, decision }) => [rule, decision]).sort(),
      all.map((rule) => [rule, refused?.includes(rule) ? "refuses" : "passes"]).sort(),
      json.stdout,
    );
    for (const { decision, looked, why, fix } of explained.rules) {
      assert(looked.length > 0 && why.length > 0, json.stdout);
      assertEquals(fix.length > 0, decision === "refuses", json.stdout);
    }
    for (const part of test.says) {
      assertStringIncludes(text.stdout, fill(part));
      assertStringIncludes(json.stdout, JSON.stringify(fill(part)).slice(1, -1));
    }
    if (test.hides) {
      const secret = expand("gh{|}p_{alnum:36}");
      assert(stdin.includes(secret) && !`${json.stdout}${text.stdout}`.includes(secret), text.stdout);
    }
    // deno-lint-ignore no-control-regex -- what a terminal obeys
    assert(!/[\x00-\x09\x0b-\x1f\x7f]/.test(json.stdout + text.stdout), text.stdout);

    // The hook itself does what was said.
    const harness = args[args.indexOf("--harness") + 1];
    const options = args.includes("--harness") && harness ? ["--harness", harness] : [];
    const hook = await runNonzero(folder, ["-z", "hook", explained.hook, ...options], { stdin, env });
    assertEquals(hook.code, explained.exit, `${hook.stderr}${text.stdout}`);
    assertMatch(text.stdout, new RegExp(`^${explained.hook} .*(?:: exit ${hook.code}\\.)\\n`));
    if (explained.hook === "stop-guard") {
      assertEquals(hook.stdout !== "", explained.decision === "sends back", hook.stdout);
    }
    for (const rule of refused ?? []) {
      if (explained.hook !== "stop-guard") assertStringIncludes(hook.stderr, `DENY  ${rule}: `);
    }
  });
}

if (canRun && posix) {
  for (const { name } of Deno.readDirSync(CASES)) {
    const cases: readonly Case[] = JSON.parse(Deno.readTextFileSync(join(CASES, name)));
    for (const test of cases) {
      Deno.test(`explain, ${name.replace(/\.json$/, "")}: ${test.case}`, () => check(test));
    }
  }

  Deno.test("explain: mistakes on the command line are exit code 64", () =>
    withFolder({ project: null }, async (folder) => {
      const mistakes = [["--hook", "post-code"], ["--hook"], ["--harness", "none"], ["--verbose"], [
        "event.json",
      ]];
      for (const args of mistakes) {
        const { code, stdout, stderr } = await runNonzero(folder, ["explain", ...args], { stdin: "{}" });
        assertEquals([code, stdout], [64, ""], args.join(" "));
        assertMatch(stderr, /^nonzero: .+\nRun nonzero --help for what there is\.\n$/);
      }
    }));

  Deno.test("explain: --help says what its exit codes mean", () =>
    withFolder({ project: null }, async (folder) => {
      const { code, stdout } = await runNonzero(folder, ["explain", "--help"]);
      assertEquals(code, 0);
      for (const part of ["--hook NAME", "--harness NAME", "--json", "64"]) {
        assertStringIncludes(stdout, part);
      }
    }));
}
