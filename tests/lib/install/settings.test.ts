import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { STOP_JUDGE } from "../../../lib/harness/stop-judge.ts";
import { wire, type Wiring } from "../../../lib/harness/claude-wiring.ts";
import { BOM, decode, encode } from "../../../lib/install/bytes.ts";
import { InstallError } from "../../../lib/install/error.ts";
import {
  addHooks,
  isWired,
  ownHooks,
  putHooks,
  readObeyed,
  readSettings,
  takeHooks,
  wiredPrograms,
} from "../../../lib/install/settings.ts";
import { registry } from "../../../toolchain/registry.ts";

const hooks = registry.flatMap((entry) => entry.folder === "hooks" ? [entry.unit] : []);
const PROGRAM = "/opt/outils dété/nonzero";
const wiring: Wiring = wire(hooks, { program: PROGRAM, judge: true });
const other: Wiring = wire(hooks, { program: "C:\\Tools\\nonzero.exe", judge: false });

/** Someone else's handler. */
const foreign = fc.constantFrom(
  { type: "command", command: "lint \"x\" 'y'" },
  { type: "command", command: "/usr/bin/nonzero-like", args: ["-v"] },
  { type: "prompt", prompt: "Was it kind? é" },
  { type: "command", command: "guard", args: [], timeout: 3 },
);
const group = fc.oneof(
  fc.record({ matcher: fc.constantFrom("Bash", "", "*"), hooks: fc.array(foreign, { maxLength: 2 }) }),
  fc.record({ hooks: fc.array(foreign, { maxLength: 2 }) }),
  fc.constant({ matcher: "Bash" }),
);
const events = fc.dictionary(
  fc.constantFrom(...Object.keys(wiring), "Notification", "SessionEnd"),
  fc.array(group, { maxLength: 3 }),
  { noNullPrototype: true },
).map((events) =>
  // Before a tool the client takes no group without hooks.
  Object.fromEntries(
    Object.entries(events).map(([event, groups]) => [
      event,
      event === "PreToolUse" ? groups.filter((group) => "hooks" in group) : groups,
    ]),
  )
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(null, true, 1.5, 'é \\ "\u2028', [], {}, "{", "a,b"),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("any"), { noNullPrototype: true, maxKeys: 3 }),
  ),
})).any;
const settings = fc.record(
  {
    model: fc.constant("m"),
    env: fc.dictionary(fc.constantFrom("A", "B"), value, { noNullPrototype: true }),
    theme: value,
    hooks: events,
  },
  { requiredKeys: [], noNullPrototype: true },
).chain((all) =>
  fc.shuffledSubarray(Object.entries(all), { minLength: Object.keys(all).length }).map(Object.fromEntries)
);

/** Space between two tokens of JSON. */
const space = fc.constantFrom("", "", " ", "\n", "\n  ", "\r\n\t", "\t", "\n\n    ", "  ");

/** The same value, laid out by chance: space is drawn for every place that may have some. */
function layOut(value: unknown, draw: () => string): string {
  const list = (parts: readonly string[], [open, close]: readonly [string, string]) =>
    `${open}${draw()}${parts.map((part) => `${part}${draw()}`).join(`,${draw()}`)}${close}`;
  if (Array.isArray(value)) return list(value.map((one) => layOut(one, draw)), ["[", "]"]);
  if (typeof value === "object" && value !== null) {
    const member = ([name, one]: [string, unknown]) =>
      `${JSON.stringify(name)}${draw()}:${draw()}${layOut(one, draw)}`;
    return list(Object.entries(value).map(member), ["{", "}"]);
  }
  return JSON.stringify(value);
}

const file = fc.oneof(
  settings.chain((value) =>
    fc.infiniteStream(space).map((stream) => {
      const draw = () => stream.next().value;
      return draw() + layOut(value, draw) + draw();
    })
  ),
  fc.tuple(
    settings,
    fc.constantFrom(0, 1, 2, 4, "\t"),
    fc.constantFrom("\n", "\r\n"),
    fc.constantFrom("", "\n"),
  )
    .map(([value, indent, end, last]) => (JSON.stringify(value, null, indent) + last).replaceAll("\n", end)),
).chain((text) => fc.constantFrom(encode(text), BOM + encode(text)));

/** Without the space inside empty objects and arrays, the one thing that is not kept where they are filled. */
const closed = (bytes: string) => bytes.replaceAll(/([{[])\s+(?=[}\]])/g, "$1");

/** Whether one text can be had from the other by inserting alone. */
function isInsertion(from: string, to: string): boolean {
  let at = 0;
  for (const character of to) if (at < from.length && character === from[at]) at++;
  return at === from.length;
}

