import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { type Flavour, flavours, leftOut, run, type Tree, withFolder } from "../black-box.ts";
import { type Line, transcript } from "./transcript.ts";

/** One line of tests/cases/stop-guard: an end of a turn and what has to come of it. */
interface Case {
  readonly case: string;
  /** What the test's folder holds; `{work}` in texts and links is that folder. */
  readonly tree?: Record<string, string | null | { link: string }>;
  /** The lines of the transcript, in short: see transcript.ts; absent: there is no such file. */
  readonly turn?: readonly Line[];
  /** The final message; absent: the event does not have it. */
  readonly message?: string;
  /** Further keys of the event, over those that every case has; null removes one. */
  readonly event?: Record<string, unknown>;
  readonly blocks: boolean;
  /** What the reason has in it. */
  readonly says?: readonly string[];
  /** What the reason must not have in it. */
  readonly silent?: readonly string[];
  /** Needs symlinks. */
  readonly posix?: boolean;
}

const CASES = fromFileUrl(new URL("../cases/stop-guard", import.meta.url));

/** The event of a case, and its files. */
async function check(test: Case, flavour: Flavour): Promise<void> {
  const tree: Tree = { project: null, ...test.tree };
  await withFolder(tree, async (folder) => {
    const work = flavour.path(folder);
    const fill = (text: string) => text.replaceAll("{work}", JSON.stringify(work).slice(1, -1));
    if (test.turn) {
      await Deno.writeTextFile(
        `${folder}/transcript.jsonl`,
        fill(transcript(test.turn, test.event?.hook_event_name === "SubagentStop")),
      );
    }
    const event = {
      session_id: "6f1c9a52-40d3-4a53-9d5e-0b6a3c1d2e4f",
      transcript_path: `${work}/transcript.jsonl`,
      cwd: `${work}/project`,
      hook_event_name: "Stop",
      stop_hook_active: false,
      background_tasks: [],
      session_crons: [],
      ...test.message === undefined ? {} : { last_assistant_message: test.message },
      ...test.event,
    };
    const kept = Object.entries(event).filter(([, value]) => value !== null);
    const stdin = fill(JSON.stringify(Object.fromEntries(kept)));
    const outcome = await run(flavour.start("stop-guard"), {
      args: ["-z", "--harness", "claude"],
      stdin,
      cwd: folder,
      env: flavour.home(`${work}/home`),
    });
    const context = `${JSON.stringify(outcome)}\nfor ${stdin.slice(0, 500)}`;
    assertEquals([outcome.code, outcome.stderr], [0, ""], context);
    if (!test.blocks) {
      assertEquals(outcome.stdout, "", context);
      return;
    }
    assert(outcome.stdout.startsWith("{") && outcome.stdout.endsWith("}\n"), context);
    const { decision, reason, ...rest } = JSON.parse(outcome.stdout);
    assertEquals([decision, rest], ["block", {}]);
    assert(reason.length <= 2000);
    assertStringIncludes(reason, "UNVERIFIED");
    for (const part of test.says ?? []) assertStringIncludes(reason, part);
    for (const part of test.silent ?? []) assert(!reason.includes(part), context);
  });
}

for (const flavour of flavours()) {
  for (const file of [...Deno.readDirSync(CASES)].map(({ name }) => name).sort()) {
    const cases: Case[] = JSON.parse(Deno.readTextFileSync(`${CASES}/${file}`));
    for (const [at, test] of cases.entries()) {
      if (test.posix && !flavour.posix) continue;
      Deno.test({
        name: `stop-guard (${flavour.name}) ${file.replace(".json", "")}: ${test.case}`,
        ignore: leftOut(at),
        fn: () => check(test, flavour),
      });
    }
  }
}
