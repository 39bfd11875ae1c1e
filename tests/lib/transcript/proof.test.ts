/** What counts as work, as a cited path and as a sign that the work was tried out. */
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import fc from "fast-check";
import { citedPaths, hasSignal, hasWork } from "../../../lib/transcript/proof.ts";
import { readCommand } from "../../../lib/transcript/readers.ts";
import { readSummary } from "../../../lib/transcript/summaries.ts";
import { readWindow, type ToolUse, type Window } from "../../../lib/transcript/window.ts";

function cases<T>(name: string): T[] {
  return JSON.parse(
    Deno.readTextFileSync(fromFileUrl(new URL(`../../cases/transcripts/${name}.json`, import.meta.url))),
  );
}

const onlyReads = (command: string, shell: "sh" | "powershell") => readCommand(command, shell).reads;
const bearsPass = (text: string) => readSummary(text).passes;

const FOLDERS = ["evidence", "e2e-evidence"];

const use = (name: string, input: unknown, text?: string, isError = false): ToolUse => ({
  name,
  input,
  ...text !== undefined && { result: { text, isError } },
});
const bash = (command: string, text?: string, isError?: boolean) => use("Bash", { command }, text, isError);
const windowOf = (...uses: readonly ToolUse[]): Window => ({ texts: [], uses, whole: true });
const worked = (...uses: readonly ToolUse[]) => hasWork(windowOf(...uses));
const signals = (use: ToolUse, ...markers: readonly string[]) => hasSignal(windowOf(use), markers);

interface CommandCase {
  readonly shell: "sh" | "powershell";
  readonly command: string;
  readonly reads: boolean;
}

Deno.test("onlyReads: each command of the cases", () => {
  const all = cases<CommandCase>("commands");
  const wrong = all.filter(({ shell, command, reads }) => onlyReads(command, shell) !== reads);
  assertEquals(wrong, []);
  assert(all.filter(({ reads }) => reads).length > 180 && all.filter(({ reads }) => !reads).length > 160);
});

Deno.test("onlyReads: what is too long or nested too deep does more", () => {
  assert(onlyReads(`ls ${"a ".repeat(1_000)}`, "sh"));
  assert(!onlyReads(`ls ${"a ".repeat(100_000)}`, "sh"));
  assert(!onlyReads("$(".repeat(1_000), "sh"));
  assert(onlyReads(`${"npx ".repeat(5)}jest`, "sh"));
  assert(!onlyReads(`${"npx ".repeat(10_000)}jest`, "sh"));
});

Deno.test("readCommand: the runs of tests, whatever stands around them", () => {
  const runs = (command: string, shell: "sh" | "powershell" = "sh") =>
    readCommand(command, shell).runs.map(({ runner, args }) => [runner, ...args]);
  assertEquals(runs("npm ci && npm test > log.txt; tail log.txt"), [["script test"]]);
  assertEquals(runs("pnpm run test -- a.test.ts"), [["script test", "--", "a.test.ts"]]);
  assertEquals(runs("yarn test"), [["script test"]]);
  assertEquals(runs("npx jest a.test.ts | tail"), [["jest", "a.test.ts"]]);
  assertEquals(runs("python3 -m pytest -x tests"), [["pytest", "-x", "tests"]]);
  assertEquals(runs("cargo +nightly test -p a"), [["cargo test", "-p", "a"]]);
  assertEquals(runs("bash -c 'go test ./... && cargo nextest run'"), [["go test", "./..."], ["cargo test"]]);
  assertEquals(runs("./gradlew test --tests A"), [["gradle test", "A"]]);
  assertEquals(runs("pytest; npm t", "powershell"), [["pytest"], ["script test"]]);
  for (
    const command of [
      "ls",
      "echo pytest",
      "npm run lint",
      "npm run type-check",
      "cat pytest.ini",
      "npx jest -u",
    ]
  ) {
    assertEquals(runs(command), [], command);
  }
});

Deno.test("hasWork: a shell command is judged in the language of its shell", () => {
  for (const { shell, command, reads } of cases<CommandCase>("commands")) {
    assertEquals(worked(use(shell === "sh" ? "Bash" : "PowerShell", { command })), !reads, command);
  }
});

