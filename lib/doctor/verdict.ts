/** Tells from what a configured command did whether it is the hook that it is meant to be. */
import type { Hook } from "../contract/entry.ts";
import type { Ran } from "../io/child.ts";
import type { Finding } from "./finding.ts";

/** What came of the events that an entry was sent. */
export interface Answers {
  readonly harmless: Ran;
  readonly mustRefuse: Ran | undefined;
  /** What an observer has added to its log. */
  readonly log: string;
}

/** What an entry comes to, in one or two words, and what is wrong with it. */
export interface Verdict {
  readonly verdict: string;
  readonly findings: readonly Finding[];
}

/** What is known of the entry beside its answers. */
export interface Asked {
  readonly hook: Hook;
  readonly event: string;
  /** The client refuses the tool where the hook cannot judge. */
  readonly refusesOnFailure: boolean;
  readonly file: string;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? value as Fields : {};
}

function readObject(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The part of an answer that is for the event it was asked at. */
function specific({ stdout }: Ran): Fields {
  return fieldsOf(readObject(stdout).hookSpecificOutput);
}

function denies(ran: Ran): boolean {
  return specific(ran).permissionDecision === "deny";
}

/** What the client does after a hook before a tool. */
function effect(ran: Ran, refusesOnFailure: boolean): "allows" | "refuses" | "fails closed" {
  if (ran.code === 2 || denies(ran)) return "refuses";
  if (ran.code === 0) return "allows";
  return refusesOnFailure ? "fails closed" : "allows";
}

/** The first line of what a hook says, for people. */
function saying({ stderr }: Ran): string {
  const line = stderr.split("\n").map((line) => line.trim()).find((line) => line !== "");
  return line === undefined ? "" : `: ${line}`;
}

/** How an answer came about, as a phrase. */
function describe(ran: Ran): string {
  return ran.problem ?? `exit ${ran.code}${saying(ran)}`;
}

function failing({ harmless, mustRefuse }: Answers): Ran | undefined {
  return [harmless, mustRefuse].find((ran) => ran?.problem !== undefined);
}

const REINSTALL = "Put the executable of a release in its place, and run nonzero doctor again.";

function judgeGuard(answers: Answers, { hook, refusesOnFailure, file }: Asked): Verdict {
  const { harmless, mustRefuse } = answers;
  if (!mustRefuse) return { verdict: "sound", findings: [] };
  const refusal = effect(mustRefuse, refusesOnFailure);
  const pass = effect(harmless, refusesOnFailure);
  const hangs = failing(answers)?.problem === "took too long";
  if (refusal === "allows") {
    return {
      verdict: hangs ? "hangs" : "does not refuse",
      findings: [{
        level: "error",
        id: "does-not-refuse",
        message: `${hook.name} lets a tool call run that it must refuse (${describe(mustRefuse)}).`,
        fix: `${REINSTALL} Take the wiring that \`nonzero list --hooks-json --settings\` prints.`,
        file,
      }],
    };
  }
  if (refusal === "fails closed") {
    return {
      verdict: hangs ? "hangs" : "does not judge",
      findings: [{
        level: "warning",
        id: hangs ? "hangs" : "does-not-judge",
        message: `${hook.name} cannot judge (${
          describe(mustRefuse)
        }); by "onFailure" the client refuses each call.`,
        fix: REINSTALL,
        file,
      }],
    };
  }
  if (pass !== "allows") {
    return {
      verdict: "refuses everything",
      findings: [{
        level: "warning",
        id: "refuses-harmless",
        message: `${hook.name} refuses a harmless call (${describe(harmless)}).`,
        fix: "Do what it says; else send it the call by `nonzero explain`, or wire it anew.",
        file,
      }],
    };
  }
  if (harmless.code !== 0) {
    return {
      verdict: "fails",
      findings: [{
        level: "warning",
        id: "fails",
        message: `${hook.name} fails on a harmless call (${describe(harmless)}).`,
        fix: REINSTALL,
        file,
      }],
    };
  }
  if (mustRefuse.code === 2 && denies(mustRefuse)) return { verdict: "sound", findings: [] };
  return {
    verdict: "refuses",
    findings: [{
      level: "warning",
      id: "no-denial",
      message: mustRefuse.code === 2
        ? `${hook.name} refuses without the JSON denial of Claude Code.`
        : `${hook.name} refuses by its JSON alone (${describe(mustRefuse)}).`,
      fix: 'Give it "--harness", "claude", and let nothing stand between it and the client.',
      file,
    }],
  };
}

function judgeStop(answers: Answers, { hook, event, file }: Asked): Verdict {
  const { harmless, mustRefuse } = answers;
  if (!mustRefuse) return { verdict: "sound", findings: [] };
  const found = (
    level: Finding["level"],
    id: string,
    verdict: string,
    message: string,
    fix = REINSTALL,
  ): Verdict => ({ verdict, findings: [{ level, id, message, fix, file }] });
  const failed = failing(answers) ?? [harmless, mustRefuse].find(({ code }) => code !== 0 && code !== 2);
  if (failed) {
    const hangs = failed.problem === "took too long";
    return found(
      "warning",
      hangs ? "hangs" : "does-not-judge",
      hangs ? "hangs" : "does not judge",
      `${hook.name} on ${event} cannot judge (${describe(failed)}), so that every turn ends unchecked.`,
    );
  }
  const blocks = ({ code, stdout }: Ran) => code === 2 || readObject(stdout).decision === "block";
  if (!blocks(mustRefuse)) {
    return found(
      "error",
      "does-not-refuse",
      "does not refuse",
      `${hook.name} on ${event} lets a claim without proof pass (${describe(mustRefuse)}).`,
    );
  }
  if (blocks(harmless)) {
    return found(
      "warning",
      "refuses-harmless",
      "refuses everything",
      `${hook.name} on ${event} sends an agent back that says what it has not verified (${
        describe(harmless)
      }).`,
    );
  }
  if (mustRefuse.code === 0 && harmless.stdout === "") return { verdict: "sound", findings: [] };
  return found(
    "warning",
    "no-denial",
    "refuses",
    `${hook.name} on ${event} does not answer as this version does (${describe(mustRefuse)}).`,
  );
}

function judgeObserver({ harmless, log }: Answers, { hook, event, file }: Asked): Verdict {
  const says = hook.kind === "observer" && "says" in hook;
  const done = says ? typeof specific(harmless).additionalContext === "string" : log.trim() !== "";
  if (harmless.code === 0 && done) return { verdict: "sound", findings: [] };
  const hangs = harmless.problem === "took too long";
  return {
    verdict: hangs ? "hangs" : harmless.code === 0 ? "does nothing" : "fails",
    findings: [{
      level: "warning",
      id: hangs ? "hangs" : "does-nothing",
      message: `${hook.name} on ${event} ${
        harmless.code === 0
          ? says ? "tells the agent nothing" : "keeps no log"
          : `fails (${describe(harmless)})`
      }.`,
      fix: REINSTALL,
      file,
    }],
  };
}

/** Judges what an entry has answered. */
export function judge(answers: Answers, asked: Asked): Verdict {
  switch (asked.hook.kind) {
    case "guard":
      return judgeGuard(answers, asked);
    case "stop":
      return judgeStop(answers, asked);
    case "observer":
      return judgeObserver(answers, asked);
  }
}
