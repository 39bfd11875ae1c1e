import { assert, assertEquals } from "@std/assert";
import { CHECKED_KEYS, unchecked, unreadable } from "../../../lib/harness/claude-settings-shape.ts";
import { wire } from "../../../lib/harness/claude-wiring.ts";
import { registry } from "../../../toolchain/registry.ts";

const hooks = registry.flatMap((entry) => entry.folder === "hooks" ? [entry.unit] : []);

const handler = { type: "command", command: "/bin/true", args: [] };
const before = (entry: unknown) => ({ hooks: { PreToolUse: [{ hooks: [entry] }] } });

/** What the client was seen to read. */
const READ: readonly unknown[] = [
  {},
  { hooks: wire(hooks, { program: "/opt/nonzero", judge: true }) },
  { hooks: wire(hooks, { program: "/opt/nonzero", judge: true, shell: true }) },
  { permissions: { allow: [5], deny: ["Bash("], unknown: 5 } },
  { enabledPlugins: { "a@b": true, "c@d": ["x"] } },
  { enabledMcpjsonServers: "x", theme: 5, unknown: 5, env: { A: null } },
  { syncClaudeAiSkills: null, attribution: false, cleanupPeriodDays: 1, feedbackSurveyRate: 0.5 },
  { statusLine: { type: "command", command: "x", padding: 0 } },
  { hooks: { Stop: 5, Unknown: 5 } },
  before({ ...handler, unknown: 5 }),
];

/** What the client was seen to drop, and where it saw the reason. */
const DROPPED: readonly (readonly [settings: unknown, path: string])[] = [
  [[], ""],
  [5, ""],
  [{ permissions: 5 }, "permissions"],
  [{ permissions: { allow: 5 } }, "permissions.allow"],
  [{ permissions: { deny: "x" } }, "permissions.deny"],
  [{ permissions: { defaultMode: "foo" } }, "permissions.defaultMode"],
  [{ permissions: { additionalDirectories: [5] } }, "permissions.additionalDirectories.0"],
  [{ statusLine: "x" }, "statusLine"],
  [{ statusLine: { type: "command" } }, "statusLine.command"],
  [{ outputStyle: 5 }, "outputStyle"],
  [{ model: null }, "model"],
  [{ cleanupPeriodDays: 0 }, "cleanupPeriodDays"],
  [{ cleanupPeriodDays: 1.5 }, "cleanupPeriodDays"],
  [{ includeCoAuthoredBy: "x" }, "includeCoAuthoredBy"],
  [{ disableAllHooks: null }, "disableAllHooks"],
  [{ sandbox: { enabled: "x" } }, "sandbox.enabled"],
  [{ sandbox: { network: { allowedDomains: [5] } } }, "sandbox.network.allowedDomains.0"],
  [{ attribution: 5 }, "attribution"],
  [{ attribution: { commit: 5 } }, "attribution.commit"],
  [{ autoUpdatesChannel: "x" }, "autoUpdatesChannel"],
  [{ defaultShell: "x" }, "defaultShell"],
  [{ enabledPlugins: { a: "x" } }, "enabledPlugins.a"],
  [{ enabledPlugins: { a: [5] } }, "enabledPlugins.a.0"],
  [{ skillListingBudgetFraction: 0 }, "skillListingBudgetFraction"],
  [{ hooks: { PreToolUse: {} } }, "hooks.PreToolUse"],
  [{ hooks: { PermissionRequest: 5 } }, "hooks.PermissionRequest"],
  [{ hooks: { PreToolUse: [{ matcher: "x" }] } }, "hooks.PreToolUse.0.hooks"],
  [{ hooks: { PreToolUse: [{ matcher: 5, hooks: [handler] }] } }, "hooks.PreToolUse.0.matcher"],
  [before({ type: "x" }), "hooks.PreToolUse.0.hooks.0.type"],
  [before({ type: "constructor" }), "hooks.PreToolUse.0.hooks.0.type"],
  [before({ type: "prompt" }), "hooks.PreToolUse.0.hooks.0.prompt"],
  [before({ type: "http", url: "x" }), "hooks.PreToolUse.0.hooks.0.url"],
  [before({ ...handler, timeout: 0 }), "hooks.PreToolUse.0.hooks.0.timeout"],
  [before({ ...handler, args: "x" }), "hooks.PreToolUse.0.hooks.0.args"],
  [before({ ...handler, onFailure: "x" }), "hooks.PreToolUse.0.hooks.0.onFailure"],
];

Deno.test("settings that the client reads", () => {
  for (const settings of READ) assertEquals(unreadable(settings), undefined, JSON.stringify(settings));
});

Deno.test("settings of which the client reads nothing", () => {
  for (const [settings, path] of DROPPED) {
    assertEquals(unreadable(settings)?.path, path, JSON.stringify(settings));
  }
  assertEquals(unreadable({ language: 5 }), { path: "language", problem: "is not a string" });
  assertEquals(unreadable({ tui: "x" })?.problem, 'is not one of "default", "fullscreen"');
});

Deno.test("every key that is checked refuses some value", () => {
  for (const key of CHECKED_KEYS) {
    assert([5, -1, "\n", {}].some((value) => unreadable({ [key]: value })?.path.startsWith(key)), key);
  }
});

Deno.test("keys that are not checked are named, and those of which the client takes any value are not", () => {
  assertEquals(
    unchecked({ theme: 5, model: "x", sandbox: { enabled: true }, blockedMarketplaces: null }),
    [],
  );
  assertEquals(unchecked({ brandNew: 5, toString: 5, sandbox: { credentials: { files: [] } } }), [
    "brandNew",
    "toString",
    "sandbox.credentials",
  ]);
});