Deno.test("hasWork: edits, subagents and tools that write by name", () => {
  for (
    const name of [
      "Write",
      "Edit",
      "MultiEdit",
      "NotebookEdit",
      "Agent",
      "Task",
      "mcp__files__write_file",
      "mcp__github__create_issue",
      "mcp__x__applyPatch",
      "SaveMemory",
    ]
  ) {
    assert(worked(use(name, {}, "x")), name);
  }
  assert(worked(use("Bash", {})));
  assert(worked(use("Bash", { command: 1 })));
  assert(worked(use("Monitor", { command: "npm run build" })));
  assert(worked(bash("npm run build", "x", true)));
  assert(worked(bash("ls"), bash("npm run build"), bash("ls")));
  for (const subagent_type of ["general-purpose", "explorer-and-fixer", "", 1]) {
    assert(worked(use("Agent", { subagent_type, prompt: "Explore" }, "x")), String(subagent_type));
  }
});

Deno.test("hasWork: a subagent that only looks is none", () => {
  for (const subagent_type of ["Explore", "Plan", "explore"]) {
    assert(!worked(use("Agent", { subagent_type, prompt: "Write a plan" }, "x")), subagent_type);
    assert(!worked(use("Task", { subagent_type }, "x")), subagent_type);
  }
  assert(worked(use("Task", { subagent_type: "Explore" }), use("Agent", {})));
});

Deno.test("hasWork: a run of tests is work only where it speaks against that all pass", () => {
  const markers = ["done", "all tests pass"];
  const tells = (...uses: readonly ToolUse[]) => hasWork(windowOf(...uses), markers);
  const red = bash("npm test", "Tests:       1 failed, 4 passed, 5 total", true);
  const green = bash("npm test", "Tests:       5 passed, 5 total");
  assert(!worked(red));
  assert(!hasWork(windowOf(red), ["done"]));
  assert(tells(red));
  assert(tells(green, red));
  assert(tells(bash("npm test", "Missing script", true)));
  assert(tells(bash("npm test; true", "Tests:       1 failed, 4 passed, 5 total")));
  assert(!tells(green));
  assert(!tells(red, green));
  assert(!tells(bash("npm test", "what no one knows")));
  assert(!tells(bash("ls a", "no such file", true)));
});

Deno.test("hasWork: what only reads or talks is none, and an edit that failed neither", () => {
  for (
    const name of [
      "Read",
      "Glob",
      "Grep",
      "WebFetch",
      "TodoWrite",
      "TaskUpdate",
      "TaskCreate",
      "BashOutput",
      "AskUserQuestion",
      "mcp__files__read_file",
      "mcp__files__get_edit_history",
      "mcp__browser__click",
      "",
    ]
  ) {
    assert(!worked(use(name, {})), name);
  }
  assert(!worked());
  assert(!worked(use("Write", {}, "refused", true)));
  assert(!worked(use("Monitor", { command: "tail -f a.log" })));
});

Deno.test("hasWork: in doubt where the window is not the whole turn", () => {
  assert(hasWork({ texts: [], uses: [], whole: false }));
  assert(hasWork(readWindow([undefined, '{"type":"user","message":{"content":"go on"}}'])));
  assert(!hasWork(readWindow(['{"type":"user","message":{"content":"go on"}}'])));
});

Deno.test("citedPaths: each text of the cases", () => {
  for (const { text, paths } of cases<{ text: string; paths: string[] }>("paths")) {
    assertEquals(citedPaths([text], [...FOLDERS, "Proof"]), paths, text);
  }
});

Deno.test("citedPaths: no folder, no path; of many the first 200", () => {
  assertEquals(citedPaths(["evidence/a"], []), []);
  assertEquals(citedPaths(["evidence/a /b"], [""]), []);
  assertEquals(citedPaths(["evidence/b", "evidence/a", "evidence/b"], FOLDERS), ["evidence/b", "evidence/a"]);
  const many = Array.from({ length: 300 }, (_, i) => `evidence/${i}`);
  assertEquals(citedPaths([many.join(" ")], FOLDERS), many.slice(0, 200));
  assertEquals(citedPaths(many, FOLDERS), many.slice(0, 200));
});

