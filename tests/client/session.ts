import { dirname, fromFileUrl, join } from "@std/path";
import { ROOT } from "../black-box.ts";
import {
  type Answer,
  type Asked,
  startModel,
  type ToolCall,
  type ToolResult,
  type Turn,
  type Verdict,
} from "./model.ts";

/** Where the executables under test lie. */
export const DIST: string = Deno.env.get("NONZERO_DIST") ??
  join(ROOT, "dist", "host");

/** The one program of the build under test. */
export const PROGRAM: string = join(DIST, "nonzero");

/** How long one session may take, in milliseconds. */
const LIMIT = 60_000;

/** What the user says. */
const PROMPT = "go on";

/** Has the client print what happens, a line an event. */
const STREAM = ["--output-format", "stream-json", "--verbose", "--include-hook-events"];

/** One way to wire the guard: the executable's place in a build, and its arguments. */
export interface Wiring {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
}

/** Every way to wire the guard. */
export const wirings: readonly Wiring[] = [
  {
    name: "nonzero hook pre-tool-use",
    file: "nonzero",
    args: ["-z", "hook", "pre-tool-use", "--harness", "claude"],
  },
  {
    name: "hooks/pre-tool-use",
    file: join("hooks", "pre-tool-use"),
    args: ["-z", "--harness", "claude"],
  },
];

/** A command hook as the client's settings have it. */
export interface Hook {
  readonly command: string;
  readonly args: readonly string[];
  readonly timeout: number;
  readonly onFailure: "block" | "continue";
}

/** The guard's hook as users wire it, of the build in `dist`. */
export function guard(wiring: Wiring, dist: string = DIST): Hook {
  return {
    command: join(dist, wiring.file),
    args: wiring.args,
    timeout: 10,
    onFailure: "block",
  };
}

/** One session of the client. Its folder holds `home` and `project`. */
export interface SessionOptions {
  readonly folder: string;
  /** The hook before every tool that writes; none for a control. */
  readonly hook?: Hook | undefined;
  /** The user's settings as a whole, in the place of `hook`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  readonly turns: readonly Answer[];
  /** The turns of the subagents, by words of their prompts. */
  readonly subagents?: Readonly<Record<string, readonly Answer[]>>;
  /** What prompt hooks are answered, one after the other; then that all is well. */
  readonly verdicts?: readonly Verdict[];
  /** The client asks for no permission by default, so that nothing but the hook is in the way. */
  readonly mode?: string;
  /** Further words of the client's command line. */
  readonly args?: readonly string[];
  /** What the client's environment holds beside what it needs. */
  readonly env?: Readonly<Record<string, string>>;
  /** Runs before the client gets a turn. */
  readonly before?: (turn: Turn) => Promise<void>;
}

