import { type Call, EventError, type Harness } from "../contract/call.ts";
import { UsageError } from "../contract/entry.ts";
import { evaluate, type Finding, type Guard } from "../contract/hook.ts";
import { ConfigError } from "../config/error.ts";
import { findHarness, harnesses } from "../harness/harnesses.ts";
import { expired } from "../io/clock.ts";
import { writeWhole } from "../io/output.ts";
import { StdinError } from "../io/stdin.ts";
import { commandLine, exitWith } from "../io/system.ts";
import { cut, printable, refusal } from "./answer.ts";
import { readEvent } from "./event.ts";
import { gather } from "./facts.ts";
import { describeHook, parseOptions } from "./options.ts";

/** Exit codes of a guard; there are no others. */
const ALLOW = 0;
const REFUSE = 2;

/** How to satisfy what is refused before any rule could judge. */
export const SATISFY: Readonly<Record<string, string>> = {
  event: "Send one JSON object of at most 32 MiB with the event of a tool call on standard input.",
  configuration:
    "Correct the file, or remove it. A guard does not judge by a configuration that it cannot read.",
  deadline: "Make the input smaller and try again.",
};

/** An agent that is not known gets the exit code and stderr; nothing on stdout stops a tool in every client. */
const unnamed: Pick<Harness, "allow" | "deny"> = { allow: "", deny: () => "" };

type Verdict = { readonly code: number; readonly stdout: string; readonly stderr: string };

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown error";
}

/** Finds out who is asking and what it is about to do. */
function readCall(
  named: Harness | undefined,
): { harness: Pick<Harness, "allow" | "deny">; call: Call | undefined } | {
  harness: Pick<Harness, "allow" | "deny">;
  problem: string;
} {
  let harness: Pick<Harness, "allow" | "deny"> = named ?? unnamed;
  try {
    const event = readEvent();
    const reader = named ?? harnesses.find((candidate) => candidate.recognises(event));
    if (!reader) {
      throw new EventError("this is no event of a known agent: it has none of the fields that tell");
    }
    if (reader.answersUnnamed) harness = reader;
    return { harness, call: reader.read(event) };
  } catch (error) {
    if (error instanceof EventError || error instanceof StdinError) {
      return { harness, problem: error.message };
    }
    throw error;
  }
}

async function judge(guard: Guard, named: Harness | undefined): Promise<Verdict> {
  const event = readCall(named);
  let findings: Finding[] = [];
  let loosened: (rule: string) => readonly string[] = () => [];
  if ("problem" in event) {
    findings = [{ rule: "event", reason: event.problem }];
  } else if (event.call) {
    try {
      const gathered = await gather(event.call);
      loosened = gathered.loosened;
      findings = evaluate(guard.rules, gathered.facts, expired);
    } catch (error) {
      findings = [
        error instanceof ConfigError
          ? { rule: "configuration", reason: error.message }
          : { rule: guard.name, reason: `the hook itself failed: ${messageOf(error)}` },
      ];
    }
  }
  if (findings.length === 0 && expired()) {
    findings = [{ rule: "deadline", reason: "the verdict came too late" }];
  }
  if (findings.length === 0) return { code: ALLOW, stdout: event.harness.allow, stderr: "" };
  const satisfy = (id: string) => guard.rules.find((rule) => rule.id === id)?.satisfy ?? SATISFY[id];
  const text = refusal(findings, satisfy, loosened);
  return { code: REFUSE, stdout: event.harness.deny(cut(text)), stderr: `${text}\n` };
}

function notes(guard: Guard): string {
  const rules = guard.rules.map((rule) => `  ${rule.id.padEnd(24)}${rule.refuses}`).join("\n");
  return `Refuses:
${rules}

Exit codes: 0 allows, 2 refuses, with the reasons on standard error. Whatever else happens is a refusal too.
`;
}

async function answer(guard: Guard, args: readonly string[]): Promise<Verdict> {
  const options = parseOptions(args);
  if (options.help || options.version) {
    return { code: ALLOW, stdout: describeHook(guard, options.help, notes(guard)), stderr: "" };
  }
  return await judge(guard, options.harness && findHarness(options.harness));
}

/**
 * Runs a guard as a program: one event on standard input, the verdict as exit code 0 or 2. Whatever goes wrong, a
 * full disk and a closed pipe among it, is exit code 2. Never rejects.
 */
export async function runGuard(guard: Guard, args: readonly string[] = commandLine()): Promise<void> {
  exitWith(REFUSE);
  let verdict: Verdict;
  try {
    verdict = await answer(guard, args);
  } catch (error) {
    const reason = messageOf(error);
    const stderr = error instanceof UsageError
      ? `${guard.name}: ${printable(reason)}\nRun ${guard.name} --help for what it takes.\n`
      : `DENY  ${printable(`${guard.name}: the hook itself failed: ${reason}`)}\n`;
    verdict = { code: REFUSE, stdout: "", stderr };
  }
  try {
    writeWhole(2, verdict.stderr);
  } catch {
    // The reason is lost, the refusal is not.
  }
  try {
    writeWhole(1, verdict.stdout);
    exitWith(verdict.code);
  } catch {
    // An answer that could not be given is none: the exit code stays a refusal.
  }
}
