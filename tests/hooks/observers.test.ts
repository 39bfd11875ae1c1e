/** session-start and instructions-loaded, which exit 0 whatever happens. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  type Flavour,
  flavours,
  type Outcome,
  run,
  type RunOptions,
  type Tree,
  withFolder,
} from "../black-box.ts";

const LOG = "proofpunk-loads.jsonl";
const ARGS = ["-z", "--harness", "claude"];
const SECTION = "# Notes\n\n<!-- nonzero:begin -->\nText.\n<!-- nonzero:end -->\n";

const SILENT: Outcome = { code: 0, stdout: "", stderr: "" };

function assertTrouble(outcome: Outcome, name: string, says: string): void {
  assertEquals([outcome.code, outcome.stdout], [0, ""], JSON.stringify(outcome));
  assertMatch(outcome.stderr, new RegExp(`^${name}: .*\\n$`));
  assertStringIncludes(outcome.stderr, says);
}

for (const flavour of flavours()) {
  const test = (title: string, tree: Tree, check: (folder: string, work: string) => Promise<void>) =>
    Deno.test(`observers (${flavour.name}): ${title}`, () =>
      withFolder(tree, (folder) => check(folder, flavour.path(folder))));
  const hook = (name: string) => (work: string, options: RunOptions) =>
    run(flavour.start(name), { args: ARGS, env: flavour.home(`${work}/home`), ...options });
  const start = hook("session-start");
  const load = hook("instructions-loaded");

  const started = (cwd: string, source = "startup") =>
    JSON.stringify({ session_id: "s", cwd, hook_event_name: "SessionStart", source });
  const assertContext = (outcome: Outcome) => {
    assertEquals([outcome.code, outcome.stderr], [0, ""]);
    assert(outcome.stdout.startsWith("{") && outcome.stdout.endsWith("}\n"), outcome.stdout);
    const { hookSpecificOutput: { hookEventName, additionalContext, ...more }, ...rest } = JSON.parse(
      outcome.stdout,
    );
    assertEquals([hookEventName, more, rest], ["SessionStart", {}, {}]);
    assert(additionalContext.length > 200 && additionalContext.length <= 1200, additionalContext.length);
    assertStringIncludes(additionalContext, "UNVERIFIED");
  };

  for (const source of ["startup", "resume", "clear", "compact"]) {
    test(
      `session-start tells the doctrine on ${source}`,
      { project: null },
      async (_, work) => assertContext(await start(work, { stdin: started(`${work}/project`, source) })),
    );
  }

  for (
    const file of [
      "CLAUDE.md",
      "CLAUDE.local.md",
      ".claude/CLAUDE.md",
      ".claude/rules/nonzero.md",
      "AGENTS.md",
    ]
  ) {
    test(
      `session-start is silent where ${file} has the section`,
      { [`project/${file}`]: SECTION },
      async (_, work) => assertEquals(await start(work, { stdin: started(`${work}/project`) }), SILENT),
    );
  }

  test(
    "session-start is silent in a folder of a project whose root has the section",
    { "project/.git": null, "project/sub": null, "project/CLAUDE.md": SECTION },
    async (_, work) => assertEquals(await start(work, { stdin: started(`${work}/project/sub`) }), SILENT),
  );

  test(
    "session-start speaks where the section is another project's, or no file has it",
    {
      "CLAUDE.md": SECTION,
      "project/.git": null,
      "project/CLAUDE.md": "# Notes\n",
      "project/AGENTS.md/x": "",
    },
    async (_, work) => assertContext(await start(work, { stdin: started(`${work}/project`) })),
  );

  test(
    "session-start speaks where the section is in a file that the agent does not read",
    { "project/CLAUDE.md": "# Notes\n", "project/AGENTS.md": SECTION },
    async (_, work) => assertContext(await start(work, { stdin: started(`${work}/project`) })),
  );

  for (
    const [title, text] of [
      ["in code", `\`\`\`\n${SECTION}\`\`\`\n`],
      ["half there", "<!-- nonzero:begin -->\nText.\n"],
      ["empty", "<!-- nonzero:begin -->\n<!-- nonzero:end -->\n"],
      ["named in a sentence", "The markers are `<!-- nonzero:begin -->` and `<!-- nonzero:end -->`.\n"],
    ] as const
  ) {
    test(
      `session-start speaks where the section is ${title}`,
      { "project/CLAUDE.md": text },
      async (_, work) => assertContext(await start(work, { stdin: started(`${work}/project`) })),
    );
  }

  test("session-start speaks where cwd is missing, odd or no folder", { file: "" }, async (_, work) => {
    assertContext(await start(work, { stdin: "{}" }));
    for (const cwd of ["", ".", `${work}/none`, `${work}/file`, "\0"]) {
      assertContext(await start(work, { stdin: started(cwd) }));
    }
  });

  test("an event that cannot be read, and an unknown argument", {}, async (_, work) => {
    for (const [name, one] of [["session-start", start], ["instructions-loaded", load]] as const) {
      assertTrouble(await one(work, { stdin: "" }), name, "empty");
      assertTrouble(await one(work, { stdin: "[1]" }), name, "not a JSON object");
      assertTrouble(await one(work, { stdin: "{}", args: ["--nope"] }), name, "--nope");
    }
  });

  test("--help and --version", {}, async (_, work) => {
    for (const [name, one] of [["session-start", start], ["instructions-loaded", load]] as const) {
      assertStringIncludes((await one(work, { args: ["--help"] })).stdout, "exits 0");
      assertMatch((await one(work, { args: ["--version"] })).stdout, new RegExp(`^${name} \\d`));
    }
  });

  const loaded = (file_path: string, more: Record<string, unknown> = {}) =>
    JSON.stringify({
      session_id: "s",
      cwd: "/p",
      hook_event_name: "InstructionsLoaded",
      file_path,
      memory_type: "Project",
      load_reason: "session_start",
      ...more,
    });
  const log = async (path: string) => (await Deno.readTextFile(path)).split("\n");

  test(
    "instructions-loaded appends a line",
    { [`home/.claude/${LOG}`]: '{"old":1}\n' },
    async (folder, work) => {
      const before = Date.now();
      assertEquals(await load(work, { stdin: loaded("/p/CLAUDE.md") }), SILENT);
      const [first, second, ...rest] = await log(`${folder}/home/.claude/${LOG}`);
      assertEquals([first, rest], ['{"old":1}', [""]]);
      const { ts, ...line } = JSON.parse(second ?? "");
      assertEquals(line, { filePath: "/p/CLAUDE.md", loadReason: "session_start", cwd: "/p" });
      assert(Date.parse(ts) >= before - 1000 && Date.parse(ts) <= Date.now() && ts.endsWith("Z"), ts);
    },
  );

  test("instructions-loaded makes the folder and the file", {}, async (folder, work) => {
    const env = flavour.home(`${work}/home`, { CLAUDE_CONFIG_DIR: `${work}/a/b` });
    assertEquals(await load(work, { stdin: loaded('x\n"y\u001b[31m'), env }), SILENT);
    const [line, end] = await log(`${folder}/a/b/${LOG}`);
    assertEquals([JSON.parse(line ?? "").filePath, end], ['x\n"y\u001b[31m', ""]);
    assert(!line?.includes("\u001b"));
    if (flavour.posix) assertEquals((await Deno.stat(`${folder}/a/b/${LOG}`)).mode! & 0o777, 0o600);
  });

  test("what the event does not say is null", {}, async (folder, work) => {
    assertEquals(await load(work, { stdin: '{"cwd":7,"file_path":["x"]}' }), SILENT);
    const [line] = await log(`${folder}/home/.claude/${LOG}`);
    assertMatch(line ?? "", /^\{"ts":"[^"]+","filePath":null,"loadReason":null,"cwd":null\}$/);
  });

  test("a log that cannot be written is told, and exits 0", { file: "" }, async (_, work) => {
    const env = flavour.home(`${work}/home`, { CLAUDE_CONFIG_DIR: `${work}/file` });
    assertTrouble(await load(work, { stdin: loaded("x"), env }), "instructions-loaded", LOG);
  });

  if (flavour.posix) {
    test("a log on a full disk, or that is a FIFO", {}, async (folder, work) => {
      await Deno.mkdir(`${folder}/full`);
      await Deno.symlink("/dev/full", `${folder}/full/${LOG}`);
      await Deno.mkdir(`${folder}/fifo`);
      await new Deno.Command("mkfifo", { args: [`${folder}/fifo/${LOG}`] }).output();
      for (const place of ["full", "fifo"]) {
        const env = flavour.home(`${work}/home`, { CLAUDE_CONFIG_DIR: `${work}/${place}` });
        assertTrouble(await load(work, { stdin: loaded("x"), env }), "instructions-loaded", LOG);
      }
    });

    test("a log that is a link is followed", { "dotfiles/log": "" }, async (folder, work) => {
      await Deno.mkdir(`${folder}/home/.claude`);
      await Deno.symlink("../../dotfiles/log", `${folder}/home/.claude/${LOG}`);
      assertEquals(await load(work, { stdin: loaded("x") }), SILENT);
      assertEquals((await log(`${folder}/dotfiles/log`)).length, 2);
    });

    test("standard output that is full", { project: null }, async (_, work) => {
      const words = ["sh", "-c", '"$@" >/dev/full', "sh", ...flavour.start("session-start")];
      const outcome = await run(words, {
        args: ARGS,
        stdin: started(`${work}/project`),
        env: flavour.home(`${work}/home`),
      });
      assertTrouble(outcome, "session-start", "");
      assertMatch(outcome.stderr, /no space left/i);
    });

    test("a home that is not there is told, and no other one taken", {}, async (_, work) => {
      const env = { HOME: "/proc/none" };
      assertTrouble(await load(work, { stdin: loaded("x"), env }), "instructions-loaded", LOG);
    });

    test("no home: the account's own is taken, or the trouble told", {}, async () => {
      const { code, stdout } = await run(flavour.start("instructions-loaded"), {
        args: ["--harness", "x"],
        stdin: "{}",
        env: {},
      });
      assertEquals([code, stdout], [0, ""]);
    });
  }
}

function sum(flavour: Flavour): number {
  return flavour.name === "built" ? 200 : 40;
}

for (const flavour of flavours()) {
  Deno.test(`observers (${flavour.name}): many instructions-loaded at once leave whole lines`, () =>
    withFolder({}, async (folder) => {
      const work = flavour.path(folder);
      const files = Array.from({ length: sum(flavour) }, (_, at) => `/p/${at}/${"x".repeat(at * 11)}`);
      const outcomes = await Promise.all(files.map((file_path) =>
        run(flavour.start("instructions-loaded"), {
          args: ARGS,
          stdin: JSON.stringify({ file_path, load_reason: "include", cwd: "/p" }),
          env: flavour.home(`${work}/home`),
        })
      ));
      for (const outcome of outcomes) assertEquals(outcome, SILENT);
      const lines = (await Deno.readTextFile(`${folder}/home/.claude/${LOG}`)).trimEnd().split("\n");
      assertEquals(lines.map((line) => JSON.parse(line).filePath).sort(), files.sort());
    }));
}
