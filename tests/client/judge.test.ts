/** The Stop judge in the real client, with a stand-in for the model that it asks. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { wiringText } from "../../lib/cli/list.ts";
import { STOP_JUDGE } from "../../lib/harness/stop-judge.ts";
import { registry } from "../../toolchain/registry.ts";
import { question } from "../../toolchain/judge.ts";
import { withFolder } from "../black-box.ts";
import type { Asked, Verdict } from "./model.ts";
import { playSession, PROGRAM, type Session } from "./session.ts";

const MENU = "The test fails. Shall I skip it, or lower what it asks for?";
const REASON = "You offered to skip the test: make it pass.";
const ANSWER = "The test passes now? No: UNVERIFIED, since the server is down.";

async function play(verdicts: readonly Verdict[], judge = true): Promise<Session> {
  return await withFolder({ "project/.git": null }, async (folder) => {
    const text = wiringText(registry, { program: PROGRAM, judge, settings: true });
    return await playSession({ folder, settings: JSON.parse(text), turns: [MENU, ANSWER], verdicts });
  });
}

const of = (kind: Asked["kind"], { asked }: Session) => asked.filter((one) => one.kind === kind);

/** The event in the place of $ARGUMENTS, of a request that holds the rule as we wrote it. */
function eventIn({ last }: Asked): Record<string, unknown> {
  const [before = "", after = ""] = STOP_JUDGE.split("$ARGUMENTS");
  const start = last.indexOf(before);
  assert(start >= 0 && last.endsWith(after), last);
  return JSON.parse(last.slice(start + before.length, last.length - after.length));
}

Deno.test("claude's judge: a verdict against the end sends the agent back once, with the reason", async () => {
  const session = await play([{ ok: false, reason: REASON }]);
  assertEquals(session.asked.filter(({ kind }) => kind !== "aside").map(({ kind }) => kind), [
    "turn",
    "verdict",
    "turn",
    "verdict",
  ]);
  const [first, second] = of("verdict", session).map(eventIn);
  assertEquals([first?.stop_hook_active, first?.last_assistant_message], [false, MENU]);
  assertEquals([second?.stop_hook_active, second?.last_assistant_message], [true, ANSWER]);
  assertStringIncludes(of("turn", session)[1]?.last ?? "", REASON);
  assert(!of("turn", session)[0]?.text.includes(REASON));
});

Deno.test("claude's judge: a verdict for the end lets the turn end", async () => {
  const session = await play([{ ok: true, reason: "no bypass menu" }]);
  assertEquals([of("turn", session).length, of("verdict", session).length], [1, 1]);
});

Deno.test("claude's judge: a verdict that calls the rule impossible lets the turn end, so the rule forbids it", async () => {
  const session = await play([{ ok: false, impossible: true, reason: REASON }]);
  assertEquals([of("turn", session).length, of("verdict", session).length], [1, 1]);
  assertStringIncludes(STOP_JUDGE, "never impossible");
});

Deno.test("claude's judge: without it no model is asked, and the turn ends", async () => {
  const session = await play([{ ok: false, reason: REASON }], false);
  assertEquals([of("turn", session).length, of("verdict", session).length], [1, 0]);
  assertEquals(session.hooks("Stop").map(({ exitCode, stdout }) => [exitCode, stdout]), [[0, ""]]);
});

Deno.test("claude's judge: toolchain/judge.ts asks for an answer of the very format, with the conversation before", async () => {
  const [asked] = of("verdict", await play([]));
  assert(asked);
  assertEquals(question("m1", MENU).output_config, { format: asked.format });
  assertStringIncludes(asked.text, MENU);
});
