import { assertEquals } from "@std/assert";
import { readInstalledPlugins, readSettings } from "../../../lib/doctor/claude-settings.ts";

const handler = { type: "command", command: "/x", args: [] };
const settings = (more: Record<string, unknown>, group: Record<string, unknown> = {}) =>
  readSettings(JSON.stringify({ hooks: { Stop: [{ ...group, hooks: [{ ...handler, ...more }] }] } }));

Deno.test("readSettings: a handler as it stands", () => {
  const text = JSON.stringify({
    hooks: {
      PreToolUse: [{
        matcher: "Write",
        hooks: [{ ...handler, args: ["-z"], onFailure: "block", if: "Bash(a)", async: true }],
      }],
    },
  });
  assertEquals(readSettings(text).handlers, [{
    event: "PreToolUse",
    matcher: "Write",
    command: "/x",
    args: ["-z"],
    onFailure: "block",
    timeout: undefined,
    isAsync: true,
    condition: "Bash(a)",
    dropped: undefined,
  }]);
});

Deno.test("readSettings: what the client leaves out is told", () => {
  const bad: Record<string, unknown>[] = [
    { args: "x" },
    { args: [1] },
    { timeout: "5" },
    { timeout: 0 },
    { timeout: -1 },
    { onFailure: "deny" },
    { onFailure: null },
    { async: "yes" },
    { if: 1 },
    { shell: "zsh" },
    { once: 1 },
    { statusMessage: 1 },
  ];
  for (const more of bad) {
    const [key = ""] = Object.keys(more);
    const [read] = settings(more).handlers;
    assertEquals(read?.dropped, `"${key}" has a value that the client does not take`, JSON.stringify(more));
  }
  assertEquals(settings({}, { matcher: 5 }).handlers[0]?.dropped, '"matcher" is no string');
  for (const more of [{ timeout: 0.5 }, { async: false }, { unknown: 1 }, { shell: "bash" }]) {
    assertEquals(settings(more).handlers[0]?.dropped, undefined, JSON.stringify(more));
  }
});

Deno.test("readSettings: what is no command hook is passed over", () => {
  const groups = [5, { hooks: 5 }, {
    hooks: [5, { type: "prompt", prompt: "x" }, { type: "command" }, handler],
  }];
  const { handlers, problem, unlistedEvents } = readSettings(
    JSON.stringify({ hooks: { Stop: groups, SubagentStop: {}, Unknown: {} } }),
  );
  assertEquals([handlers.length, problem, unlistedEvents], [1, undefined, ["SubagentStop"]]);
});

Deno.test("readSettings: a key of the wrong type is why the client reads nothing", () => {
  const bad: [text: string, key: string][] = [
    ['{"hooks": []}', "hooks"],
    ['{"hooks": null}', "hooks"],
    ['{"env": []}', "env"],
    ['{"env": null}', "env"],
    ['{"permissions": 5}', "permissions"],
    ['{"disableAllHooks": "true"}', "disableAllHooks"],
    ['{"enabledPlugins": 5}', "enabledPlugins"],
    ['{"enabledPlugins": {"a@b": "x"}}', "enabledPlugins.a@b"],
    ['{"hooks": {"PreToolUse": {}}}', "hooks.PreToolUse"],
    ['{"permissions": {"allow": 5}}', "permissions.allow"],
    ['{"$schema": 5}', "$schema"],
    ['{"model": 5}', "model"],
  ];
  for (const [text, key] of bad) {
    assertEquals(readSettings(text).problem?.message.startsWith(`"${key}" is not `), true, text);
  }
  for (const text of ["[]", "5", "null", '"x"']) {
    assertEquals(readSettings(text).problem, { message: "It is not an object." });
  }
  for (
    const text of ["{}", '{"env": {"A": 1, "B": {}}}', '{"enabledPlugins": {"a@b": ["1.0"]}}', '{"x": 1}']
  ) {
    assertEquals(readSettings(text).problem, undefined, text);
  }
});

Deno.test("readSettings: variables as the client gives them, plugins, switches", () => {
  const read = readSettings(JSON.stringify({
    env: { A: "1", B: 2, C: {}, D: true },
    enabledPlugins: { "a@m": true, "b@m": false, "c@m": ["1"] },
    disableAllHooks: true,
    hooks: { Stop: [], Nope: [] },
  }));
  assertEquals(read.env, { A: "1", B: "2", D: "true" });
  assertEquals([...read.plugins], [["a@m", true], ["b@m", false], ["c@m", true]]);
  assertEquals([read.disableAllHooks, read.allowManagedHooksOnly], [true, false]);
  for (const [value, holds] of [[true, true], [["hooks", "mcp"], true], [["mcp"], false], [false, false]]) {
    const { pluginHooksOnly } = readSettings(JSON.stringify({ strictPluginOnlyCustomization: value }));
    assertEquals(pluginHooksOnly, holds, String(value));
  }
  assertEquals(read.unknownEvents, ["Nope"]);
});

Deno.test("readInstalledPlugins: both forms, for all projects and this one", () => {
  const list = {
    version: 2,
    plugins: {
      "a@m": [{ scope: "user", installPath: "/a" }, { scope: "user", installPath: "/a" }],
      "b@m": [{ installPath: "/b1", projectPath: "/here" }, { installPath: "/b2", projectPath: "/there" }],
      "c@m": { installPath: "/c" },
      "d@m": [{}, 5, null],
    },
  };
  const read = readInstalledPlugins(JSON.stringify(list), (path) => path === "/here");
  assertEquals([...read], [["a@m", ["/a"]], ["b@m", ["/b1"]], ["c@m", ["/c"]], ["d@m", []]]);
  for (const text of ["", "[]", "{}", '{"plugins": []}']) {
    assertEquals([...readInstalledPlugins(text, () => true)], [], text);
  }
});
