import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { type Flavour, flavours, leftOut, type Outcome, run, type Tree, withFolder } from "../black-box.ts";
import { registry } from "../../toolchain/registry.ts";
import { expand } from "../expand.ts";

/** One line of tests/cases/<guard>: a call and what has to come of it. */
interface Case {
  readonly case: string;
  readonly tree?: Record<string, string | null | { link: string }>;
  /** The folder that the event happens in, below the test's own; `cwd` of the event. */
  readonly cwd?: string;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly event?: Record<string, unknown>;
  readonly stdin?: string;
  readonly exit: 0 | 2;
  readonly stdout?: "allow" | "deny" | "claude deny" | "";
  /** The rules that refuse, each and no others. */
  readonly rules?: readonly string[];
  /** What stderr has in it. */
  readonly says?: readonly string[];
  /** The input holds a secret, which must come back nowhere. */
  readonly hides?: boolean;
  /** Needs symlinks. */
  readonly posix?: boolean;
}

const CASES = fromFileUrl(new URL("../cases", import.meta.url));

/** The hooks that refuse tool calls; each has a folder of cases. */
const GUARDS = registry.flatMap(({ unit }) => unit.kind === "guard" ? [unit.name] : []);

/** Fills the placeholders of every string in a value. */
function fill(value: unknown, text: (template: string) => string): unknown {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((inner) => fill(inner, text));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), fill(inner, text)]));
}

function denied(stderr: string): string[] {
  const rules = [...stderr.matchAll(/^DENY {2}([a-z-]+): /gm)].map((match) => match[1] ?? "");
  return [...new Set(rules)].sort();
}

function checkStdout(expected: NonNullable<Case["stdout"]>, outcome: Outcome): void {
  if (expected !== "claude deny") {
    assertEquals(outcome.stdout, expected === "" ? "" : `${expected}\n`);
    return;
  }
  assert(outcome.stdout.startsWith("{") && outcome.stdout.endsWith("}\n"), outcome.stdout);
  const { hookSpecificOutput, ...rest } = JSON.parse(outcome.stdout);
  const { permissionDecisionReason, ...decision } = hookSpecificOutput;
  assertEquals(rest, {});
  assertEquals(decision, { hookEventName: "PreToolUse", permissionDecision: "deny" });
  assertEquals(permissionDecisionReason, outcome.stderr.trimEnd());
}

async function check(guard: string, test: Case, flavour: Flavour): Promise<void> {
  const tree: Tree = { ...test.cwd === undefined ? {} : { [test.cwd]: null }, ...test.tree };
  const secrets: string[] = [];
  const secret = (template: string) => {
    const value = expand(template);
    if (value !== template) secrets.push(value);
    return value;
  };
  // `{config}`: where the user's configuration lies in the test's own home.
  const place = (path: string) =>
    path.replace("{config}", `home/${flavour.posix ? ".config" : "AppData/Roaming"}/nonzero`);
  const files = Object.fromEntries(
    Object.entries(tree).map((
      [path, content],
    ) => [place(path), typeof content === "string" ? secret(content) : content]),
  );
  await withFolder(files, async (folder) => {
    const work = flavour.path(folder);
    const text = (template: string) =>
      secret(template.replaceAll("{work}", work).replaceAll("{cwd}", `${work}/${test.cwd ?? ""}`));
    for (const [path, content] of Object.entries(files)) {
      if (typeof content !== "string" || !content.includes("{work}")) continue;
      await Deno.writeTextFile(
        `${folder}/${path}`,
        content.replaceAll("{work}", work.replaceAll("\\", "\\\\")),
      );
    }
    const inJson = (template: string) => JSON.stringify(text(template)).slice(1, -1);
    const cwd = test.cwd === undefined ? {} : { cwd: text("{cwd}") };
    const stdin = test.event
      ? JSON.stringify({ ...cwd, ...fill(test.event, text) as Record<string, unknown> })
      : (test.stdin ?? "").replaceAll(/\{work\}|\{cwd\}/g, inJson);
    const outcome = await run(flavour.start(guard), {
      args: test.args ?? [],
      stdin,
      cwd: folder,
      env: flavour.home(`${work}/home`, fill(test.env ?? {}, text) as Record<string, string>),
    });
    const context = `${JSON.stringify(outcome)}\nfor ${stdin.slice(0, 500)}`;
    assertEquals(outcome.code, test.exit, context);
    if (test.stdout !== undefined) checkStdout(test.stdout, outcome);
    if (test.exit === 0) assertEquals(outcome.stderr, "");
    else assert(outcome.stderr.trim() !== "", "a refusal says why");
    if (test.rules) assertEquals(denied(outcome.stderr), [...test.rules].sort(), context);
    for (const part of test.says ?? []) assertStringIncludes(outcome.stderr, text(part));
    assert(!/\n\s+at /.test(outcome.stderr), "no stack trace");
    if (test.hides) {
      assert(secrets.length > 0, "the case holds a secret");
      for (const value of secrets) {
        const token = /[A-Za-z0-9_+/=.-]{20,}/.exec(value)?.[0] ?? value;
        assert(
          !outcome.stderr.includes(token) && !outcome.stdout.includes(token),
          `the secret is printed: ${context}`,
        );
      }
    }
  });
}

for (const flavour of flavours()) {
  for (const guard of GUARDS) {
    for (const file of [...Deno.readDirSync(`${CASES}/${guard}`)].map(({ name }) => name).sort()) {
      const cases: Case[] = JSON.parse(Deno.readTextFileSync(`${CASES}/${guard}/${file}`));
      for (const [at, test] of cases.entries()) {
        if (test.posix && !flavour.posix) continue;
        Deno.test({
          name: `${guard} (${flavour.name}) ${file.replace(".json", "")}: ${test.case}`,
          ignore: leftOut(at),
          fn: () => check(guard, test, flavour),
        });
      }
    }
  }
}
