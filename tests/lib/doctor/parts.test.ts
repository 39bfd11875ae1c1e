/** The small parts of doctor. */
import { assert, assertEquals } from "@std/assert";
import { checkClient, parseVersion } from "../../../lib/doctor/client.ts";
import { digestsOf } from "../../../lib/doctor/digest.ts";
import { checkEnvironment, type Source } from "../../../lib/doctor/environment.ts";
import { exitOf, type Finding, sortFindings } from "../../../lib/doctor/finding.ts";
import { lookedAt } from "../../../lib/doctor/looked.ts";
import { LEGACY_TOOLS, matches, WRITING_TOOLS } from "../../../lib/doctor/matcher.ts";
import { settingsPlaces } from "../../../lib/doctor/places.ts";
import { table } from "../../../lib/doctor/report.ts";
import { checkSwitch, SWITCHES } from "../../../lib/doctor/switches.ts";
import { TOOLS } from "../../../lib/harness/claude-wiring.ts";
import { GUARDED_NAMES } from "../../../lib/paths/guarded.ts";
import { hooks } from "../../cli/wired.ts";
import { facts } from "../rules/facts.ts";

Deno.test("matches: names, lists and expressions, as the client has them", () => {
  const cases: [matcher: string | undefined, tool: string, taken: boolean][] = [
    [undefined, "Write", true],
    ["", "Write", true],
    ["*", "Write", true],
    ["Write", "Write", true],
    ["Write", "Overwrite", false],
    ["Writ", "Write", false],
    ["write", "Write", false],
    ["Edit|Write", "Write", true],
    ["Edit, Write", "Write", true],
    ["Edit.*", "NotebookEdit", true],
    ["^Edit", "NotebookEdit", false],
    ["(", "Write", false],
    ["mcp__server", "mcp__server__tool", false],
  ];
  for (const [matcher, tool, taken] of cases) {
    assertEquals(matches(matcher, tool), taken, `${matcher} ${tool}`);
  }
  for (const tool of [...WRITING_TOOLS, ...LEGACY_TOOLS]) assert(matches(TOOLS, tool), tool);
});

Deno.test("parseVersion, checkClient: what knows onFailure and what does not", () => {
  assertEquals(parseVersion("2.1.332 (Claude Code)\n"), [2, 1, 332]);
  assertEquals(parseVersion("claude 2.1.332"), undefined);
  assertEquals(parseVersion("2.1"), undefined);
  const ids = (printed: string | undefined) => checkClient(printed).map(({ id }) => id);
  for (const old of ["2.1.294", "2.0.999", "1.9.999", "2.1.9"]) assertEquals(ids(old), ["client-old"], old);
  for (const fine of ["2.1.295", "2.2.0", "3.0.0", "2.1.1000"]) {
    assertEquals(ids(fine), ["client-other"], fine);
  }
  // What its settings may be was measured with this one.
  assertEquals(ids("2.1.332 (Claude Code)"), []);
  assertEquals(ids(undefined), ["no-client"]);
  assertEquals(ids(""), ["client-unknown"]);
});

Deno.test("digestsOf: both forms of a line, and no others", () => {
  const [one, two, three] = ["1", "a", "B"].map((digit) => digit.repeat(64));
  const text = `${one}  file\n${two} *file\n\\${three}  odd\\nname\n${"c".repeat(63)}  short\nx ${
    "d".repeat(64)
  }  y\n`;
  assertEquals([...digestsOf(text)], [one, two, three?.toLowerCase()]);
});

Deno.test("checkEnvironment: names, and no values", () => {
  const names = (env: Record<string, string>, source: Source) =>
    checkEnvironment(env, null, source, (folder) => folder.startsWith("/opt/")).map(
      ({ id, level, message }) => {
        assert(!message.includes("hidden"));
        return `${level} ${id} ${/[A-Z][\w]{3,}/.exec(message.replace("The project sets", ""))?.[0]}`;
      },
    );
  const env = {
    LD_PRELOAD: "/hidden.so",
    LD_AUDIT: "",
    LD_LIBRARY_PATH: "/opt/a:/opt/b",
    PATH: "/hidden",
    BUN_OPTIONS: "1",
    BUN_INSTALL: "/hidden",
    CLAUDE_CODE_SIMPLE: "yes",
    CLAUDE_CODE_SIMPLE_SYSTEM_PROMPT: "1",
  };
  const own = ["warning environment LD_PRELOAD", "warning environment BUN_OPTIONS"];
  assertEquals(names(env, "own"), [...own, "error hooks-switched-off CLAUDE_CODE_SIMPLE"]);
  assertEquals(names(env, "user"), names(env, "own"));
  assertEquals(names(env, "project"), [
    "warning environment LD_PRELOAD",
    "warning environment LD_LIBRARY_PATH",
    "warning environment PATH",
    "warning environment BUN_OPTIONS",
  ]);
  for (const value of ["", "lib", "/opt/a:", ":/opt/a", "/opt/a:/project/lib"]) {
    assertEquals(names({ LD_LIBRARY_PATH: value }, "own").length, value === "" ? 0 : 1, value);
  }
  for (const value of ["0", "false", "no", "off", "", "x"]) {
    assertEquals(names({ CLAUDE_CODE_SAFE_MODE: value }, "own"), [], value);
  }
});

