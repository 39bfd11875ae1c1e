/** The wired hooks around the turns of the real client: what ends a turn, what begins one, what is kept as evidence. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { wire } from "../../lib/harness/claude-wiring.ts";
import { registry } from "../../toolchain/registry.ts";
import { type Tree, withFolder } from "../black-box.ts";
import { expand } from "../expand.ts";
import { type Answer, type ToolCall, write } from "./model.ts";
import { DIST, playSession, type Session, type SessionOptions } from "./session.ts";

const hooks = registry.flatMap((entry) => entry.folder === "hooks" ? [entry.unit] : []);

/** All hooks as users wire them, the judge aside. */
const SETTINGS = { hooks: wire(hooks, { program: join(DIST, "nonzero"), judge: false }) };

const TREE: Tree = {
  "project/.git": null,
  "project/evidence/login.txt": "HTTP/1.1 200 OK\n",
  "project/CLAUDE.md": "# Notes of the project\n",
};

/** Plays a session in a project; what it leaves is looked at before it is removed. */
async function play(
  answers: (project: string) => readonly Answer[],
  look: (session: Session, folder: string) => void | Promise<void>,
  more: Partial<SessionOptions> & { readonly tree?: Tree } = {},
): Promise<void> {
  const { tree = TREE, ...options } = more;
  await withFolder(tree, async (folder) => {
    const session = await playSession({
      folder,
      settings: SETTINGS,
      turns: answers(join(folder, "project")),
      ...options,
    });
    await look(session, folder);
  });
}

const CLAIM = "The login is done.";

/** The turns that the model took, asides such as titles left out. */
const turnsOf = ({ asked }: Session) => asked.filter(({ kind }) => kind === "turn");

const blocked = (session: Session, event = "Stop") =>
  session.hooks(event).map(({ exitCode, stdout, stderr }) => {
    assertEquals([exitCode, stderr], [0, ""]);
    return stdout !== "";
  });

Deno.test("claude: a claim without proof is sent back once, with the reason", () =>
  play((project) => [[write(join(project, "login.ts"))], CLAIM, CLAIM], (session) => {
    assertEquals(blocked(session), [true, false]);
    const turns = turnsOf(session);
    assertEquals(turns.length, 3);
    assertStringIncludes(turns[2]?.last ?? "", "stop-guard:");
    assertStringIncludes(turns[2]?.last ?? "", "UNVERIFIED");
  }));

Deno.test("claude: a claim that cites what is there ends the turn", () =>
  play(
    (project) => [[write(join(project, "login.ts"))], `${CLAIM} See evidence/login.txt.`],
    (session) => {
      assertEquals(blocked(session), [false]);
      assertEquals(turnsOf(session).length, 2);
    },
  ));

Deno.test("claude: a claim that cites what is not there is sent back, and names it", () =>
  play(
    (
      project,
    ) => [
      [write(join(project, "login.ts"))],
      `${CLAIM} See evidence/none.txt.`,
      "UNVERIFIED: it was not run.",
    ],
    (session) => {
      assertEquals(blocked(session), [true, false]);
      assertStringIncludes(turnsOf(session)[2]?.last ?? "", "evidence/none.txt");
    },
  ));

Deno.test("claude: UNVERIFIED, and a question that is answered, end the turn", async () => {
  await play(
    (project) => [[write(join(project, "login.ts"))], `${CLAIM} UNVERIFIED: I did not start the server.`],
    (session) => assertEquals(blocked(session), [false]),
  );
  await play(() => ["Yes, the login is done."], (session) => assertEquals(blocked(session), [false]));
});

Deno.test("claude: an artifact that the agent wrote in the turn is proof", () =>
  play(
    (project) => [
      [write(join(project, "login.ts"))],
      [{
        tool: "Bash",
        input: { command: "mkdir -p evidence/run-1 && echo 200 > evidence/run-1/login.txt" },
      }],
      `${CLAIM} See evidence/run-1/login.txt.`,
    ],
    (session) => assertEquals(blocked(session), [false]),
  ));

for (const run_in_background of [false, true]) {
  Deno.test(`claude: a subagent's claim without proof is sent back once, in the background: ${run_in_background}`, () =>
    play(
      () => [
        [{
          tool: "Agent",
          input: {
            description: "fix it",
            prompt: "subagent: fix the login",
            subagent_type: "general-purpose",
            run_in_background,
          },
        }],
        "The subagent is at it. UNVERIFIED.",
        "The subagent has reported. UNVERIFIED.",
      ],
      (session) => {
        assertEquals(blocked(session, "SubagentStop"), [true, false]);
        assert(!blocked(session).includes(true));
        assert(session.asked.some(({ last }) => last.includes("stop-guard:")));
      },
      { subagents: { "subagent: fix the login": [[write("sub.ts")], CLAIM, CLAIM] } },
    ));
}