/** How a hook ended, as the client saw it. */
export interface HookRun {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** What came of a tool call. */
export interface Outcome extends ToolResult {
  /** The hooks that ran before it; those of the calls of one turn are not told apart, but stand with the last. */
  readonly hooks: readonly HookRun[];
}

/** What happened in a session. */
export interface Session {
  /** What came of a call. Throws where the client said nothing of it. */
  readonly outcome: (call: ToolCall) => Outcome;
  /** What the client asked the model, in order. */
  readonly asked: readonly Asked[];
  /** The command hooks that ran at an event such as `Stop`, in order. */
  readonly hooks: (event: string) => readonly HookRun[];
  /** The slash commands that the client offers. */
  readonly commands: readonly string[];
}

/** Copies the executable of a wiring into `folder`, where a test may damage it; gives the folder of that build. */
export async function copyBuild(
  folder: string,
  { file }: Wiring,
): Promise<string> {
  const dist = join(folder, "dist");
  await Deno.mkdir(dirname(join(dist, file)), { recursive: true });
  await Deno.copyFile(join(DIST, file), join(dist, file));
  return dist;
}

/** The first 4 KiB of a file as text; undefined where there is none. */
export async function readStart(path: string): Promise<string | undefined> {
  try {
    using file = await Deno.open(path);
    const bytes = new Uint8Array(4096);
    return new TextDecoder().decode(
      bytes.subarray(0, await file.read(bytes) ?? 0),
    );
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The client's executable. */
export function findClient(): string {
  const scope = join(
    dirname(fromFileUrl(import.meta.url)),
    "node_modules",
    "@anthropic-ai",
  );
  for (const { name } of Deno.readDirSync(scope)) {
    if (name.startsWith("claude-code-")) return join(scope, name, "claude");
  }
  throw new Error("Cannot find the client: make test-client installs it");
}

/** The client's environment, and no other. */
export function environment(folder: string, address: string): Record<string, string> {
  return {
    PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
    HOME: join(folder, "home"),
    TMPDIR: join(folder, "tmp"),
    ANTHROPIC_API_KEY: "loopback",
    ANTHROPIC_BASE_URL: address,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // Else the client, run by root, refuses the mode that asks for no permission.
    IS_SANDBOX: "1",
  };
}

/** The processes that a session started and that still run: all that have its environment. Known on Linux alone. */
function findProcesses(folder: string): number[] {
  if (Deno.build.os !== "linux") return [];
  const mark = `\0TMPDIR=${join(folder, "tmp")}\0`;
  const ids = [...Deno.readDirSync("/proc")].map(({ name }) => Number(name));
  return ids.filter((id) => {
    try {
      return id > 0 && `\0${Deno.readTextFileSync(`/proc/${id}/environ`)}`.includes(mark);
    } catch {
      // It has ended meanwhile, or is another user's.
      return false;
    }
  });
}

/** Ends whatever a session left running. */
async function endAll(folder: string): Promise<void> {
  const deadline = Date.now() + 5_000;
  for (let ids = findProcesses(folder); ids.length > 0; ids = findProcesses(folder)) {
    if (Date.now() > deadline) throw new Error(`Cannot end the processes ${ids.join(", ")}`);
    for (const id of ids) {
      try {
        Deno.kill(id, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function runClient(
  options: SessionOptions,
  address: string,
): Promise<string> {
  const { folder, mode = "bypassPermissions", args = [], env = {} } = options;
  const child = new Deno.Command(findClient(), {
    args: ["-p", PROMPT, "--permission-mode", mode, ...STREAM, ...args],
    cwd: join(folder, "project"),
    clearEnv: true,
    env: { ...environment(folder, address), ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT);
  try {
    const { code, stdout, stderr } = await child.output();
    const text = new TextDecoder();
    if (code === 0) return text.decode(stdout);
    throw new Error(`The client exited with ${code}: ${text.decode(stderr) || text.decode(stdout)}`);
  } finally {
    clearTimeout(timer);
    await endAll(folder);
  }
}

interface StreamEvent {
  readonly type: string;
  readonly subtype?: string;
  readonly slash_commands?: readonly string[];
  readonly hook_event?: string;
  readonly exit_code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly message?: {
    readonly content: readonly {
      readonly type: string;
      readonly id?: string;
    }[];
  };
}

function readStream(stream: string): StreamEvent[] {
  return stream.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

function readHook(event: StreamEvent): HookRun[] {
  if (event.subtype !== "hook_response") return [];
  const { exit_code: exitCode, stdout = "", stderr = "" } = event;
  return [{ exitCode, stdout, stderr }];
}

/** The hooks that ran before each call, by the order of the client's stream. */
function hooksByCall(
  events: readonly StreamEvent[],
  callOf: (id: string) => ToolCall | undefined,
): Map<ToolCall, HookRun[]> {
  const found = new Map<ToolCall, HookRun[]>();
  let call: ToolCall | undefined;
  for (const event of events) {
    if (event.type === "assistant") {
      for (const { id } of event.message?.content ?? []) {
        call = callOf(id ?? "") ?? call;
      }
    } else if (call && event.hook_event === "PreToolUse") {
      found.set(call, [...found.get(call) ?? [], ...readHook(event)]);
    }
  }
  return found;
}

/** What the guard's hook is called for. */
const MATCHER = "^(Write|Edit|MultiEdit|NotebookEdit|Bash|PowerShell|mcp__.*)$";

/** Runs one session of the client from its start to its end, and says what happened. */
export async function playSession(options: SessionOptions): Promise<Session> {
  const { folder, hook, turns, subagents, verdicts, before } = options;
  const PreToolUse = hook ? [{ matcher: MATCHER, hooks: [{ type: "command", ...hook }] }] : [];
  const settings = options.settings ?? { hooks: { PreToolUse } };
  await Deno.mkdir(join(folder, "home", ".claude"), { recursive: true });
  await Deno.mkdir(join(folder, "tmp"), { recursive: true });
  await Deno.writeTextFile(join(folder, "home", ".claude", "settings.json"), JSON.stringify(settings));
  const model = startModel({
    conversations: { ...subagents, [PROMPT]: turns },
    verdicts,
    before,
  });
  try {
    const events = readStream(await runClient(options, model.address));
    const hooks = hooksByCall(events, model.callOf);
    return {
      asked: model.asked,
      hooks: (name) => events.filter(({ hook_event }) => hook_event === name).flatMap(readHook),
      commands: events.flatMap(({ slash_commands = [] }) => slash_commands),
      outcome(call) {
        const result = model.results.get(call);
        if (!result) {
          throw new Error(
            `The client said nothing of ${call.tool} ${JSON.stringify(call.input)}`,
          );
        }
        return { ...result, hooks: hooks.get(call) ?? [] };
      },
    };
  } finally {
    await model.stop();
  }
}

/** Runs one session, and says what came of each call. */
export async function runSession(options: SessionOptions): Promise<Session["outcome"]> {
  return (await playSession(options)).outcome;
}