Deno.test("hasSignal: each sign, in what a tool was given or returned", () => {
  for (
    const sign of [
      "evidence-inventory.md",
      "run the step-3 check",
      "step_03.png",
      "shots/STEP-12_final.png",
      "screenshot",
      "/tmp/Screenshot 1.png",
      "verdict: PASS",
      '{"verdict":"pass"}',
    ]
  ) {
    assert(signals(bash(sign, "")), sign);
    assert(signals(bash("./e2e.sh", `a\n${sign}\nb`)), sign);
    assert(signals(use("mcp__browser__run", { deep: [{ name: sign }] })), sign);
    assert(!signals(bash("./e2e.sh", sign, true)), sign);
    assert(!signals(bash(sign, "", true)), sign);
    assert(!hasSignal({ texts: [sign], uses: [], whole: true }, []), sign);
  }
  assert(signals(use("mcp__browser__take_screenshot", {}, "ok")));
  assert(signals(use("Read", { file_path: "shots/step-3.png" }, "")));
  assert(signals(use("Write", { file_path: "e2e/verdict.md", content: "x" }, "ok")));
});

Deno.test("hasSignal: words that only look like one", () => {
  for (
    const text of ["step", "step-by-step", "multistep-3", "step-3a", "stepped-3", "verdictive", "inventory"]
  ) {
    assert(!signals(bash("./e2e.sh", text)), text);
  }
});

Deno.test("hasSignal: what is no more than words", () => {
  const word = "the verdict, step-1, a screenshot";
  for (
    const one of [
      use("Write", { file_path: "a.md", content: word }, word),
      use("Edit", { file_path: "a.md", old_string: word, new_string: word }, word),
      use("MultiEdit", { file_path: "a.md", edits: [{ new_string: word }] }, "ok"),
      use("NotebookEdit", { notebook_path: "a.ipynb", new_source: word }, "ok"),
      use("mcp__files__write_file", { path: "a.md", content: word }, "ok"),
      use("Read", { file_path: "a.md" }, word),
      use("Grep", { pattern: word }, word),
      use("Glob", { pattern: "**/screenshot*" }, word),
      use("WebFetch", { url: "x", prompt: word }, word),
      use("TodoWrite", { todos: [{ content: word }] }, word),
      use("AskUserQuestion", { questions: [{ question: word }] }, word),
      use("ExitPlanMode", { plan: word }, word),
      use("Agent", { prompt: word }, "There is one line."),
      use("Bash", { command: "ls", description: word }, "a"),
    ]
  ) {
    assert(!signals(one), JSON.stringify(one));
  }
});

Deno.test("hasSignal: a curl with a status of 200", () => {
  const curl = "curl -si http://localhost:3000/health";
  const write = (format: string) => `curl -s -o /dev/null -w '${format}' http://localhost/`;
  const held = "curl -s -o /dev/null -w '%{http_code}' http://localhost/";
  for (
    const [command, text] of [
      [curl, "HTTP/1.1 200 OK\n\nok"],
      [curl, "HTTP/2 200 \r\ncontent-length: 404\r\n\r\n500"],
      ["curl -sv http://localhost/", "> GET / HTTP/1.1\n< HTTP/1.1 200 OK\n<\nok"],
      ["curl -siL http://localhost/", "HTTP/1.1 301 Moved\n\nHTTP/1.1 200 OK\n\nok"],
      [curl, "HTTP/1.1 401 Unauthorized\n\nHTTP/1.1 200 OK\n"],
      [`${curl}; ${curl}`, "curl: (7) Failed to connect\nHTTP/1.1 200 OK\n"],
      [`${curl} | head -1`, "HTTP/1.1 200 OK\ncurl: (23) Failed writing body"],
      [`echo "home: $(${curl} | head -1)"`, "home: HTTP/1.1 200 OK"],
      [write("%{http_code}"), "200"],
      [write("%{http_code}\\n"), "200\n"],
      [write("%{response_code}"), "200"],
      ["curl -s -w '%{http_code}' http://localhost/", '{"price": 404 }\n200'],
      ["curl -sw '\\n%{http_code}' http://localhost/", '{"ok":true}\n200'],
      ['curl -s -w "%{http_code}" http://localhost/', '{"ok":true}200'],
      [write("HTTP %{http_code} in %{time_total}s"), "HTTP 200 in 0.404s"],
      [write("%{http_code} %{url}"), "200 http://localhost:4040/"],
      [write("code=%{http_code}\\n"), "code=404\ncode=200\n"],
      [`${write("%{http_code} %{time_total}")} | cut -d' ' -f1`, "200"],
      [`echo "got $(${held})"`, "got 200"],
      [
        "curl -w '%{http_code}' http://localhost/",
        "200\n100   15  100  404    0     0   1200   0 --:--:-- 0",
      ],
      ["cd a && /usr/bin/curl -w '%{http_code}' x | grep 200", ""],
      [`${held} | grep -q '^200$'`, ""],
      [`test "$(${held})" = 200`, ""],
      [`[ "$(${held})" -eq 200 ]`, ""],
      ["curl -s http://localhost/health", '{"status": 200, "db": "up"}'],
      ["curl -s http://localhost/health", '{"statusCode":"200"}'],
    ] as const
  ) {
    assert(signals(bash(command, text)), `${command}: ${text}`);
    assert(!signals(bash(command, text, true)), `${command}: ${text}`);
    assert(!signals(bash(command)), command);
  }
  assert(signals(use("PowerShell", { command: "curl.exe -i http://localhost/" }, "HTTP/1.1 200 OK")));
  assert(signals(use("PowerShell", { command: "curl http://localhost/" }, "StatusCode        : 200\n")));
});

