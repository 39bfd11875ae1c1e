/**
 * The executables where there is nothing else: a root folder with the C library, its loader, /proc and /dev/null, and
 * an empty environment. No node, no Deno, no Bun, no shell.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { VERSION } from "../../lib/contract/version.ts";
import { registry } from "../../toolchain/registry.ts";
import {
  findEntrance,
  listTree,
  makeRoot,
  readLibraries,
  type RootFile,
} from "../../toolchain/targets-root.ts";
import { type Outcome, ROOT } from "../black-box.ts";
import { transcript } from "../hooks/transcript.ts";

const DIST = join(ROOT, "dist", "host");
/** The C library's own files, as each architecture and each libc calls them; and what Deno asks for besides. */
const LIBRARIES =
  /^(?:ld-linux[\w.-]*|ld-musl[\w.-]*|libc\.[\w.-]*|lib(?:m|dl|pthread|rt)\.so\.\d|libgcc_s\.so\.1|libstdc\+\+\.so\.6)$/;

interface Run {
  readonly args?: readonly string[];
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A root folder, and how a program is run in it, with no more in the environment than is given. */
interface Bare {
  readonly root: string;
  readonly run: (program: string, options?: Run) => Promise<Outcome>;
}

async function execute(words: readonly string[], { args = [], stdin = "", env = {} }: Run): Promise<Outcome> {
  const [program = "", ...first] = words;
  const child = new Deno.Command(program, {
    args: [...first, ...args],
    clearEnv: true,
    env: { ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const feed = writer.write(new TextEncoder().encode(stdin)).then(() => writer.close()).catch(() => {});
  const [{ code, stdout, stderr }] = await Promise.all([child.output(), feed]);
  return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}

/** What is put into the root: the build, and what the loader loads for each of its executables. */
async function contents(): Promise<readonly RootFile[]> {
  const executables = ["nonzero", ...registry.map(({ folder, unit }) => `${folder}/${unit.name}`)];
  const built = executables.map((path) => ({ from: join(DIST, path), to: `/${path}` }));
  const files = new Map<string, RootFile>();
  for (const { from } of built) {
    for (const library of await readLibraries(from)) files.set(library.to, library);
  }
  return [...files.values(), ...built];
}

async function withRoot(entrance: readonly string[], use: (bare: Bare) => Promise<void>): Promise<void> {
  // Beside the build, so that links will do.
  await Deno.mkdir(join(ROOT, ".cache"), { recursive: true });
  const root = await Deno.realPath(await Deno.makeTempDir({ dir: join(ROOT, ".cache"), prefix: "bare-" }));
  try {
    await makeRoot(root, await contents(), ["null"]);
    await use({ root, run: (program, options = {}) => execute([...entrance, root, program], options) });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function plant(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(join(root, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(root, path), text);
  }
}

/** The words before the root; none where this machine does not let one enter. */
const entrance = (await findEntrance("/").catch(() => undefined))?.slice(0, -1) ?? [];
const why = entrance.length > 0
  ? ""
  : ", which cannot be run here: it takes Linux, and root's rights or user namespaces";

function test(title: string, check: (bare: Bare) => Promise<void>): void {
  Deno.test({
    name: `bare root: ${title}${why}`,
    ignore: entrance.length === 0,
    fn: () => withRoot(entrance, check),
  });
}

test("it holds the C library and the executables, and nothing else can be started", async ({ root, run }) => {
  const files = (await listTree(root, "/")).map(({ to }) => to);
  const others = files.filter((path) =>
    !/^\/(?:nonzero|(?:hooks|gates)\/[a-z-]+|dev\/null)$/.test(path) &&
    !LIBRARIES.test(path.split("/").at(-1) ?? "")
  );
  assertEquals(others, []);
  assert(files.includes("/nonzero") && files.includes("/hooks/pre-tool-use"));
  for (const program of ["/bin/sh", "/usr/bin/env", "/usr/bin/node", "deno", "bun"]) {
    assertEquals((await run(program)).code, 127, program);
  }
});

test("every executable tells its version and its help", async ({ run }) => {
  assertEquals(await run("/nonzero", { args: ["--version"] }), {
    code: 0,
    stdout: `nonzero ${VERSION}\n`,
    stderr: "",
  });
  assertStringIncludes((await run("/nonzero", { args: ["--help"] })).stdout, "hook NAME");
  for (const { folder, unit } of registry) {
    const program = `/${folder}/${unit.name}`;
    const version = await run(program, { args: ["--version"] });
    assertEquals(version, { code: 0, stdout: `${unit.name} ${VERSION}\n`, stderr: "" });
    const help = await run(program, { args: ["--help"] });
    assertEquals([help.code, help.stderr], [0, ""]);
    assertStringIncludes(help.stdout, unit.name);
  }
});

test("the guards allow and refuse", async ({ root, run }) => {
  await plant(root, { "project/a": "" });
  const native = (target: string) => ({ stdin: JSON.stringify({ target, cwd: "/project", payload: {} }) });
  assertEquals(await run("/hooks/pre-tool-use", native("a.txt")), { code: 0, stdout: "allow\n", stderr: "" });
  const refused = await run("/hooks/pre-tool-use", native("../a.txt"));
  assertEquals([refused.code, refused.stdout], [2, "deny\n"]);
  assertMatch(refused.stderr, /^DENY {2}stay-inside-worktree: /);
  assertEquals((await run("/hooks/pre-tool-use")).code, 2);

  const secret = `api_key=${"q8Zr2".repeat(4)}`;
  const write = (content: string) => ({
    args: ["-z", "--harness", "claude"],
    stdin: JSON.stringify({
      hook_event_name: "PreToolUse",
      cwd: "/project",
      tool_name: "Write",
      tool_input: { file_path: "/project/evidence/log.txt", content },
    }),
  });
  assertEquals(await run("/hooks/evidence-guard", write("fine")), { code: 0, stdout: "", stderr: "" });
  const kept = await run("/hooks/evidence-guard", write(secret));
  assertEquals(kept.code, 2, kept.stdout);
  assertMatch(kept.stderr, /^DENY {2}no-secrets-in-evidence: /);
  assertEquals(JSON.parse(kept.stdout).hookSpecificOutput.permissionDecision, "deny");
});

test("stop-guard blocks a claim without proof, and no other end", async ({ root, run }) => {
  const lines = [
    { user: "Fix the login." },
    { tool: "Write", input: { file_path: "a.ts", content: "b" }, result: "written" },
  ];
  await plant(root, { "project/a.ts": "b", "transcript.jsonl": transcript(lines) });
  const end = (last_assistant_message: string) => ({
    args: ["-z", "--harness", "claude"],
    stdin: JSON.stringify({
      hook_event_name: "Stop",
      cwd: "/project",
      transcript_path: "/transcript.jsonl",
      stop_hook_active: false,
      last_assistant_message,
    }),
  });
  const blocked = await run("/hooks/stop-guard", end("The login is done."));
  assertEquals([blocked.code, blocked.stderr], [0, ""]);
  assertEquals(JSON.parse(blocked.stdout).decision, "block");
  const silent = await run("/hooks/stop-guard", end("The login is changed, UNVERIFIED."));
  assertEquals(silent, { code: 0, stdout: "", stderr: "" });
});

test("session-start tells the doctrine, and instructions-loaded writes its log", async ({ root, run }) => {
  await plant(root, { "project/a": "" });
  const started = await run("/hooks/session-start", {
    args: ["-z", "--harness", "claude"],
    stdin: JSON.stringify({ hook_event_name: "SessionStart", cwd: "/project", source: "startup" }),
  });
  assertEquals([started.code, started.stderr], [0, ""]);
  assertStringIncludes(JSON.parse(started.stdout).hookSpecificOutput.additionalContext, "UNVERIFIED");

  const loaded = await run("/hooks/instructions-loaded", {
    args: ["-z", "--harness", "claude"],
    stdin: JSON.stringify({ file_path: "/project/CLAUDE.md", load_reason: "session_start", cwd: "/project" }),
    env: { HOME: "/home" },
  });
  assertEquals(loaded, { code: 0, stdout: "", stderr: "" });
  const log = await Deno.readTextFile(join(root, "home/.claude/proofpunk-loads.jsonl"));
  assertEquals(JSON.parse(log).filePath, "/project/CLAUDE.md");
});

test("a gate ends with each of its exit codes", async ({ root, run }) => {
  await plant(root, {
    "good": "status=passed\nartifact=a\n",
    "bad": "status=failed\nartifact=a\n",
    "odd": "status\n",
  });
  for (
    const [file, code, says] of [
      ["/good", 0, /^$/],
      ["/odd", 65, /^post-code: \/odd:1: /],
      ["/none", 65, /^post-code: \/none: /],
      ["/bad", 70, /^post-code: \/bad:1: status is "failed", not "passed"\n/],
    ] as const
  ) {
    const outcome = await run("/gates/post-code", { env: { OAIES_VERIFY_EVIDENCE: file } });
    assertEquals(outcome.code, code, outcome.stderr);
    assertMatch(outcome.stderr, says);
    const command = await run("/nonzero", {
      args: ["-z", "gate", "post-code"],
      env: { OAIES_VERIFY_EVIDENCE: file },
    });
    assertEquals(command, outcome);
  }
  assertEquals((await run("/gates/post-code")).code, 64);
});

test("pre-commit without git is no pass", async ({ root, run }) => {
  await plant(root, { "passed": "status=passed\n" });
  const env = { OAIES_TEST_EVIDENCE: "/passed", OAIES_SECRET_SCAN_EVIDENCE: "/passed" };
  const outcome = await run("/gates/pre-commit", { env });
  assertEquals([outcome.code, outcome.stdout], [65, ""]);
  assertMatch(outcome.stderr, /^pre-commit: .*git/);
});

test("without /proc a program judges all the same, or aborts, which is no pass", async ({ root, run }) => {
  await Deno.remove(join(root, "proc"));
  await plant(root, { "project/a": "", "bad": "status=failed\nartifact=a\n" });
  const stdin = JSON.stringify({ target: "../a.txt", cwd: "/project", payload: {} });
  const guard = await run("/hooks/pre-tool-use", { stdin });
  // SIGABRT: Bun's runtime with glibc does not do without.
  assert([2, 134].includes(guard.code) && !guard.stdout.includes("allow"), JSON.stringify(guard));
  const gate = await run("/gates/post-code", { env: { OAIES_VERIFY_EVIDENCE: "/bad" } });
  assert([70, 134].includes(gate.code) && !gate.stdout.includes("passed"), JSON.stringify(gate));
});
