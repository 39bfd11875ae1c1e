import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { type Tree, withFolder } from "../black-box.ts";
import { type ToolCall, write } from "./model.ts";
import { copyBuild, guard, type Outcome, readStart, runSession, wirings } from "./session.ts";

/** Something that the model does, and what comes of it. */
interface Case {
  readonly name: string;
  /** The rules that refuse it, each and no others; none where it is allowed. */
  readonly rules: readonly string[];
  /** One call a turn; the last is the one that is judged. */
  readonly calls: readonly ToolCall[];
  /** The file that reads so if it happened. */
  readonly path: string;
  readonly content: string;
}

const edit = (
  file_path: string,
  old_string: string,
  new_string: string,
): ToolCall => ({
  tool: "Edit",
  input: { file_path, old_string, new_string },
});
const read = (file_path: string): ToolCall => ({
  tool: "Read",
  input: { file_path },
});
const bash = (command: string): ToolCall => ({
  tool: "Bash",
  input: { command },
});

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A secret that stands in no file of this repository. */
const SECRET = `ghp_${
  Array.from(crypto.getRandomValues(new Uint8Array(36)), (byte) => LETTERS[byte % LETTERS.length]).join("")
}`;

const record = (extraction: unknown) =>
  `${JSON.stringify({ fields: { total: { value: 12, page: 3 } }, extraction })}\n`;

/** A notebook as the client writes it. */
function notebook(source: string): string {
  const cells = [{ cell_type: "markdown", id: "a", metadata: {}, source }];
  return JSON.stringify(
    { cells, metadata: {}, nbformat: 4, nbformat_minor: 5 },
    null,
    1,
  );
}

const TREE: Tree = {
  "project/.git": null,
  "project/below": null,
  "project/greeting.txt": "good day\n",
  "project/record.json": record({ unreadable: ["reserve"] }),
  "project/notes.ipynb": notebook("good day"),
  "project/leads-out": { link: "{work}/outside" },
  "project/dangles.txt": { link: "{work}/outside/dangling.txt" },
  "outside": null,
};

function allowedCases(work: string): Case[] {
  const project = join(work, "project");
  const allowed = (
    name: string,
    path: string,
    calls: readonly ToolCall[],
    content = "hello\n",
  ): Case => (
    { name, rules: [], calls, path: join(project, path), content }
  );
  const good = record({ unreadable: ["reserve"] });
  const notes = join(project, "notes.ipynb");
  return [
    allowed("Write inside", "inside.txt", [write(join(project, "inside.txt"))]),
    allowed("Write by a relative path", "below/relative.txt", [
      write("below/relative.txt"),
    ]),
    allowed("Edit inside", "greeting.txt", [
      read(join(project, "greeting.txt")),
      edit(join(project, "greeting.txt"), "day", "night"),
    ], "good night\n"),
    allowed("NotebookEdit inside", "notes.ipynb", [
      read(notes),
      {
        tool: "NotebookEdit",
        input: { notebook_path: notes, cell_id: "a", new_source: "good night" },
      },
    ], notebook("good night")),
    allowed("Write of a record that says what it could not read", "good.json", [
      write("good.json", good),
    ], good),
    allowed("Bash that redirects inside and to /dev/null", "redirected.txt", [
      bash("echo hello > redirected.txt; echo hello > /dev/null"),
    ]),
    allowed("Write by .. after a change of folder", "from-below.txt", [
      bash("cd below"),
      write("../from-below.txt"),
    ]),
  ];
}