Deno.test("hasSignal: a curl without a status of 200, whatever other number it prints", () => {
  const curl = "curl -si http://localhost:3000/health";
  const held = "curl -s -o /dev/null -w '%{http_code}' http://localhost/";
  for (
    const [command, text] of [
      [curl, "HTTP/1.1 500 Internal Server Error"],
      [curl, "HTTP/1.1 404 Not Found\ncontent-length: 200\n\n"],
      [curl, "HTTP/1.1 500 Internal Server Error\n\ntook 200 ms"],
      [curl, 'HTTP/1.1 500 Internal Server Error\n\n{"status":200}'],
      [curl, "HTTP/1.1 204 No Content"],
      [curl, "curl: (7) Failed to connect to l port 200"],
      [`${curl}; ${curl}`, "HTTP/1.1 200 OK\n\nHTTP/1.1 503 Service Unavailable"],
      [`${curl}; ${curl}`, "HTTP/1.1 200 OK\n\ncurl: (7) Failed to connect"],
      ["curl -s http://localhost/", '{"price": 200,"error":"unauthorized"}'],
      ["curl -s http://localhost/", "200"],
      ["curl -s http://localhost/", '{"status":200,"a":{"status":500}}'],
      ["curl -s http://localhost/", '{"status":2001}'],
      ["curl http://localhost:8200/", "ok 1200 2000 1.200"],
      [`${curl} # want 200`, "HTTP/1.1 500 Internal Server Error"],
      [`${curl} # want 200`, "500"],
      [`${curl} # = 200`, ""],
      [`${curl} | grep 200`, ""],
      [held, "404"],
      [held, "000"],
      [held, "200\n404"],
      [held, "took 200 ms500"],
      [`echo "$(${held}) took 200 ms"`, "500 took 200 ms"],
      ["curl -s -w '%{http_code}' http://localhost/", '{"price": 200 }401'],
      ["curl -s -w 'code=%{http_code}' http://localhost/", "200 code=500"],
      ["curl -s -w '%{time_total}' http://localhost/", "200"],
      [`${held} | grep 200 || true`, ""],
      [`${held} | grep -v 200`, ""],
      [`if [ "$(${held})" = 200 ]; then echo ok; else echo bad; fi`, "bad"],
      ["cat curl-notes.txt", "HTTP/1.1 200 OK"],
      ["./run.sh", "HTTP/1.1 200 OK"],
    ] as const
  ) {
    assert(!signals(bash(command, text)), `${command}: ${text}`);
  }
});

const PASS = "ok | 2 passed | 0 failed (5ms)";

Deno.test("hasSignal: a runner's summary proves that all tests pass, and that alone", () => {
  const one = bash("deno test", PASS);
  assert(signals(one, "all tests pass"));
  assert(signals(one, "all tests pass", "all tests pass"));
  assert(!signals(one));
  assert(!signals(one, "done"));
  assert(!signals(one, "all tests pass", "done"));
  assert(!signals(bash("deno test", PASS, true), "all tests pass"));
  assert(!signals(bash("deno test", "FAILED | 1 passed | 1 failed (5ms)"), "all tests pass"));
  assert(!signals(bash(`echo '${PASS}'`), "all tests pass"));
  assert(!signals(use("Read", { file_path: "a.log" }, PASS), "all tests pass"));
  assert(!signals(use("Write", { file_path: "a.log", content: PASS }, PASS), "all tests pass"));
  assert(signals(use("Read", { file_path: "/tmp/x/tasks/b1.output" }, PASS), "all tests pass"));
  assert(signals(use("BashOutput", { bash_id: "1" }, PASS), "all tests pass"));
});

