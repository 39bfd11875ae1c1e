import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import type { Facts, Guard, Rule } from "../../../lib/contract/hook.ts";
import { type ShellHandler, wire, wiredHooks } from "../../../lib/harness/claude-wiring.ts";
import { STOP_JUDGE } from "../../../lib/harness/stop-judge.ts";
import { registry } from "../../../toolchain/registry.ts";
import { run, withFolder } from "../../black-box.ts";

const hooks = registry.flatMap((entry) => entry.folder === "hooks" ? [entry.unit] : []);
const guards = wiredHooks(hooks).filter(({ kind }) => kind === "guard");

function rule(id: string): Rule<Facts> {
  return { id, refuses: "", satisfy: "", check: () => [] };
}

function guard(name: string, rules: readonly Rule<Facts>[]): Guard {
  return { kind: "guard", name, summary: "", rules };
}

Deno.test("wiredHooks: leaves out a guard whose rules another one runs, and nothing else", () => {
  const [a, b, c] = [rule("a"), rule("b"), rule("c")];
  const [all, part, other] = [guard("all", [a, b]), guard("part", [b]), guard("other", [b, c])];
  assertEquals(wiredHooks([part, all, other]), [all, other]);
  assertEquals(wiredHooks([part]), [part]);
  const observers = hooks.filter(({ kind }) => kind !== "guard");
  assertEquals(wiredHooks(observers), observers);
});

Deno.test("wiredHooks: of two guards with the same rules the first is wired", () => {
  // The same rule may be another object: one that leaves out what a rule beside it names.
  const [one, two] = [guard("one", [rule("a")]), guard("two", [rule("a")])];
  assertEquals(wiredHooks([one, two]), [one]);
  assertEquals(guards.map(({ name }) => name), ["pre-tool-use"]);
});

Deno.test("wire: every hook is called for its events, and guards alone block where they fail", () => {
  const wiring = wire(hooks, { program: "/opt/nonzero", judge: true });
  assertEquals(Object.keys(wiring).sort(), [
    "InstructionsLoaded",
    "PreToolUse",
    "SessionStart",
    "Stop",
    "SubagentStop",
  ]);
  for (const [event, groups] of Object.entries(wiring)) {
    for (const handler of groups.flatMap((group) => group.hooks)) {
      if (handler.type === "prompt") continue;
      assertEquals(handler.command, "/opt/nonzero");
      assertEquals("onFailure" in handler, event === "PreToolUse");
      assertEquals("args" in handler && handler.args[0], "-z");
    }
  }
});

Deno.test("wire: the judge stands beside stop-guard at Stop alone, and can be left out", () => {
  const prompts = (judge: boolean) =>
    Object.entries(wire(hooks, { program: "/opt/nonzero", judge })).flatMap(([event, groups]) =>
      groups.flatMap((group) => group.hooks).flatMap((handler) =>
        handler.type === "prompt" ? [[event, handler.prompt]] : []
      )
    );
  assertEquals(prompts(true), [["Stop", STOP_JUDGE]]);
  assertEquals(prompts(false), []);
});

/** The command lines for a program's path. */
function commands(program: string): readonly string[] {
  const wiring = wire(hooks, { program, judge: true, shell: true });
  assertEquals(Object.keys(wiring), ["PreToolUse"]);
  return (wiring["PreToolUse"] ?? []).flatMap((group) => group.hooks).map((handler) => {
    assert(!("args" in handler) && !("onFailure" in handler));
    return (handler as ShellHandler).command;
  });
}

Deno.test("wire, shell: a path of Windows has slashes, which sh takes as they are", () => {
  for (
    const [path, written] of [["C:\\Program Files\\nonzero.exe", "'C:/Program Files/nonzero.exe'"], [
      "\\\\server\\share\\nonzero.exe",
      "'//server/share/nonzero.exe'",
    ], ["/opt/a\\b", "'/opt/a\\b'"]] as const
  ) {
    for (const command of commands(path)) {
      assertStringIncludes(command, `test -s ${written} && ${written} -z hook `);
    }
  }
});

const NAMES = [
  "nonzero",
  "with space",
  "it's",
  'dou"ble',
  "dollar$HOME$(false)`false`",
  "a;b&c|d",
  "*?[a]",
  "-n",
  "back\\slash",
  "two\nlines",
  "hash #{}!~",
];

/** A stand-in for the program: it prints its arguments and its input, and exits with this code. */
function standIn(code: number): string {
  return `#!/bin/sh\nprintf '%s ' "$@"\ncat\necho said >&2\nexit ${code}\n`;
}

/** What stands at the program's path, and how the command line ends. */
const STATES: readonly {
  readonly name: string;
  readonly put: (path: string) => Promise<void>;
  readonly code: number;
  /** The program ran. */
  readonly ran: boolean;
}[] = [
  ...[0, 1, 2, 3, 127].map((code) => ({
    name: `a program that exits ${code}`,
    put: (path: string) => Deno.writeTextFile(path, standIn(code), { mode: 0o755 }),
    code: code === 0 ? 0 : 2,
    ran: true,
  })),
  {
    name: "a program that is killed",
    put: (path) => Deno.writeTextFile(path, "#!/bin/sh\nkill -9 $$\n", { mode: 0o755 }),
    code: 2,
    ran: false,
  },
  { name: "nothing", put: () => Promise.resolve(), code: 2, ran: false },
  {
    name: "an empty file",
    put: (path) => Deno.writeTextFile(path, "", { mode: 0o755 }),
    code: 2,
    ran: false,
  },
  {
    name: "a file that may not be run",
    put: (path) => Deno.writeTextFile(path, standIn(0), { mode: 0o644 }),
    code: 2,
    ran: false,
  },
  { name: "a folder", put: (path) => Deno.mkdir(path), code: 2, ran: false },
];

for (const shell of ["sh", "bash"]) {
  Deno.test({
    name: `wire, shell: the command line under ${shell}, whatever the path is called and whatever is there`,
    ignore: Deno.build.os === "windows",
    async fn() {
      for (const { name, put, code, ran } of STATES) {
        await withFolder({}, async (folder) => {
          for (const file of NAMES) {
            const path = join(folder, file);
            await put(path);
            const [command = "", ...more] = commands(path);
            assertEquals([more.length, guards.length], [0, 1]);
            const outcome = await run([shell, "-c", command], { stdin: "the event" });
            assertEquals(outcome.code, code, `${name} at ${file}: ${outcome.stderr}`);
            const printed = `-z hook ${guards[0]?.name} --harness claude the event`;
            assertEquals(outcome.stdout, ran ? printed : "", `${name} at ${file}`);
            assertEquals(outcome.stderr.includes("said\n"), ran);
            assertEquals(outcome.stderr.endsWith("nonzero refused, or is missing\n"), code === 2);
          }
        });
      }
    },
  });
}
