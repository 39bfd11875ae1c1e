/** hooks/hooks.json is what the registry makes of it, and what the client takes. */
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import * as z from "zod/mini";
import { pluginHooks } from "../../../lib/cli/list.ts";
import { argumentsOf, wiredHooks } from "../../../lib/harness/claude-wiring.ts";
import { registry } from "../../../toolchain/registry.ts";
import { ROOT } from "../../black-box.ts";

const text = Deno.readTextFileSync(join(ROOT, "hooks/hooks.json"));
const hooks = registry.flatMap((entry) => entry.folder === "hooks" ? [entry.unit] : []);

const seconds = z.number().check(z.positive(), z.lte(600));

const common = { timeout: z.optional(seconds), statusMessage: z.optional(z.string()) };

const command = z.strictObject({
  ...common,
  type: z.literal("command"),
  command: z.string().check(z.minLength(1)),
  args: z.optional(z.array(z.string())),
});

/** Where the client heeds `onFailure`. */
const blocking = z.extend(command, { onFailure: z.optional(z.enum(["continue", "block"])) });

const prompt = z.strictObject({
  ...common,
  type: z.literal("prompt"),
  prompt: z.string().check(z.minLength(1)),
  model: z.optional(z.string()),
});

function groups<T extends z.core.$ZodType>(handler: T) {
  return z.optional(
    z.array(z.strictObject({ hooks: z.array(handler).check(z.minLength(1)) })).check(z.minLength(1)),
  );
}

function matchedGroups<T extends z.core.$ZodType>(handler: T) {
  const group = z.strictObject({
    matcher: z.optional(z.string()),
    hooks: z.array(handler).check(z.minLength(1)),
  });
  return z.optional(z.array(group).check(z.minLength(1)));
}

/** The events that hooks of this project may stand at, with the handlers and keys that the client heeds there. */
const schema = z.strictObject({
  description: z.optional(z.string()),
  hooks: z.strictObject({
    PreToolUse: matchedGroups(z.union([blocking, prompt])),
    PostToolUse: matchedGroups(z.union([blocking, prompt])),
    UserPromptSubmit: groups(z.union([blocking, prompt])),
    Stop: groups(z.union([command, prompt])),
    SubagentStop: matchedGroups(z.union([command, prompt])),
    SessionStart: matchedGroups(command),
    SessionEnd: matchedGroups(command),
    InstructionsLoaded: matchedGroups(command),
  }),
});

type Mutable = Record<string, unknown>;

/** The parsed file with one thing changed. */
function changed(change: (file: Mutable, events: Record<string, Mutable[]>) => void): unknown {
  const file = JSON.parse(text);
  change(file, file.hooks);
  return file;
}

/** The first handler of an event. */
function handler(events: Record<string, Mutable[]>, event: string, at = 0): Mutable {
  const found = (events[event]?.[0]?.hooks as Mutable[] | undefined)?.[at];
  assert(found, `${event} has no handler ${at}`);
  return found;
}