const JEST = { green: "Tests:       5 passed, 5 total", red: "Tests:       1 failed, 4 passed, 5 total" };

Deno.test("hasSignal: of the runs of the same tests the last counts", () => {
  const proves = (...uses: readonly ToolUse[]) => hasSignal(windowOf(...uses), ["all tests pass"]);
  const green = bash("npm test", JEST.green);
  const red = bash("npm test", JEST.red, true);
  const pytest = (text: string, isError = false, what = "") => bash(`pytest ${what}`, text, isError);

  assert(proves(red, green));
  assert(!proves(green, red));
  assert(proves(green, red, green));
  assert(!proves(green, bash("npm test | tail", JEST.red)));
  // By the form of their summaries these are runs of the same.
  assert(proves(bash("npx jest", JEST.red, true), green));
  assert(!proves(green, bash("npx jest", JEST.red, true)));
  assert(!proves(bash("./all.sh", JEST.green), use("BashOutput", { bash_id: "1" }, JEST.red)));
  // An error without a summary.
  assert(!proves(green, bash("npm test", "SyntaxError: x", true)));
  assert(!proves(bash("./all.sh", JEST.green), bash("./all.sh", `${JEST.green}\nthreshold not met`, true)));
  assert(proves(bash("npm test", "Missing script: test", true), bash("npx jest", JEST.green)));
  assert(proves(green, bash("npm run build", "x", true)));
  assert(proves(green, bash("npm test", "what no one knows")));
  // Others that failed last.
  assert(!proves(pytest("=== 1 failed, 4 passed in 0.30s ===", true), green));
  assert(!proves(green, pytest("=== 1 failed, 4 passed in 0.30s ===", true)));
  assert(proves(green, pytest("=== 5 passed in 0.30s ===")));
});

Deno.test("hasSignal: a run of fewer tests does not make up for one of more", () => {
  const proves = (...uses: readonly ToolUse[]) => hasSignal(windowOf(...uses), ["all tests pass"]);
  const run = (what: string, isError = false) =>
    bash(`npx jest ${what}`, isError ? JEST.red : JEST.green, isError);
  assert(!proves(run("", true), run("a.test.ts")));
  assert(!proves(run("", true), run("-t=login")));
  assert(!proves(run("a.test.ts", true), run("b.test.ts")));
  assert(proves(run("a.test.ts", true), run("")));
  assert(proves(run("a.test.ts", true), run("a.test.ts")));
  assert(proves(run("lib/a.test.ts", true), run("lib")));
  assert(proves(run("", true), run("a.test.ts"), run("--coverage tests/ --config jest.config.json")));
  assert(proves(run("a.test.ts")));
});

Deno.test("hasSignal: a build of Gradle's that was told to test", () => {
  const text = "BUILD SUCCESSFUL in 3s\n4 actionable tasks: 4 executed";
  for (const command of ["./gradlew test", "gradle check", "gradlew.bat :app:testDebugUnitTest"]) {
    assert(signals(bash(command, text), "all tests pass"), command);
    assert(!signals(bash(command, "BUILD FAILED in 3s"), "all tests pass"), command);
  }
  assert(!signals(bash("./gradlew assemble", text), "all tests pass"));
  assert(!signals(bash("./gradlew assemble -x test", text), "all tests pass"));
});

Deno.test("bearsPass: each summary of the cases", () => {
  const all = cases<{ runner: string; text: string; passes: boolean }>("summaries");
  assertEquals(all.filter(({ text, passes }) => bearsPass(text) !== passes), []);
  assertEquals(all.filter(({ text, passes }) => bearsPass(text.replaceAll("\n", "\r\n")) !== passes), []);
  for (const runner of new Set(all.map(({ runner }) => runner))) {
    if (runner !== "other") assert(all.some((one) => one.runner === runner && one.passes), runner);
  }
});