Deno.test("sortFindings, exitOf: the gravest first and counts", () => {
  const finding = (level: Finding["level"], message: string): Finding => ({
    level,
    id: "x",
    message,
    fix: "y",
    file: null,
  });
  const [note, warning, error] = [finding("note", "a"), finding("warning", "b"), finding("error", "c")];
  assertEquals(sortFindings([note, warning, error]), [error, warning, note]);
  assertEquals(sortFindings([finding("warning", "c"), error, error]), [error]);
  assertEquals([[], [note], [note, warning], [warning, error]].map(exitOf), [0, 0, 1, 2]);
});

Deno.test("settingsPlaces: each system's, each file once", () => {
  const files = (
    platform: "linux" | "darwin" | "windows",
    agentFolder: string | undefined,
    project: string,
    ...locals: string[]
  ) =>
    settingsPlaces({
      platform,
      agentFolder,
      project,
      locals,
      dropIns: (folder) => folder.includes("claude-code") ? ["20.json", "10.json", "notes.txt"] : [],
    }).map(({ name, file }) => `${name} ${file}`);
  assertEquals(files("linux", "/home/a/.claude", "/p", "/p/..a"), [
    "managed /etc/claude-code/managed-settings.json",
    "managed /etc/claude-code/managed-settings.d/10.json",
    "managed /etc/claude-code/managed-settings.d/20.json",
    "user /home/a/.claude/settings.json",
    "project /p/.claude/settings.json",
    "local /p/.claude/settings.local.json",
    "local /p/..a/.claude/settings.local.json",
  ]);
  assertEquals(files("darwin", undefined, "/p", "/p"), [
    "managed /Library/Application Support/ClaudeCode/managed-settings.json",
    "project /p/.claude/settings.json",
    "local /p/.claude/settings.local.json",
  ]);
  assertEquals(files("windows", "C:\\Users\\a\\.claude", "D:\\p"), [
    "managed C:\\Program Files\\ClaudeCode\\managed-settings.json",
    "managed C:\\ProgramData\\ClaudeCode\\managed-settings.json",
    "user C:\\Users\\a\\.claude\\settings.json",
    "project D:\\p\\.claude\\settings.json",
    "local D:\\p\\.claude\\settings.local.json",
  ]);
  // In the home folder the project's settings are the user's.
  assertEquals(files("linux", "/home/a/.claude", "/home/a").slice(3), [
    "user /home/a/.claude/settings.json",
    "local /home/a/.claude/settings.local.json",
  ]);
});

Deno.test("SWITCHES: each is a file that the guard guards", () => {
  const guarded = GUARDED_NAMES.map((name) => name.join("/"));
  for (const { path } of SWITCHES) {
    const covered = path.some((_, at) => guarded.includes(path.slice(0, at + 1).join("/")));
    assert(covered || path.at(-1)?.startsWith("settings"), path.join("/"));
  }
});

Deno.test("checkSwitch: odd contents switch nothing off and never throw", () => {
  const odd = [
    "",
    "null",
    "5",
    "[]",
    '{"hooks": 5}',
    '{"hooksConfig": null}',
    "[[features]]",
    "a = ",
    "\u0000",
  ];
  for (const one of SWITCHES) {
    for (const text of odd) assertEquals(checkSwitch(one, text, one.path.join("/")), [], text);
  }
});

Deno.test("table: columns as wide as what is in them", () =>
  assertEquals(table([["A", "LONG", "C"], ["value", "b", ""]]), "A      LONG  C\nvalue  b\n"));

Deno.test("lookedAt: every rule of a guard has words of its own", () => {
  const call = facts({ texts: [{ field: "content", text: "x", isCommand: false }] });
  const other = JSON.stringify(lookedAt("no-such-rule", call));
  for (const hook of hooks) {
    if (hook.kind !== "guard") continue;
    for (const { id } of hook.rules) assert(JSON.stringify(lookedAt(id, call)) !== other, id);
  }
});
