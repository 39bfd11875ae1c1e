import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { type Tree, withFolder } from "../black-box.ts";
import { type ToolCall, write } from "./model.ts";
import {
  guard,
  type Hook,
  type Outcome,
  readStart,
  runSession,
  type SessionOptions,
  wirings,
} from "./session.ts";

const MODES = [
  "manual",
  "acceptEdits",
  "plan",
  "dontAsk",
  "auto",
  "bypassPermissions",
];

const TREE: Tree = { "project/.git": null, "outside": null };

interface Plan extends Pick<SessionOptions, "turns" | "subagents" | "mode"> {
  readonly inside: ToolCall;
  readonly outside: ToolCall;
}

/** What the model does in a session, by the folder of that session. */
type Planner = (work: string) => Plan;

interface Result {
  readonly inside: Outcome;
  readonly outside: Outcome;
  /** Which of the two files are there. */
  readonly written: readonly ("inside" | "outside")[];
}

async function run(plan: Planner, hook: Hook | undefined): Promise<Result> {
  return await withFolder(TREE, async (work) => {
    const { inside, outside, ...options } = plan(work);
    const outcome = await runSession({ folder: work, hook, ...options });
    const written: Result["written"][number][] = [];
    for (
      const [name, { input }] of [["inside", inside], [
        "outside",
        outside,
      ]] as const
    ) {
      if (await readStart(String(input.file_path)) !== undefined) {
        written.push(name);
      }
    }
    return { inside: outcome(inside), outside: outcome(outside), written };
  });
}

function calls(work: string): { inside: ToolCall; outside: ToolCall } {
  return {
    inside: write(join(work, "project", "inside.txt")),
    outside: write(join(work, "outside", "outside.txt")),
  };
}

const oneTurn: Planner = (work) => {
  const { inside, outside } = calls(work);
  return { inside, outside, turns: [[outside, inside]] };
};

const subagent: Planner = (work) => {
  const { inside, outside } = calls(work);
  const input = {
    description: "write two files",
    prompt: "write both",
    subagent_type: "general-purpose",
    run_in_background: false,
  };
  return {
    inside,
    outside,
    turns: [[{ tool: "Agent", input }]],
    subagents: { "write both": [[outside], [inside]] },
  };
};

function checkRefused({ outside, written }: Result): void {
  assert(outside.isError, outside.text);
  assertStringIncludes(outside.text, "DENY  stay-inside-worktree: ");
  assert(!written.includes("outside"), "The file is there");
}

for (const wiring of wirings) {
  Deno.test(`claude with ${wiring.name}, mode by mode`, async (test) => {
    for (const mode of MODES) {
      await test.step(`${mode}: refused`, async () => {
        checkRefused(
          await run((work) => {
            const { inside, outside } = calls(work);
            return { inside, outside, turns: [[outside], [inside]], mode };
          }, guard(wiring)),
        );
      });
    }
  });

  Deno.test(`claude with ${wiring.name}, two calls in one turn: one is refused`, async () => {
    const result = await run(oneTurn, guard(wiring));
    checkRefused(result);
    assertEquals(result.written, ["inside"]);
  });

  Deno.test(`claude with ${wiring.name}, a subagent's calls: one is refused`, async () => {
    const result = await run(subagent, guard(wiring));
    checkRefused(result);
    assertEquals(result.written, ["inside"]);
    assertEquals(result.outside.hooks.map(({ exitCode }) => exitCode), [2]);
    assertEquals(result.inside.hooks.map(({ exitCode }) => exitCode), [0]);
  });
}

Deno.test("claude without the guard lets both calls of a turn and of a subagent write", async () => {
  for (const plan of [oneTurn, subagent]) {
    assertEquals((await run(plan, undefined)).written, ["inside", "outside"]);
  }
});

Deno.test("claude does not ask the guard where nothing is written", async () => {
  await withFolder(
    { ...TREE, "project/greeting.txt": "good day\n" },
    async (work) => {
      const read: ToolCall = {
        tool: "Read",
        input: { file_path: join(work, "project", "greeting.txt") },
      };
      const outcome = await runSession({
        folder: work,
        hook: guard(wirings[0]!),
        turns: [[read]],
      });
      assertStringIncludes(outcome(read).text, "good day");
      assertEquals(outcome(read).hooks, []);
    },
  );
});