Deno.test("bearsPass: a summary that fails is not outweighed by one that does not", () => {
  const all = cases<{ text: string; passes: boolean }>("summaries");
  const good = all.filter(({ passes }) => passes);
  for (const { text } of good) {
    assert(bearsPass(`${text}\n${PASS}`), text);
    assert(!bearsPass(`${text}\ntest result: FAILED. 4 passed; 1 failed; 0 ignored`), text);
    assert(!bearsPass(`=== 1 failed, 4 passed in 0.30s ===\n${text}`), text);
  }
});

const anything = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.array(
    fc.constantFrom(
      ..."evidence/|evidence\\|`|\"|'|“|](|)|<|>|$(|\\|\n| |:12|#L3|*|_|{|}|&&|;|<<E|E\n|find|-exec|\0|passed|1 |failed, |ok |.."
        .split("|"),
      "|",
    ),
  ).map((parts) => parts.join("")),
);

Deno.test("proof: never throws on any text, call or window", () => {
  const uses = fc.record({
    name: fc.oneof(
      fc.constantFrom("Bash", "PowerShell", "Read", "Write", "Agent", "mcp__a__write_b"),
      anything,
    ),
    input: fc.oneof(fc.jsonValue(), fc.record({ command: anything }), fc.constant(undefined)),
    result: fc.record({ text: anything, isError: fc.boolean() }),
  });
  fc.assert(
    fc.property(fc.array(anything), fc.array(uses), fc.array(anything), (texts, uses, words) => {
      const window = { texts, uses, whole: true };
      assertEquals(typeof hasWork(window), "boolean");
      assertEquals(typeof hasSignal(window, words), "boolean");
      assertEquals(typeof hasSignal(window, ["all tests pass"]), "boolean");
      assert(citedPaths(texts, [...FOLDERS, ...words]).length <= 200);
    }),
    { numRuns: 500 },
  );
});

Deno.test("citedPaths: each path has a segment of that name, and none stands twice", () => {
  fc.assert(fc.property(fc.array(anything), (texts) => {
    const found = citedPaths(texts, FOLDERS);
    assertEquals(found.length, new Set(found).size);
    for (const path of found) {
      assert(path.toLowerCase().split(/[/\\]/).some((segment) => FOLDERS.includes(segment)), path);
    }
  }));
});

Deno.test("proof: an input nested deep is read", () => {
  const deep = JSON.parse(`${"[".repeat(100_000)}"a screenshot"${"]".repeat(100_000)}`);
  assert(signals(use("mcp__x__y", deep)));
});

Deno.test("proof: takes time by length alone", () => {
  const seconds = (length: number, run: (text: string) => unknown, part: string) => {
    const text = part.repeat(length / part.length);
    const start = performance.now();
    run(text);
    return (performance.now() - start) / 1_000;
  };
  const runs: readonly ((text: string) => unknown)[] = [
    (text) => citedPaths([`evidence/ ${text}`], FOLDERS),
    bearsPass,
    (text) => signals(bash(text, text), "all tests pass"),
    (text) => signals(bash(`curl ${text}`, text), "all tests pass"),
    (text) => onlyReads(text.slice(0, 60_000), "sh"),
    (text) => onlyReads(text.slice(0, 60_000), "powershell"),
    (text) => onlyReads(`npm run ${text.slice(0, 60_000)}`, "sh"),
    (text) => signals(bash(`curl -w '${text.slice(0, 499)}%{http_code}' x`, text), "all tests pass"),
  ];
  const parts = [
    "“",
    "'a ",
    "`",
    '"',
    "](",
    "](<",
    "evidence/",
    "evidence/ ",
    "a:",
    "*",
    "1 failed, ",
    "1 test, ",
    "ok\n",
  ];
  const more = [
    "\x1b[",
    "step-",
    "20",
    "env ",
    "find -exec ",
    "$(",
    "<<E\n",
    "A=1 ",
    "$a = ",
    "`a` ",
    "200.",
    "<system-reminder>",
    "test-a:",
    "evidence/a (b ",
    "[",
    "%{a}",
    ' -w "',
    "HTTP/1.1 200 ",
    "Executed ",
    "psql -c 'select ",
    "bash -c '",
    "npx ",
    "curl -",
  ];
  for (const run of runs) {
    for (const part of [...parts, ...more]) {
      assert(seconds(300_000, run, part) < 3, `${run} of ${JSON.stringify(part)}`);
    }
  }
});
