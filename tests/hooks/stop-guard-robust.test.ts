/** What stop-guard does with input, transcripts and pipes that misbehave: it never keeps an agent from stopping. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Flavour, flavours, intoFullPipe, type Outcome, run, withFolder } from "../black-box.ts";
import { expand } from "../expand.ts";
import { type Line, transcript } from "./transcript.ts";

const NAME = "stop-guard";

const EDIT: Line = { tool: "Write", input: { file_path: "a.ts", content: "b" }, result: "written" };
const WORK: readonly Line[] = [{ user: "Fix the login." }, EDIT];

function stop(work: string, more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    transcript_path: `${work}/transcript.jsonl`,
    cwd: work,
    hook_event_name: "Stop",
    stop_hook_active: false,
    last_assistant_message: "The login is done.",
    ...more,
  });
}

/** Starts the hook with what a shell does to its standard streams. */
function shell(flavour: Flavour, redirections: string): readonly string[] {
  return ["sh", "-c", `"$@" ${redirections}`, "sh", ...flavour.start(NAME)];
}

function assertTrouble(outcome: Outcome, says: string): void {
  assertEquals([outcome.code, outcome.stdout], [1, ""], JSON.stringify(outcome).slice(0, 500));
  assertMatch(outcome.stderr, /^stop-guard: /);
  assertStringIncludes(outcome.stderr, says);
  assert(!/\n\s+at /.test(outcome.stderr), "no stack trace");
}

function assertBlock(outcome: Outcome): { reason: string } {
  assertEquals([outcome.code, outcome.stderr], [0, ""], JSON.stringify(outcome).slice(0, 500));
  const answer = JSON.parse(outcome.stdout);
  assertEquals(answer.decision, "block");
  return answer;
}

const SILENT: Outcome = { code: 0, stdout: "", stderr: "" };

for (const flavour of flavours()) {
  const test = (title: string, check: (folder: string, work: string) => Promise<void>) =>
    Deno.test(`${NAME} (${flavour.name}) robust: ${title}`, () =>
      withFolder({}, (folder) => check(folder, flavour.path(folder))));
  const hook = (options: Parameters<typeof run>[1]) => run(flavour.start(NAME), options);

  for (
    const [title, stdin, says] of [
      ["nothing", "", "standard input is empty"],
      ["no JSON", "{", "not valid JSON"],
      ["a list", "[]", "not a JSON object"],
      ["null", "null", "not a JSON object"],
    ] as const
  ) {
    test(`an event that is ${title} is trouble, and no block`, async () =>
      assertTrouble(await hook({ stdin }), says));
  }

  test(
    "an event of 40 MiB is trouble",
    async (_, work) =>
      assertTrouble(await hook({ stdin: stop(work, { x: "x".repeat(40 * 1024 * 1024) }) }), "32 MiB"),
  );

  test("keys of another type are as if they were not there", async (folder, work) => {
    await Deno.writeTextFile(`${folder}/transcript.jsonl`, transcript(WORK));
    const event = {
      background_tasks: {},
      last_assistant_message: 7,
      transcript_path: [],
    };
    assertEquals(await hook({ stdin: stop(work, event) }), SILENT);
    assertEquals(await hook({ stdin: stop(work, { last_assistant_message: null }) }), SILENT);
    assertBlock(await hook({ stdin: stop(work, { stop_hook_active: null, background_tasks: {}, cwd: 7 }) }));
  });

  test("an unknown argument, and a harness that there is not", async (_, work) => {
    assertTrouble(await hook({ args: ["--no"], stdin: stop(work) }), "--no");
    assertTrouble(await hook({ args: ["--harness", "none"], stdin: stop(work) }), "none");
  });

  test("a transcript that is a folder", async (folder, work) => {
    await Deno.mkdir(`${folder}/transcript.jsonl`);
    const outcome = await hook({ stdin: stop(work) });
    assertTrouble(outcome, "transcript");
  });

  if (flavour.posix) {
    test("a transcript that is a FIFO is not waited for", async (folder, work) => {
      await new Deno.Command("mkfifo", { args: [`${folder}/transcript.jsonl`] }).output();
      assertTrouble(await hook({ stdin: stop(work) }), "transcript");
    });

    test("a full pipe is waited for", async (folder, work) => {
      await Deno.writeTextFile(`${folder}/transcript.jsonl`, transcript(WORK));
      const outcome = await run(intoFullPipe(flavour.start(NAME), 1), { stdin: stop(work) });
      assertStringIncludes(outcome.stdout, '"decision":"block"');
      assertEquals(outcome.code, 0);
    });

    test("an answer that cannot be given is trouble", async (folder, work) => {
      await Deno.writeTextFile(`${folder}/transcript.jsonl`, transcript(WORK));
      const { code } = await run(shell(flavour, ">/dev/full"), { stdin: stop(work) });
      assertEquals(code, 1);
    });

    test("a closed standard input is trouble", async () =>
      assertTrouble(await run(shell(flavour, "<&-"), {}), "standard input is empty"));
  }

  test("a transcript of one line of 30 MB tells nothing", async (folder, work) => {
    const line = transcript([{ user: "x".repeat(30_000_000) }]);
    await Deno.writeTextFile(`${folder}/transcript.jsonl`, line);
    assertEquals(await hook({ stdin: stop(work) }), SILENT);
  });

  test("a line of 30 MB in between, CRLF and no line end", async (folder, work) => {
    const big: Line = { tool: "Bash", input: { command: "npm run build" }, result: "x".repeat(30_000_000) };
    const text = transcript([{ user: "Fix it." }, big, { agent: "Now the rest." }, EDIT]).trimEnd();
    await Deno.writeTextFile(`${folder}/transcript.jsonl`, text.replaceAll("\n", "\r\n"));
    assertBlock(await hook({ stdin: stop(work) }));
  });

  test("a secret that is cited or claimed is not printed", async (folder, work) => {
    const secret = expand("gh{|}p_{alnum:36}");
    await Deno.writeTextFile(`${folder}/transcript.jsonl`, transcript(WORK));
    const message = `The key ${secret} is done, see evidence/${secret}.txt`;
    const { reason } = assertBlock(await hook({ stdin: stop(work, { last_assistant_message: message }) }));
    assert(!reason.includes(secret));
    assertStringIncludes(reason, "[redacted");
  });

  test("a private key that is cut is not printed", async (folder, work) => {
    await Deno.writeTextFile(`${folder}/transcript.jsonl`, transcript(WORK));
    const body = expand("{alnum:400}");
    for (const words of [100, 110, 114, 120, 140]) {
      const text = `${"w ".repeat(words)}-----BEGIN RSA ${"PRIVATE"} KEY-----${body} and the login is done.`;
      const event = { last_assistant_message: `${text}\n\nThe login is done.` };
      const { stdout } = await hook({ stdin: stop(work, event) });
      assertStringIncludes(stdout, '"decision":"block"');
      assert(!stdout.includes(body.slice(0, 12)), stdout);
    }
  });

  test("a home that is not set", async (folder, work) => {
    await Deno.writeTextFile(`${folder}/transcript.jsonl`, transcript(WORK));
    assertBlock(await hook({ stdin: stop(work), env: {} }));
  });

  test("--help and --version", async () => {
    const { code, stdout } = await hook({ args: ["--help"] });
    assertEquals(code, 0);
    assertMatch(stdout, /^stop-guard: /);
    assertMatch((await hook({ args: ["--version"] })).stdout, /^stop-guard \d/);
  });
}
