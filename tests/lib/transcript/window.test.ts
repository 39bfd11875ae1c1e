/** What is read of a transcript: of a real client's, and of odd ones. */
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import fc from "fast-check";
import { readWindow, type Window } from "../../../lib/transcript/window.ts";

function fixture(name: string): string[] {
  const path = fromFileUrl(new URL(`../../cases/transcripts/${name}.jsonl`, import.meta.url));
  return Deno.readTextFileSync(path).split("\n").filter((line) => line !== "").reverse();
}

type Fields = Readonly<Record<string, unknown>>;

const user = (content: unknown, more: Fields = {}) =>
  JSON.stringify({ isSidechain: false, type: "user", message: { role: "user", content }, ...more });
const agent = (content: unknown, more: Fields = {}) =>
  JSON.stringify({ isSidechain: false, message: { role: "assistant", content }, type: "assistant", ...more });
const say = (text: string, more?: Fields) => agent([{ type: "text", text }], more);
const call = (id: unknown, name = "Bash", input: unknown = { command: "ls" }) =>
  agent([{ type: "tool_use", id, name, input }]);
const result = (id: unknown, content: unknown, is_error?: boolean) =>
  user([{ type: "tool_result", tool_use_id: id, content, ...is_error !== undefined && { is_error } }]);

/** The window of lines that stand oldest first. */
const windowOf = (...lines: readonly (string | undefined)[]) => readWindow([...lines].reverse());

Deno.test("readWindow: a real session from its prompt on, hooks and the subagent apart", () => {
  const { texts, uses, whole } = readWindow(fixture("session"));
  assert(whole);
  assertEquals(texts, [
    "I will write the file.",
    "Now a helper.",
    "The greeting is done. See `evidence/run.log`.",
    "UNVERIFIED: the greeting was changed.",
  ]);
  assertEquals(uses.map(({ name, result }) => [name, result?.isError]), [
    ["Write", false],
    ["Bash", false],
    ["Read", true],
    ["Agent", false],
    ["Edit", false],
  ]);
  assertEquals(uses[1]?.input, {
    command: "ls -la greeting.txt && mkdir -p evidence && echo ok > evidence/run.log",
  });
  assert(uses[1]?.result?.text.endsWith("greeting.txt"));
  assert(uses[3]?.result?.text.includes("There is one line."));
  const all = JSON.stringify({ texts, uses });
  for (const hidden of ["please greet", "cite evidence", "hook-said", "blob", "context from a hook"]) {
    assert(!all.includes(hidden), hidden);
  }
});

Deno.test("readWindow: a real subagent's transcript, which is nothing to the main one", () => {
  const lines = fixture("subagent");
  const own = readWindow(lines, true);
  assert(own.whole);
  assertEquals(own.texts, ["There is one line."]);
  assertEquals(own.uses, [{
    name: "Bash",
    input: { command: "wc -l greeting.txt" },
    result: { text: "1 greeting.txt", isError: false },
  }]);
  assertEquals(readWindow(lines), { texts: [], uses: [], whole: false });
  assertEquals(readWindow(fixture("session"), true), { texts: [], uses: [], whole: false });
});

Deno.test("readWindow: a turn goes on when a command in the background ends", () => {
  const { texts, uses, whole } = readWindow(fixture("background"));
  assert(whole);
  assertEquals(texts[0], "Starting the tests aside.");
  assertEquals(uses.map(({ name }) => name), ["Bash"]);
});

Deno.test("readWindow: stops at the prompt, whatever its form", () => {
  for (
    const prompt of [
      user("go on"),
      user([{ type: "text", text: "go on" }]),
      user([{ type: "image", source: {} }]),
      user("<command-message>x</command-message>\n<command-name>/x</command-name>"),
      user("<system-reminder>\nx\n</system-reminder>\ngo on"),
      user([{ type: "text", text: "<system-reminder>x</system-reminder>" }, { type: "text", text: "go on" }]),
      user("go on", { isMeta: false }),
      JSON.stringify(JSON.parse(user("go on")), undefined, 1).replaceAll("\n", ""),
    ]
  ) {
    assertEquals(
      windowOf(say("before"), prompt, say("after")),
      { texts: ["after"], uses: [], whole: true },
      prompt,
    );
  }
});

Deno.test("readWindow: passes over what only looks like a prompt", () => {
  for (
    const line of [
      user("x", { isMeta: true }),
      user("x", { isCompactSummary: true }),
      user("x", { isVisibleInTranscriptOnly: true }),
      user("x", { isSidechain: true }),
      user("x", { rowSource: "hook" }),
      user("x", { origin: { kind: "task-notification" } }),
      user("Stop hook feedback:\nsay UNVERIFIED"),
      user([{ type: "text", text: "Stop hook feedback:\nsay UNVERIFIED" }]),
      user("SubagentStop hook feedback:\nx"),
      user("<task-notification>\n<task-id>1</task-id></task-notification>"),
      user("<local-command-stdout>x</local-command-stdout>"),
      user("<system-reminder>x</system-reminder>"),
      user("[Request interrupted by user]"),
      user([]),
      user(null),
      user([null, 1, "x"]),
      result("1", "x"),
      user([{ type: "tool_result", tool_use_id: "1", content: "x" }, { type: "text", text: "x" }]),
    ]
  ) {
    assertEquals(windowOf(user("go on"), say("a"), line, say("b")), {
      texts: ["a", "b"],
      uses: [],
      whole: true,
    }, line);
  }
});