Deno.test("claude: the session starts with the doctrine, and not where the memory has it", async () => {
  await play(() => ["Hello."], ({ asked }) => {
    assert(turnsOf({ asked } as Session).some(({ text }) => text.includes("is sent back")));
  });
  const tree = { ...TREE, "project/CLAUDE.md": "<!-- nonzero:begin -->\nNotes.\n<!-- nonzero:end -->\n" };
  await play(() => ["Hello."], (session) => {
    assertEquals(session.hooks("SessionStart").map(({ stdout }) => stdout), [""]);
    assert(!session.asked.some(({ text }) => text.includes("is sent back")));
  }, { tree });
});

Deno.test("claude: the log has a line for the memory file that was loaded", () =>
  play(() => ["Hello."], async (_, folder) => {
    const log = await Deno.readTextFile(join(folder, "home", ".claude", "proofpunk-loads.jsonl"));
    const lines = log.trimEnd().split("\n").map((line) => JSON.parse(line));
    const line = lines.find(({ filePath }) => filePath === join(folder, "project", "CLAUDE.md"));
    assert(line, log);
    assertEquals(Object.keys(line), ["ts", "filePath", "loadReason", "cwd"]);
    assertEquals([line.loadReason, line.cwd], ["session_start", join(folder, "project")]);
  }));

/** A key that the seed of evidence-guard names, made when the test runs. */
const SECRET = expand("gh{|}p_{alnum:36}");

const NOTEBOOK = JSON.stringify({
  cells: [{ cell_type: "markdown", id: "a", metadata: {}, source: "notes" }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

/** Ways to bring a secret into evidence: what is read first, the call, and the file that would hold it. */
const LEAKS: readonly { name: string; file: string; calls: (project: string) => readonly ToolCall[] }[] = [
  {
    name: "Write",
    file: "evidence/new.txt",
    calls: (project) => [write(join(project, "evidence/new.txt"), `token ${SECRET}\n`)],
  },
  {
    name: "Edit",
    file: "evidence/login.txt",
    calls: (project) => {
      const file_path = join(project, "evidence/login.txt");
      return [
        { tool: "Read", input: { file_path } },
        { tool: "Edit", input: { file_path, old_string: "200 OK", new_string: `200 ${SECRET}` } },
      ];
    },
  },
  {
    name: "NotebookEdit",
    file: "evidence/run.ipynb",
    calls: (project) => {
      const file = join(project, "evidence/run.ipynb");
      return [
        { tool: "Read", input: { file_path: file } },
        { tool: "NotebookEdit", input: { notebook_path: file, cell_id: "a", new_source: SECRET } },
      ];
    },
  },
  {
    name: "Bash",
    file: "evidence/x",
    calls: () => [{ tool: "Bash", input: { command: `echo ${SECRET} > evidence/x` } }],
  },
];

/** Ways to wire a guard, and the rule of each that names the secret. */
const GUARDS = {
  "pre-tool-use, as wired": { rule: "no-secrets-written", ...SETTINGS },
  "evidence-guard alone": {
    rule: "no-secrets-in-evidence",
    hooks: {
      PreToolUse: [{
        matcher: "*",
        hooks: [{
          type: "command",
          command: join(DIST, "hooks", "evidence-guard"),
          args: ["-z", "--harness", "claude"],
          timeout: 10,
          onFailure: "block",
        }],
      }],
    },
  },
};

for (const [guard, { rule, ...settings }] of Object.entries(GUARDS)) {
  Deno.test(`claude: a secret does not come into evidence: ${guard}`, async (test) => {
    for (const leak of LEAKS) {
      await test.step(
        leak.name,
        () =>
          withFolder({ ...TREE, "project/evidence/run.ipynb": NOTEBOOK }, async (folder) => {
            const project = join(folder, "project");
            const calls = leak.calls(project);
            const last = calls.at(-1)!;
            const turns = [...calls.map((call) => [call]), "The file was refused."];
            const { outcome } = await playSession({ folder, settings, turns });
            const { isError, text } = outcome(last);
            assert(isError, text);
            assertStringIncludes(text, `DENY  ${rule}: `);
            assert(!text.includes(SECRET));
            const held = await Deno.readTextFile(join(project, leak.file)).catch(() => "");
            assert(!held.includes(SECRET));
          }),
      );
    }
  });
}

Deno.test("claude: without a guard each of these would come into evidence", async (test) => {
  for (const leak of LEAKS) {
    await test.step(
      leak.name,
      () =>
        withFolder({ ...TREE, "project/evidence/run.ipynb": NOTEBOOK }, async (folder) => {
          const project = join(folder, "project");
          const turns = [...leak.calls(project).map((call) => [call]), "Written."];
          await playSession({ folder, settings: {}, turns });
          assertStringIncludes(await Deno.readTextFile(join(project, leak.file)), SECRET);
        }),
    );
  }
});
