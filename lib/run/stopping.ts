import type { StopFacts, StopHook } from "../contract/stop.ts";
import { block, readStop } from "../harness/claude-events.ts";
import { writeWhole } from "../io/output.ts";
import { commandLine, exitWith } from "../io/system.ts";
import { findClaims } from "../transcript/claims.ts";
import { readEvent } from "./event.ts";
import { describeHook, parseOptions } from "./options.ts";

/** What the rules have against the end of the turn, each with how to satisfy it: a line each. */
function objections(hook: StopHook, facts: StopFacts): string[] {
  return hook.rules.flatMap((rule) =>
    rule.check(facts).flatMap((objection) => {
      const { reason, satisfy = rule.satisfy } = typeof objection === "string"
        ? { reason: objection, satisfy: undefined }
        : objection;
      return [`${hook.name}: ${reason}`, satisfy];
    })
  );
}

/** The answer to an event: empty, or what sends the agent back. */
async function judge(hook: StopHook): Promise<string> {
  const stop = readStop(readEvent());
  // Without the first it could ask for ever; with the second the work goes on anyhow.
  if (stop.active || stop.waits) return "";
  if (stop.transcript === undefined && stop.message === undefined) return "";
  const said = stop.message === undefined ? undefined : findClaims(stop.message);
  // Most messages claim nothing: what looks at the transcript and the disk is not even loaded for them.
  if (said?.length === 0) return "";
  const { gather } = await import("./turn.ts");
  const facts = gather(stop, said);
  if (!facts || objections(hook, facts).length === 0) return "";
  // Only now is the configuration asked whether there are more folders of evidence.
  const { evidenceFolders } = await import("./evidence-folders.ts");
  const lines = objections(hook, gather(stop, said, await evidenceFolders(stop.cwd)) ?? facts);
  const { cut, printable } = await import("./answer.ts");
  return lines.length === 0 ? "" : block(cut([...new Set(lines)].map(printable).join("\n")));
}

const NOTES =
  `A block is JSON on standard output, with exit code 0. The hook's own trouble, such as an event that it
cannot read, is exit code 1 and a message, which keeps no agent from stopping.
`;

async function answer(hook: StopHook, args: readonly string[]): Promise<string> {
  const { help, version } = parseOptions(args);
  return help || version ? describeHook(hook, help, NOTES) : await judge(hook);
}

/** Runs a stop hook as a program: one event on standard input. Its own trouble is exit code 1. Never rejects. */
export async function runStopHook(hook: StopHook, args: readonly string[] = commandLine()): Promise<void> {
  exitWith(1);
  let stdout = "";
  let trouble = "";
  try {
    stdout = await answer(hook, args);
  } catch (error) {
    const { printable } = await import("./answer.ts");
    trouble = `${hook.name}: ${printable(error instanceof Error ? error.message : "unknown error")}\n`;
  }
  try {
    writeWhole(2, trouble);
    writeWhole(1, stdout);
    if (trouble === "") exitWith(0);
  } catch {
    // Nobody can be told; the exit code says it.
  }
}
