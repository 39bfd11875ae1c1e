/** What a guard does with input, pipes and files that misbehave. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Flavour, flavours, intoFullPipe, type Outcome, run, withFolder } from "../black-box.ts";

const NAME = "pre-tool-use";

/** Under an emulator a program takes many times as long, above all to start. */
const EMULATED = Deno.env.has("NONZERO_RUNNER");

function clean(cwd: string, payload: unknown = {}): string {
  return JSON.stringify({ target: "a.txt", cwd, payload });
}

/** Starts the guard with what a shell does to its standard streams. */
function shell(flavour: Flavour, redirections: string): readonly string[] {
  return ["sh", "-c", `"$@" ${redirections}`, "sh", ...flavour.start(NAME)];
}

function assertRefusal(outcome: Outcome, says: string): void {
  assertEquals(outcome.code, 2, JSON.stringify(outcome).slice(0, 500));
  assertMatch(outcome.stderr, /^DENY {2}/);
  assertStringIncludes(outcome.stderr, says);
  assert(!/\n\s+at /.test(outcome.stderr), "no stack trace");
}

for (const flavour of flavours()) {
  const test = (title: string, check: (folder: string, work: string) => Promise<void>) =>
    Deno.test(`${NAME} (${flavour.name}) robust: ${title}`, () =>
      withFolder({ repo: null }, (folder) => check(folder, `${flavour.path(folder)}/repo`)));
  const guard = (options: Parameters<typeof run>[1]) => run(flavour.start(NAME), options);

  test("an event of 40 MiB is refused, and taken whole", async (_, work) => {
    assertRefusal(await guard({ stdin: clean(work, "x".repeat(40 * 1024 * 1024)) }), "larger than 32 MiB");
  });

  test("an event just within the bound is judged", async (_, work) => {
    const rest = clean(work, { a: "" }).length;
    const stdin = clean(work, { a: "x".repeat(32 * 1024 * 1024 - rest) });
    assertEquals(stdin.length, 32 * 1024 * 1024);
    assertRefusal(await guard({ stdin }), "no-secrets-written: the text is larger than the 8 MiB");
  });

  test("an event one byte over the bound is not", async (_, work) => {
    const rest = clean(work, { a: "" }).length;
    const stdin = clean(work, { a: "x".repeat(32 * 1024 * 1024 - rest + 1) });
    assertRefusal(await guard({ stdin }), "larger than 32 MiB");
  });

  test("8 MiB of text are scanned, one character more is refused", async (_, work) => {
    const full = " ".repeat(8 * 1024 * 1024);
    const write = (content: string) =>
      guard({
        args: ["--harness", "claude"],
        stdin: JSON.stringify({ cwd: work, tool_name: "Write", tool_input: { file_path: "a", content } }),
      });
    assertEquals((await write(full)).code, 0);
    assertRefusal(await write(`${full} `), "larger than the 8 MiB");
  });

  test("nesting of any depth ends in a verdict", async (_, work) => {
    for (const depth of [1_000, 100_000, 5_000_000]) {
      const payload = "[".repeat(depth) + "]".repeat(depth);
      const outcome = await guard({
        stdin: `{"target":"a","cwd":${JSON.stringify(work)},"payload":${payload}}`,
      });
      assert(outcome.code === 0 || outcome.code === 2, `depth ${depth}: exit ${outcome.code}`);
      if (outcome.code === 2) assertMatch(outcome.stderr, /^DENY {2}.*\n/);
    }
  });

  test("a secret deep in the payload is found", async (_, work) => {
    const key = `ghp_${"aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1cF3"}`;
    const depth = 500;
    const payload = `${'{"a":'.repeat(depth)}"${key}"${"}".repeat(depth)}`;
    const outcome = await guard({
      stdin: `{"target":"a","cwd":${JSON.stringify(work)},"payload":${payload}}`,
    });
    assertRefusal(outcome, "no-secrets-written");
    assert(!outcome.stderr.includes(key));
  });

  const many = EMULATED ? 20_000 : 100_000;
  test(`${many} strings are judged in time`, async (_, work) => {
    const outcome = await guard({
      stdin: clean(work, Array.from({ length: many }, (_, at) => `line ${at}`)),
    });
    assertEquals(outcome.code, 0, outcome.stderr);
  });

  test("invalid UTF-8 is read leniently", async (_, work) => {
    const encode = (text: string) => [...new TextEncoder().encode(text)];
    const at = clean(work, "@").indexOf("@");
    const bytes = encode(clean(work, "@"));
    bytes.splice(at, 1, 0xff, 0xfe, 0xc0, 0x80);
    assertEquals((await guard({ stdin: new Uint8Array(bytes) })).code, 0);
    assertRefusal(
      await guard({ stdin: new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]) }),
      "not valid JSON",
    );
  });

  test("a byte order mark is dropped", async (_, work) => {
    assertEquals((await guard({ stdin: `\ufeff${clean(work)}` })).code, 0);
  });

  test("lone surrogates pass through the text and are not printed", async (_, work) => {
    assertEquals((await guard({ stdin: clean(work, "a\ud800b") })).code, 0);
    const outcome = await guard({ stdin: JSON.stringify({ target: "\udc00", cwd: work, payload: {} }) });
    assertRefusal(outcome, "\\u{dc00}");
  });

  test("what moves a terminal or hides text is not printed", async (_, work) => {
    const target = "../\u001b[2J\u202e\u200b\r\nDENY  fake: x\u0007";
    const outcome = await guard({ stdin: JSON.stringify({ target, cwd: work, payload: {} }) });
    assertRefusal(outcome, "\\u{1b}[2J\\u{202e}\\u{200b}\\u{d}\\u{a}DENY");
    // deno-lint-ignore no-control-regex -- what must not be there
    assert(!/[\x00-\x09\x0b-\x1f\x7f\u202e\u200b]/.test(outcome.stderr));
    assertEquals(outcome.stderr.match(/^DENY /gm)?.length, 1);
  });

  test("a reason is cut at 2,000 characters", async (_, work) => {
    const outcome = await guard({
      stdin: clean(work, { fields: { ["f".repeat(1_000_000)]: 1 }, extraction: {} }),
    });
    assertRefusal(outcome, "f".repeat(1_000));
    for (const line of outcome.stderr.split("\n")) assert(line.length <= 2_010, `${line.length}`);
  });

  test("a thousand findings are counted, not printed", async (_, work) => {
    const payload = Array.from(
      { length: 1_000 },
      () => ({ fields: { a: 1 }, extraction: { unreadable: [] } }),
    );
    const outcome = await guard({ stdin: clean(work, payload) });
    assertRefusal(outcome, "DENY  and 980 more\n");
    assertEquals(outcome.stdout, "deny\n");
  });

  test("an event that comes in small pieces is read whole", async (_, work) => {
    const [program = "", ...args] = flavour.start(NAME);
    const child = new Deno.Command(program, { args, stdin: "piped", stdout: "piped", stderr: "piped" })
      .spawn();
    const writer = child.stdin.getWriter();
    const bytes = new TextEncoder().encode(clean(work));
    for (let at = 0; at < bytes.length; at += 20) {
      await writer.write(bytes.slice(at, at + 20));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await writer.close();
    const { code, stdout } = await child.output();
    assertEquals(code, 0);
    assertEquals(new TextDecoder().decode(stdout).trim(), "allow");
  });

  test("an event that takes longer than the deadline is refused", async (_, work) => {
    const [program = "", ...args] = flavour.start(NAME);
    const child = new Deno.Command(program, { args, stdin: "piped", stdout: "piped", stderr: "piped" })
      .spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(clean(work)));
    const late = EMULATED ? 15_000 : 5_300;
    await new Promise((resolve) => setTimeout(resolve, late));
    await writer.close();
    const { code, stderr } = await child.output();
    assertEquals(code, 2);
    assertMatch(new TextDecoder().decode(stderr), /^DENY {2}deadline: /);
  });

  test("a transcript that comes a little late is waited for", async (folder, work) => {
    await Deno.writeTextFile(`${folder}/repo/.nonzero.json`, '{"budget":{"limit":1}}');
    const event = {
      cwd: work,
      transcript_path: `${flavour.path(folder)}/t.jsonl`,
      tool_name: "Bash",
      tool_input: { command: "ls" },
    };
    const outcome = guard({ args: ["--harness", "claude"], stdin: JSON.stringify(event) });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const message = { id: "a", usage: { input_tokens: 1, output_tokens: 0 } };
    await Deno.writeTextFile(`${folder}/t.jsonl`, JSON.stringify({ type: "assistant", message }));
    assertEquals((await outcome).code, 0, (await outcome).stderr);
  });

  if (!flavour.posix) continue;

  test("closed standard input is empty", async () => {
    assertRefusal(await run(shell(flavour, "<&-")), "standard input is empty");
  });

  test("/dev/null is empty", async () => {
    assertRefusal(await run(shell(flavour, "</dev/null")), "standard input is empty");
  });

  test("a folder as standard input is refused", async () => {
    assertRefusal(await run(shell(flavour, "</")), "standard input cannot be read");
  });

  test("a file as standard input is read", async (folder, work) => {
    await Deno.writeTextFile(`${folder}/event.json`, clean(work));
    const outcome = await run(shell(flavour, `<'${folder}/event.json'`));
    assertEquals([outcome.code, outcome.stdout], [0, "allow\n"]);
  });

  test("standard input without end is refused by the deadline", async () => {
    assertRefusal(await run(shell(flavour, "</dev/zero")), "larger than 32 MiB");
  });

  test("a full disk under the answer is a refusal", async (_, work) => {
    assertEquals((await run(shell(flavour, ">/dev/full"), { stdin: clean(work) })).code, 2);
    assertEquals((await run(shell(flavour, ">/dev/full 2>/dev/full"), { stdin: "{}" })).code, 2);
  });

  test("closed streams do not turn a refusal into anything else", async () => {
    for (const closed of [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"]) {
      assertEquals((await run(shell(flavour, closed), { stdin: "{}" })).code, 2, closed);
    }
  });

  test("a reader that has gone is a refusal", async (_, work) => {
    const words = ["bash", "-c", `"$@" > >(exec true); echo "exit $?" >&2`, "bash", ...flavour.start(NAME)];
    const slow = ["bash", "-c", `{ sleep 0.3; cat; } | "$@"`, "bash", ...words];
    const { stderr } = await run(slow, { stdin: clean(work) });
    assertMatch(stderr, /exit 2\n$/);
  });

  test("a pipe that is full and does not block is written whole", async (_, work) => {
    // The reader starts late and both ends do not block, so that writing meets EAGAIN.
    const outcome = await run(intoFullPipe(flavour.start(NAME), 0.5), { stdin: clean(work) });
    assertEquals([outcome.code, outcome.stdout], [0, "allow\n"], outcome.stderr);
  });

  test("a standard input that does not block is read whole", async (_, work) => {
    const script = [
      "import os,subprocess,sys,time",
      "r,w=os.pipe()",
      "os.set_blocking(r,False)",
      "p=subprocess.Popen(sys.argv[2:],stdin=r)",
      "time.sleep(0.3)",
      "d=sys.argv[1].encode()",
      "os.write(w,d[:9]); time.sleep(0.1); os.write(w,d[9:]); os.close(w)",
      "sys.exit(p.wait())",
    ].join("\n");
    const outcome = await run(["python3", "-c", script, clean(work), ...flavour.start(NAME)]);
    assertEquals([outcome.code, outcome.stdout], [0, "allow\n"], outcome.stderr);
  });

  test("a FIFO in the place of a file never holds it up", async (folder, work) => {
    await new Deno.Command("mkfifo", { args: [`${folder}/repo/f.json`] }).output();
    const edit = { file_path: "f.json", old_string: "a", new_string: "b" };
    const stdin = JSON.stringify({ cwd: work, tool_name: "Edit", tool_input: edit });
    assertRefusal(await guard({ args: ["--harness", "claude"], stdin }), "is not a regular file");
    await new Deno.Command("mkfifo", { args: [`${folder}/repo/.nonzero.json`] }).output();
    assertRefusal(await guard({ stdin: clean(work) }), "configuration: ");
  });

  test("the folder it is started in makes no difference", async (folder, work) => {
    const outcome = await guard({ stdin: clean(work), cwd: "/" });
    assertEquals(outcome.code, 0);
    const outside = JSON.stringify({ target: "../a", cwd: work, payload: {} });
    assertRefusal(await guard({ stdin: outside, cwd: folder }), "stay-inside-worktree");
  });
}
