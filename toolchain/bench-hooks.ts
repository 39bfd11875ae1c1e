/**
 * Measures what the other hooks cost an agent, each beside the floor and beside sh with Python, and stop-guard on
 * transcripts of three sizes. For Linux and macOS. `--rounds N`, 100 if not given.
 */
import { join } from "@std/path";
import { parseArgs } from "@std/cli/parse-args";
import { aim, compile, type Contestant, makeEnvironment, race, show } from "./bench.ts";
import { makeWorkFolder } from "./compile.ts";
import { type BuildRecord, dist } from "./dist.ts";
import { root } from "./root.ts";
import { prepare } from "./spawn.ts";

const HOST = join(dist, "host");
const SCRIPT = join(root, "toolchain", "bench", "hooks.sh");

/** The sizes of the transcripts that stop-guard reads, in bytes. */
const SIZES = { "10 KB": 10_000, "10 MB": 10_000_000, "1 GB": 1_000_000_000 } as const;

/** What an agent says when it ends, which makes stop-guard look at the transcript. */
const CLAIM = "The login is done, see evidence/login.txt.";

function line(role: "user" | "assistant", content: unknown): string {
  return `${JSON.stringify({ type: role, isSidechain: false, message: { id: "msg_1", role, content } })}\n`;
}

/** A turn that a transcript ends on: a prompt, edits, and tests that were run. */
function turn(): string {
  const use = (id: string, name: string, input: unknown, result: string) =>
    line("assistant", [{ type: "tool_use", id, name, input }]) +
    line("user", [{ type: "tool_result", tool_use_id: id, content: result }]);
  const edits = Array.from(
    { length: 12 },
    (_, at) =>
      use(
        `e${at}`,
        "Edit",
        { file_path: "/p/a.ts", old_string: "a", new_string: "b".repeat(200) },
        "updated",
      ),
  );
  return line("user", "Fix the login.") + edits.join("") + line("assistant", [{ type: "text", text: CLAIM }]);
}

/** Writes a transcript of that size, most of it of turns before. */
async function writeTranscript(path: string, size: number): Promise<void> {
  const last = turn();
  const block = line("assistant", [{ type: "text", text: "earlier ".repeat(1000) }]).repeat(100);
  using file = await Deno.open(path, { write: true, create: true });
  for (let written = 0; written < size - last.length - block.length; written += block.length) {
    await file.write(new TextEncoder().encode(block));
  }
  await file.write(new TextEncoder().encode(last));
}

async function main(rounds: number): Promise<void> {
  const record: BuildRecord = JSON.parse(await Deno.readTextFile(join(HOST, "BUILD.json")));
  const work = await makeWorkFolder();
  try {
    const cwd = join(work, "repo");
    await Deno.mkdir(join(cwd, ".git"), { recursive: true });
    await Deno.mkdir(join(cwd, "evidence"));
    await Deno.writeTextFile(join(cwd, "evidence", "login.txt"), "HTTP/1.1 200 OK\n");
    const environment = { ...await makeEnvironment(work), CLAUDE_CONFIG_DIR: work };
    const floor = await compile("floor", work, record.compiler.name);
    const common = { session_id: "6f1c9a52-40d3-4a53-9d5e-0b6a3c1d2e4f", cwd };
    const transcript = (size: string) => join(work, `${size.replace(" ", "-")}.jsonl`);
    for (const [name, size] of Object.entries(SIZES)) await writeTranscript(transcript(name), size);
    const stop = (size: string) => ({
      ...common,
      transcript_path: transcript(size),
      hook_event_name: "Stop",
      stop_hook_active: false,
      last_assistant_message: CLAIM,
    });
    const cases = [
      {
        hook: "evidence-guard",
        script: "evidence",
        input: "Write to evidence",
        event: {
          ...common,
          transcript_path: transcript("10 KB"),
          hook_event_name: "PreToolUse",
          tool_name: "Write",
          tool_input: {
            file_path: join(cwd, "evidence", "run.txt"),
            content: "HTTP/1.1 200 OK\n".repeat(40),
          },
        },
      },
      {
        hook: "session-start",
        script: "start",
        input: "SessionStart",
        event: { ...common, source: "startup" },
      },
      {
        hook: "instructions-loaded",
        script: "load",
        input: "InstructionsLoaded",
        event: { ...common, file_path: join(cwd, "CLAUDE.md"), load_reason: "session_start" },
      },
      ...Object.keys(SIZES).map((size) => ({
        hook: "stop-guard",
        script: "stop",
        input: `Stop, ${size}`,
        event: stop(size),
      })),
    ];
    const inputs = Object.fromEntries(
      cases.map(({ input, event }) => [input, new TextEncoder().encode(JSON.stringify(event))]),
    );
    const contestants = cases.flatMap(({ hook, script, input }): Contestant[] => {
      const make = (name: string, ...words: string[]) => ({
        name,
        input,
        program: prepare(words, environment),
      });
      return [
        make("floor", floor),
        make(hook, join(HOST, "hooks", hook), "-z", "--harness", "claude"),
        make("sh + python3", "/bin/sh", SCRIPT, script),
      ];
    });
    const results = race(contestants, inputs, rounds);
    console.log(show(results));
    const of = (input: string, name: string) =>
      results.find((result) => result.input === input && result.name === name)?.p50 ?? NaN;
    const sizes = Object.keys(SIZES).map((size) => of(`Stop, ${size}`, "stop-guard"));
    const verdicts = [
      ...cases.flatMap(({ hook, input }) => {
        const ours = of(input, hook);
        const [toFloor, faster] = [ours / of(input, "floor"), of(input, "sh + python3") / ours];
        return [
          aim(toFloor <= 1.5, `${hook}, ${input}: ${toFloor.toFixed(2)} times the floor, at most 1.5`),
          aim(
            faster >= 4,
            `${hook}, ${input}: ${faster.toFixed(1)} times as fast as sh + python3, at least 4`,
          ),
        ];
      }),
      aim(
        Math.max(...sizes) <= 1.1 * Math.min(...sizes),
        `stop-guard: flat in the transcript's size (${sizes.map((ms) => ms.toFixed(1)).join(", ")} ms)`,
      ),
    ];
    console.log(`\n${verdicts.join("\n")}`);
    await Deno.mkdir(join(root, "bench"), { recursive: true });
    const { version, target, source, compiler } = record;
    const latest = { version, target, source, compiler, rounds, results, aims: verdicts };
    await Deno.writeTextFile(join(root, "bench", "hooks.json"), `${JSON.stringify(latest, null, 2)}\n`);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

if (import.meta.main) {
  const options = parseArgs(Deno.args, { string: ["rounds"] });
  await main(Number(options.rounds ?? 100));
}