const MISTAKES: readonly (readonly [string, Parameters<typeof changed>[0]])[] = [
  ["an event that there is not", (_, events) => void (events["PreToolUze"] = events["PreToolUse"] ?? [])],
  ["an event in other letters", (_, events) => void (events["preToolUse"] = events["PreToolUse"] ?? [])],
  ["a key beside hooks", (file) => void (file["hook"] = {})],
  ["no hooks", (file) => void delete file["hooks"]],
  ["the events at the top", (file, events) => void Object.assign(file, events)],
  ["a description that is no text", (file) => void (file["description"] = 1)],
  ["a handler in the place of a group", (_, events) => void (events["Stop"] = [handler(events, "Stop")])],
  [
    "a group that is no list",
    (_, events) => void (events["Stop"] = events["Stop"]?.[0] as unknown as Mutable[]),
  ],
  ["no group", (_, events) => void (events["Stop"] = [])],
  ["a group without handlers", (_, events) => void (events["Stop"] = [{ hooks: [] }])],
  ["a matcher where there is none", (_, events) => void (events["Stop"]![0]!["matcher"] = "*")],
  ["a misspelt matcher", (_, events) => void (events["PreToolUse"]![0]!["matchers"] = "*")],
  ["a matcher that is a list", (_, events) => void (events["PreToolUse"]![0]!["matcher"] = ["Write"])],
  ["a handler of no type", (_, events) => void delete handler(events, "PreToolUse")["type"]],
  ["a handler of another type", (_, events) => void (handler(events, "PreToolUse")["type"] = "comand")],
  ["no command", (_, events) => void delete handler(events, "PreToolUse")["command"]],
  ["a misspelt args", (_, events) => void (handler(events, "PreToolUse")["arguments"] = [])],
  ["args as a text", (_, events) => void (handler(events, "PreToolUse")["args"] = "-z hook")],
  ["a time-out as a text", (_, events) => void (handler(events, "PreToolUse")["timeout"] = "10")],
  ["a time-out in milliseconds", (_, events) => void (handler(events, "PreToolUse")["timeout"] = 10_000)],
  ["a misspelt onFailure", (_, events) => void (handler(events, "PreToolUse")["onfailure"] = "block")],
  ["another onFailure", (_, events) => void (handler(events, "PreToolUse")["onFailure"] = "deny")],
  ["onFailure where it is ignored", (_, events) => void (handler(events, "Stop")["onFailure"] = "block")],
  ["no prompt", (_, events) => void delete handler(events, "Stop", 1)["prompt"]],
  ["a prompt with a command", (_, events) => void (handler(events, "Stop", 1)["command"] = "true")],
  [
    "a prompt where the client asks no model",
    (_, events) => void (events["SessionStart"] = [{ hooks: [handler(events, "Stop", 1)] }]),
  ],
];

Deno.test("hooks.json: is what the registry makes of it", () =>
  assertEquals(
    text,
    pluginHooks(registry, ""),
    "hooks/hooks.json is stale: make && dist/host/nonzero list --hooks-json > hooks/hooks.json",
  ));

Deno.test("hooks.json: has what the client knows and heeds, and nothing else", () => {
  const { success, error } = schema.safeParse(JSON.parse(text));
  assert(success, JSON.stringify(error?.issues, null, 2));
});

for (const [name, change] of MISTAKES) {
  Deno.test(`hooks.json: the schema refuses ${name}`, () => {
    const mutant = changed(change);
    assert(JSON.stringify(mutant) !== JSON.stringify(JSON.parse(text)), "nothing was changed");
    assert(!schema.safeParse(mutant).success);
  });
}

interface Group {
  readonly matcher?: string;
  readonly hooks: readonly { readonly type: string; readonly args?: readonly string[] }[];
}
const events: Record<string, readonly Group[]> = JSON.parse(text).hooks;

Deno.test("hooks.json: every hook is called, but a guard whose rules another one runs", () => {
  const called = Object.values(events).flat().flatMap((group) => group.hooks).flatMap(({ args }) =>
    args ? [args] : []
  );
  const wanted = wiredHooks(hooks).map(argumentsOf);
  assert(wanted.length > 0);
  assertEquals([...new Set(called.map(String))].sort(), wanted.map(String).sort());
});

/** Whether the client calls an event's hooks for a name: a list of names, or else a regular expression anywhere in it. */
function takes(event: string, name: string): boolean {
  return (events[event] ?? []).some(({ matcher = "" }) =>
    /^[\w\-, |]*$/.test(matcher)
      ? matcher === "" || matcher.split(/[|,]/).map((part) => part.trim()).includes(name)
      : new RegExp(matcher).test(name)
  );
}

Deno.test("hooks.json: the matchers take what is judged", () => {
  for (
    const tool of [
      "Write",
      "Edit",
      "MultiEdit",
      "NotebookEdit",
      "Bash",
      "PowerShell",
      "mcp__files__write_file",
      "mcp__plugin_a_b__c",
    ]
  ) assert(takes("PreToolUse", tool), tool);
  for (
    const tool of [
      "Read",
      "Glob",
      "Grep",
      "LS",
      "WebFetch",
      "WebSearch",
      "Agent",
      "Task",
      "TodoWrite",
      "BashOutput",
      "NotebookRead",
      "write",
      "ToolSearch",
      "xmcp__a__b",
    ]
  ) assert(!takes("PreToolUse", tool), tool);
  for (const source of ["startup", "resume", "clear", "compact"]) {
    assert(takes("SessionStart", source), source);
  }
  for (const event of ["Stop", "SubagentStop", "InstructionsLoaded"]) assert(takes(event, "anything"), event);
});