Deno.test("putHooks: wires all of it, inserts alone, and says the same beside it", () =>
  fc.assert(
    fc.property(file, (bytes) => {
      const put = putHooks(bytes, wiring);
      assert(isWired(readSettings(put), wiring), decode(put));
      assert(isInsertion(bytes, put));
      const [{ hooks: before = {}, ...rest }, { hooks: after, ...kept }] = [
        readSettings(bytes),
        readSettings(put),
      ];
      assertEquals(kept, rest);
      assertEquals(Object.keys(kept), Object.keys(rest));
      const strangers = Object.fromEntries(
        Object.entries(after ?? {}).map(([event, groups]) => [
          event,
          groups.slice(0, groups.length - (wiring[event]?.length ?? 0)),
        ]),
      );
      for (const [event, groups] of Object.entries(strangers)) {
        assertEquals(groups, Object.entries(before ?? {}).find(([name]) => name === event)?.[1] ?? []);
      }
      assert(Object.keys(before ?? {}).every((event) => Object.hasOwn(strangers, event)));
    }),
    { numRuns: 200 },
  ));

Deno.test("putHooks: again changes no byte", () =>
  fc.assert(
    fc.property(file, (bytes) => {
      const put = putHooks(bytes, wiring);
      assertEquals(putHooks(put, wiring), put);
    }),
    { numRuns: 100 },
  ));

Deno.test("takeHooks: leaves what was there before putHooks", () =>
  fc.assert(
    fc.property(file, (bytes) => {
      const taken = takeHooks(putHooks(bytes, wiring), readSettings(bytes));
      assertEquals(closed(taken), closed(bytes));
    }),
    { numRuns: 200 },
  ));

Deno.test("putHooks: another wiring takes the place of the old one, and back", () =>
  fc.assert(
    fc.property(file, (bytes) => {
      const moved = putHooks(putHooks(bytes, other), wiring);
      assert(isWired(readSettings(moved), wiring));
      assertEquals(wiredPrograms(readSettings(moved)), [PROGRAM]);
      assertEquals(closed(takeHooks(moved, readSettings(bytes))), closed(bytes));
    }),
    { numRuns: 100 },
  ));

Deno.test("takeHooks: without knowing what was there, leaves no hook of ours and all others", () =>
  fc.assert(
    fc.property(file, (bytes) => {
      const taken = readSettings(takeHooks(putHooks(bytes, wiring)));
      assertEquals(ownHooks(taken), {});
      const filled = (all: Readonly<Record<string, unknown>>) =>
        Object.entries(all["hooks"] ?? {}).filter(([, groups]) => groups.length > 0);
      assertEquals(filled(taken), filled(readSettings(bytes)));
    }),
    { numRuns: 200 },
  ));

Deno.test("takeHooks: takes our handlers out of a group that others share", () => {
  const stranger = { type: "command", command: "x" };
  const shared = { hooks: { Stop: [{ hooks: [stranger, ...wiring["Stop"]?.[0]?.hooks ?? [], stranger] }] } };
  assertEquals(readSettings(takeHooks(encode(JSON.stringify(shared, null, 2)))), {
    hooks: { Stop: [{ hooks: [stranger, stranger] }] },
  });
});

Deno.test("putHooks: a file that is missing or empty is written whole", () => {
  for (const none of [undefined, "", "\n"]) {
    const put = putHooks(none, wiring);
    assertEquals(readSettings(put), JSON.parse(JSON.stringify({ hooks: wiring })));
    assert(put.endsWith("}\n"));
  }
});

Deno.test("addHooks: is laid out as the file is", () => {
  const one = { Stop: wiring["Stop"]?.map(({ hooks }) => ({ hooks: hooks.slice(0, 1) })) ?? [] };
  const handler = `{\n\t\t\t\t\t\t"type": "command",`;
  const tabs = addHooks('{\n\t"a": 1\n}\n', one);
  assert(tabs.startsWith('{\n\t"a": 1,\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{\n\t\t\t\t"hooks": ['), tabs);
  assert(tabs.includes(handler) && tabs.endsWith("\n\t\t]\n\t}\n}\n"), tabs);
  assert(!addHooks('{"a":1}', one).includes("\n"));
  assert(!/[^\r]\n/.test(addHooks('{\r\n  "a": 1\r\n}\r\n', one)));
  assert(addHooks("{}\n", one).endsWith("\n  }\n}\n"));
});