Deno.test("readWindow: other types, cut and invalid lines change nothing", () => {
  const lines = [user("go on"), call("1"), result("1", "x"), say("b")];
  const expected = windowOf(...lines);
  assertEquals(expected.texts, ["b"]);
  const noise = fc.constantFrom(
    "",
    "null",
    "1",
    '"type":"user"',
    '["type","user"]',
    say("cut").slice(0, -2),
    user("cut").slice(0, -2),
    '{"type":"system","content":"x"}',
    '{"type":"attachment","attachment":{"type":"user"}}',
    '{"type":"progress","data":{"message":{"type":"assistant","message":{"content":[{"type":"text","text":"x"}]}}}}',
    '{"type":"summary","summary":"done"}',
    say("aside", { isSidechain: true }),
    user("aside", { isSidechain: true }),
    "\0\ufffd",
  );
  fc.assert(
    fc.property(fc.array(fc.array(noise, { maxLength: 60 }), { minLength: 5, maxLength: 5 }), (between) => {
      const mixed = lines.flatMap((line, at) => [...between[at] ?? [], line]);
      assertEquals(windowOf(...mixed, ...between[4] ?? []), expected);
    }),
  );
});

Deno.test("readWindow: takes 40 lines of the user and the agent, and no more of what it is given", () => {
  const turn = (count: number) => [user("go on"), ...Array.from({ length: count }, (_, i) => say(`${i}`))];
  assertEquals(windowOf(...turn(39)).whole, true);
  assertEquals(windowOf(...turn(39)).texts.length, 39);
  assertEquals(windowOf(...turn(40)).whole, false);
  assertEquals(windowOf(...turn(40)).texts.length, 40);
  assertEquals(windowOf(...turn(60)).texts.at(0), "20");
  let taken = 0;
  function* endless() {
    for (;;) {
      taken++;
      yield say("x");
    }
  }
  readWindow(endless());
  assertEquals(taken, 40);
});

Deno.test("readWindow: a line too long to read is one of the 40, and leaves the turn in doubt", () => {
  const lines = [user("go on"), ...Array.from({ length: 38 }, () => say("x"))];
  assertEquals(windowOf(...lines), { ...windowOf(...lines), whole: true });
  const long = windowOf(...lines, undefined);
  assertEquals([long.texts.length, long.whole], [38, false]);
  assertEquals(windowOf(...lines, undefined, undefined, undefined).texts.length, 37);
});

Deno.test("readWindow: a cut line that may be a call leaves the turn in doubt", () => {
  const cut = call("1").slice(0, -3);
  assertEquals(windowOf(user("go on"), say("a"), cut), { texts: ["a"], uses: [], whole: false });
});

Deno.test("readWindow: joins a call with its result, whichever lines they stand in", () => {
  const { uses } = windowOf(
    user("go on"),
    agent([{ type: "tool_use", id: "1", name: "A" }, { type: "tool_use", id: "2", name: "B" }], {
      message_id: "m",
    }),
    call("3", "C"),
    result("3", [{ type: "text", text: "x" }, { type: "image" }, { type: "text", text: "y" }], true),
    result("1", "one", false),
    result("9", "of another"),
    call("4", "D"),
  );
  assertEquals(uses, [
    { name: "A", input: undefined, result: { text: "one", isError: false } },
    { name: "B", input: undefined },
    { name: "C", input: { command: "ls" }, result: { text: "x\ny", isError: true } },
    { name: "D", input: { command: "ls" } },
  ]);
});

Deno.test("readWindow: only text is text, and only the agent's", () =>
  assertEquals(
    windowOf(
      user("go on"),
      agent("plain"),
      agent([{ type: "thinking", thinking: "x" }, { type: "text", text: "a" }, { type: "text", text: "b" }]),
      agent([{ type: "text", text: 1 }, null, "x", { type: "text" }, { type: "odd", text: "x" }]),
      say("API Error: x", { isApiErrorMessage: true }),
      say("after"),
    ).texts,
    ["plain", "a", "b", "after"],
  ));

Deno.test("readWindow: never throws, and gives what its types say", () => {
  const part = fc.oneof(
    fc.json(),
    fc.string(),
    fc.record({
      type: fc.constantFrom("user", "assistant"),
      message: fc.oneof(
        fc.jsonValue(),
        fc.record({
          content: fc.oneof(
            fc.jsonValue(),
            fc.array(
              fc.dictionary(
                fc.constantFrom("type", "text", "id", "tool_use_id", "name", "content", "is_error"),
                fc.oneof(fc.constantFrom("text", "tool_use", "tool_result", "1"), fc.jsonValue()),
              ),
            ),
          ),
        }),
      ),
    }).map((line) => JSON.stringify(line)),
    fc.constant(undefined),
  );
  fc.assert(fc.property(fc.array(part), fc.boolean(), (lines, sidechain) => {
    const window: Window = readWindow(lines, sidechain);
    assert(window.texts.every((text) => typeof text === "string"));
    assert(window.uses.every(({ name, result }) =>
      typeof name === "string" &&
      (result === undefined || typeof result.text === "string" && typeof result.isError === "boolean")
    ));
  }));
});
