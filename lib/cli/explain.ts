import { parseArgs } from "@std/cli/parse-args";
import { EventError, type Harness } from "../contract/call.ts";
import { type Hook, UsageError } from "../contract/entry.ts";
import { explainGuard, explainUnread } from "../doctor/explain-guard.ts";
import { explainStop } from "../doctor/explain-stop.ts";
import { type Explanation, toJson, toText } from "../doctor/explanation.ts";
import { findHarness, harnesses } from "../harness/harnesses.ts";
import { StdinError } from "../io/stdin.ts";
import { readEvent } from "../run/event.ts";

/** What `nonzero explain --help` prints. */
const HELP = `nonzero explain: tells what a hook makes of an event, and why

Usage: nonzero explain [--harness ${
  harnesses.map(({ name }) => name).join("|")
}] [--hook NAME] [--json] < event.json

It runs the rules of a hook on the event and says of each what it looked at, what it decided and how to satisfy it.
Nothing is enforced.

Options:
  --hook NAME     the hook; by default the one that the event is for, else pre-tool-use
  --harness NAME  the agent whose event it is; by default the event tells
  --json          prints it as JSON
  --help

Exit codes: 0 whatever the hook would do, 64 a mistake on the command line.
`;

type Event = Readonly<Record<string, unknown>>;

interface ExplainOptions {
  readonly help: boolean;
  readonly json: boolean;
  readonly harness: Harness | undefined;
  /** The hook that is named. */
  readonly hook: Hook | undefined;
}

function parseOptions(hooks: readonly Hook[], args: readonly string[]): ExplainOptions {
  const options = parseArgs(args, {
    boolean: ["json", "help"],
    string: ["harness", "hook"],
    unknown(argument) {
      throw new UsageError(`unknown argument "${argument}"`);
    },
  });
  const harness = findHarness(String(options.harness));
  if (options.harness !== undefined && !harness) {
    throw new UsageError(`no harness is named "${String(options.harness)}"`);
  }
  const hook = hooks.find(({ name }) => name === options.hook);
  if (options.hook !== undefined && !hook) throw new UsageError(`no hook is named "${String(options.hook)}"`);
  return { help: options.help === true, json: options.json === true, harness, hook };
}

/** The hook that an event is for. */
function hookFor(event: Event | undefined, hooks: readonly Hook[]): Hook | undefined {
  const name = event?.hook_event_name;
  const kind = name === "Stop" || name === "SubagentStop" ? "stop" : "guard";
  return hooks.find((hook) => hook.kind === kind);
}

async function explainEvent(
  hook: Hook,
  event: Event,
  harness: Harness | undefined,
): Promise<Explanation> {
  switch (hook.kind) {
    case "guard":
      return await explainGuard(hook, event, harness);
    case "stop":
      return await explainStop(hook, event);
    case "observer":
      return {
        hook: hook.name,
        harness: "claude",
        decision: "decides nothing",
        exit: 0,
        because: `It ${hook.summary}, and never keeps an agent from anything.`,
        facts: [],
        configuration: [],
        rules: [],
      };
  }
}

/** What a hook makes of an event that cannot be read. */
function explainNoEvent(hook: Hook, harness: Harness | undefined, reason: string): Explanation {
  const name = harness?.name ?? null;
  if (hook.kind === "guard") return explainUnread(hook, name, "event", reason);
  return {
    hook: hook.name,
    harness: name,
    decision: hook.kind === "stop" ? "fails" : "decides nothing",
    exit: hook.kind === "stop" ? 1 : 0,
    because: `event: ${reason}`,
    facts: [],
    configuration: [],
    rules: [],
  };
}

/** Runs `nonzero explain` on the event on standard input. Throws UsageError. */
export async function runExplain(
  hooks: readonly Hook[],
  args: readonly string[],
): Promise<{ readonly code: number; readonly stdout: string }> {
  const { help, json, harness, hook: named } = parseOptions(hooks, args);
  if (help) return { code: 0, stdout: HELP };
  const answer = (explanation: Explanation) => ({ code: 0, stdout: (json ? toJson : toText)(explanation) });
  let event: Event;
  try {
    event = readEvent();
  } catch (error) {
    if (!(error instanceof EventError) && !(error instanceof StdinError)) throw error;
    const hook = named ?? hookFor(undefined, hooks);
    if (!hook) throw error;
    return answer(explainNoEvent(hook, harness, error.message));
  }
  const hook = named ?? hookFor(event, hooks);
  if (!hook) throw new UsageError("there is no hook for this event");
  return answer(await explainEvent(hook, event, harness));
}