const REFUSED: readonly (readonly [name: string, text: string, message: string])[] = [
  ["a comment", '{\n  "a": 1 // why\n}', "line 2, column 10: a comment"],
  ["a block comment", "{\n  /* why */\n}", "line 2, column 3: a comment"],
  ["a trailing comma", '{\n  "a": [1,\n  ]\n}', "line 3, column 3: a comma with nothing after it"],
  ["a trailing comma of an object", '{"é": 1,}', "line 1, column 9: a comma with nothing after it"],
  ["a key that stands twice", '{"a": 1,\n "a": 2}', 'line 2, column 2: key "a" stands twice'],
  [
    "a nested key that stands twice",
    '{"a": [{"b": 1, "\\u0062": 2}]}',
    'line 1, column 17: key "b" stands twice',
  ],
  ["half a file", '{\n"a": ', "line 2, column 5: the file ends too early"],
  ["no JSON", "hello", "line 1, column 1: is not valid JSON"],
  ["a tab in a string", '{"a":\n"x\ty"}', "line 2, column 1: a control character"],
  ["a second document", "{}\n{}", "line 2, column 1: is not valid JSON"],
  ["an array", '\n["a"]', "line 2, column 1: the file must hold an object"],
  ["null", "null", "line 1, column 1: the file must hold an object"],
  ["hooks that are an array", '{\n "hooks": []}', 'line 2, column 11: "hooks" must be an object'],
  ["hooks that are null", '{"hooks": null}', 'column 11: "hooks" must be an object'],
  ["an event that is no array", '{"hooks": {"Stop": {}}}', 'column 20: "hooks.Stop" must be an array'],
  [
    "a group that is a text",
    '{"hooks": {"Stop": ["x"]}}',
    'column 21: a group of "hooks.Stop" must be an object',
  ],
];

for (const [name, text, message] of REFUSED) {
  Deno.test(`putHooks: refuses ${name}, and says where`, () => {
    assertThrows(() => putHooks(encode(text), wiring), InstallError, message);
    assertThrows(() => putHooks(BOM + encode(text), wiring), InstallError, message);
    assertThrows(() => takeHooks(encode(text)), InstallError, message);
  });
}

/** Of a file with one of these the client reads nothing, though hooks can be put into it and taken out. */
const UNREAD: readonly (readonly [text: string, message: string])[] = [
  ['{"disableAllHooks": "no"}', 'line 1, column 21: "disableAllHooks" is not true or false'],
  ['{"permissions":\n{"allow": "x"}}', 'line 2, column 11: "permissions.allow" is not a list'],
  [
    '{"permissions": {"additionalDirectories": ["a",\n 5]}}',
    'line 2, column 2: "permissions.additionalDirectories.1"',
  ],
  ['{"enabledPlugins": []}', '"enabledPlugins" is not an object'],
  ['{"é": 1, "cleanupPeriodDays": 0}', 'line 1, column 31: "cleanupPeriodDays" is not a whole number'],
  ['{\n "statusLine": {"type": "command"}}', 'line 2, column 16: "statusLine.command" is missing'],
  ['{"hooks": {"PreToolUse": [{"matcher": "Bash"}]}}', '"hooks.PreToolUse.0.hooks" is missing'],
];

for (const [text, message] of UNREAD) {
  Deno.test(`putHooks: refuses ${text}, which can be left`, () => {
    for (const bytes of [encode(text), BOM + encode(text)]) {
      assertThrows(() => putHooks(bytes, wiring), InstallError, message);
      assertThrows(() => readObeyed(bytes), InstallError, "and so the client reads nothing of the file");
      const wired = addHooks(bytes, wiring);
      assertEquals(ownHooks(readSettings(wired)), JSON.parse(JSON.stringify(wiring)));
      assertEquals(takeHooks(wired, readSettings(bytes)), bytes);
    }
  });
}

Deno.test("ownHooks: what looks like ours and is not", () => {
  const command = {
    type: "command",
    command: "/x/nonzero",
    args: ["-z", "hook", "stop-guard", "--harness", "claude"],
  };
  const others = [
    { ...command, command: "/x/nonzero/run" },
    { ...command, command: "/x/notnonzero" },
    { ...command, args: [] },
    { ...command, args: undefined },
    { ...command, type: "http" },
    { type: "prompt", prompt: "Was that a bypass menu? $ARGUMENTS" },
    { type: "http", prompt: STOP_JUDGE },
    null,
    "nonzero",
  ];
  assertEquals(ownHooks({ hooks: { Stop: [{ hooks: others }, null, { hooks: "x" }], Other: "x" } }), {});
  for (
    const ours of [command, { ...command, command: "D:\\nonzero.exe", timeout: 1 }, {
      type: "prompt",
      prompt: STOP_JUDGE,
    }]
  ) {
    assertEquals(ownHooks({ hooks: { Stop: [{ hooks: [ours] }] } }), { Stop: [{ hooks: [ours] }] });
  }
});

Deno.test("readSettings: nothing of Object.prototype is read", () =>
  assertEquals(ownHooks(readSettings('{"__proto__": {"hooks": {"Stop": []}}}')), {}));