function refusedCases(work: string, executable: string): Case[] {
  const at = (...names: string[]) => join(work, ...names);
  const settings = JSON.stringify({ disableAllHooks: true });
  const token = `token = ${SECRET}\n`;
  const outside = (name: string, path: string, ...calls: ToolCall[]): Case => (
    { name, rules: ["stay-inside-worktree"], calls, path, content: "hello\n" }
  );
  const inside = (
    name: string,
    rule: string,
    path: string,
    calls: ToolCall[],
    content: string,
  ): Case => (
    { name, rules: [rule], calls, path: at("project", path), content }
  );
  return [
    outside(
      "Write outside",
      at("outside", "a.txt"),
      write(at("outside", "a.txt")),
    ),
    outside(
      "Write outside by ..",
      at("outside", "b.txt"),
      write("../below/../../outside/b.txt"),
    ),
    outside("Write outside by ~", at("home", "c.txt"), write("~/c.txt")),
    outside(
      "Write through a symlink",
      at("outside", "d.txt"),
      write(at("project", "leads-out", "d.txt")),
    ),
    outside(
      "Bash that redirects outside",
      at("outside", "e.txt"),
      bash("echo hello > ../../outside/e.txt"),
    ),
    outside(
      "Bash that redirects through a dangling symlink",
      at("outside", "dangling.txt"),
      bash("echo hello > ../dangles.txt"),
    ),
    outside(
      "Bash with tee outside",
      at("outside", "f.txt"),
      bash("echo hello | tee ../../outside/f.txt"),
    ),
    inside("Write of a secret", "no-secrets-written", "g.txt", [
      write(at("project", "g.txt"), token),
    ], token),
    inside("Edit that puts a secret in", "no-secrets-written", "h.txt", [
      write(at("project", "h.txt"), "token = none\n"),
      edit(at("project", "h.txt"), "none", SECRET),
    ], token),
    inside("Bash that writes a secret", "no-secrets-written", "below/i.txt", [
      bash(`echo ${SECRET} > i.txt`),
    ], `${SECRET}\n`),
    inside(
      "Write of a record that does not say what it could not read",
      "unread-fields",
      "j.json",
      [
        write(at("project", "j.json"), record({})),
      ],
      record({}),
    ),
    inside(
      "Edit by which a record publishes what it could not read",
      "unread-fields",
      "record.json",
      [
        read(at("project", "record.json")),
        edit(at("project", "record.json"), '"reserve"', '"total"'),
      ],
      record({ unreadable: ["total"] }),
    ),
    inside(
      "Write of the client's settings",
      "guard-untouched",
      ".claude/settings.json",
      [
        write(at("project", ".claude", "settings.json"), settings),
      ],
      settings,
    ),
    inside(
      "Write of the guard's configuration",
      "guard-untouched",
      ".nonzero.json",
      [
        write(at("project", ".nonzero.json"), "{}\n"),
      ],
      "{}\n",
    ),
    inside(
      "Bash that redirects to a git hook",
      "guard-untouched",
      ".git/pre-commit",
      [
        bash("echo hello > ../.git/pre-commit"),
      ],
      "hello\n",
    ),
    {
      name: "Bash that overwrites the guard",
      rules: ["guard-untouched", "stay-inside-worktree"],
      calls: [bash(`echo hello > ../../dist/${executable}`)],
      path: at("dist", executable),
      content: "hello\n",
    },
    {
      name: "Write of the client's settings in the home",
      rules: ["guard-untouched", "stay-inside-worktree"],
      calls: [
        read("~/.claude/settings.json"),
        write("~/.claude/settings.json", settings),
      ],
      path: at("home", ".claude", "settings.json"),
      content: settings,
    },
  ];
}

const judged = ({ calls }: Case): ToolCall => calls[calls.length - 1]!;

/** The rules that a refusal names to the model. */
function rulesIn(text: string): string[] {
  const named = [...text.matchAll(/DENY {2}([a-z-]+): /g)].map((match) => match[1] ?? "");
  return [...new Set(named)].sort();
}

function checkAllowed({ isError, text, hooks }: Outcome): void {
  assert(!isError, text);
  assertEquals(hooks, [{ exitCode: 0, stdout: "", stderr: "" }]);
}

function checkRefused(
  { isError, text, hooks }: Outcome,
  rules: readonly string[],
): void {
  assert(isError, text);
  assertEquals(rulesIn(text), [...rules].sort(), text);
  assertEquals(hooks.map(({ exitCode }) => exitCode), [2]);
  assert(!text.includes(SECRET), "The model is shown the secret");
}

for (const wiring of wirings) {
  Deno.test(`claude with ${wiring.name}`, async (test) => {
    await withFolder(TREE, async (work) => {
      const dist = await copyBuild(work, wiring);
      const cases = [...allowedCases(work), ...refusedCases(work, wiring.file)];
      const before = new Map<ToolCall, string | undefined>();
      const outcome = await runSession({
        folder: work,
        hook: guard(wiring, dist),
        turns: cases.flatMap(({ calls }) => calls.map((call) => [call])),
        async before([call]) {
          const found = cases.find((one) => judged(one) === call);
          if (found && call) before.set(call, await readStart(found.path));
        },
      });
      for (const one of cases) {
        const { name, rules, path, content } = one;
        await test.step(`${name}: ${rules.length > 0 ? "refused" : "allowed"}`, async () => {
          if (rules.length > 0) {
            checkRefused(outcome(judged(one)), rules);
            assertEquals(await readStart(path), before.get(judged(one)));
          } else {
            checkAllowed(outcome(judged(one)));
            assertEquals(await readStart(path), content);
          }
        });
      }
    });
  });
}

Deno.test("claude without the guard does all that is asked", async (test) => {
  await withFolder({ ...TREE, "dist": null }, async (work) => {
    const cases = [...allowedCases(work), ...refusedCases(work, "nonzero")];
    const outcome = await runSession({
      folder: work,
      turns: cases.flatMap(({ calls }) => calls.map((call) => [call])),
    });
    for (const one of cases) {
      await test.step(one.name, async () => {
        const { isError, text, hooks } = outcome(judged(one));
        assert(!isError, text);
        assertEquals(hooks, []);
        assertEquals(await readStart(one.path), one.content);
      });
    }
  });
});
