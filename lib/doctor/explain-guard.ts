/** Explains what a guard makes of a call: its rules are run, and nothing is enforced. */
import { ConfigError } from "../config/error.ts";
import { type Call, EventError, type Harness } from "../contract/call.ts";
import { evaluate, type Facts, type Guard } from "../contract/hook.ts";
import { harnesses } from "../harness/harnesses.ts";
import { platform as currentPlatform } from "../io/system.ts";
import type { Configuration } from "../run/configure.ts";
import { gather } from "../run/facts.ts";
import { SATISFY } from "../run/hook.ts";
import { below, disk, findRoot } from "../run/roots.ts";
import type { ConfigurationExplanation, Explanation, RuleExplanation } from "./explanation.ts";
import { lookedAt } from "./looked.ts";

type Event = Readonly<Record<string, unknown>>;

/** An event that a guard refuses without asking its rules. */
export function explainUnread(
  guard: Guard,
  harness: string | null,
  rule: string,
  reason: string,
): Explanation {
  return {
    hook: guard.name,
    harness,
    decision: "refuses",
    exit: 2,
    because: `${rule}: ${reason}`,
    facts: [["fix", SATISFY[rule] ?? ""]],
    configuration: [],
    rules: [],
  };
}

function explainRule(rule: Guard["rules"][number], facts: Facts, notes: readonly string[]): RuleExplanation {
  const findings = evaluate([rule], facts);
  const refuses = findings.length > 0;
  return {
    rule: rule.id,
    decision: refuses ? "refuses" : "passes",
    looked: lookedAt(rule.id, facts),
    why: [
      ...refuses ? findings.map(({ reason }) => reason) : [`It refuses ${rule.refuses}; here is none.`],
      ...notes,
    ],
    fix: refuses ? [...new Set(findings.map(({ satisfy }) => satisfy ?? rule.satisfy))] : [],
  };
}

/** Why that folder is the root. */
function whyRoot(call: Call, { root }: Facts): string {
  if ("problem" in root) return root.problem;
  if (call.root === "cwd") return `${root.path}: the event's cwd itself`;
  const platform = currentPlatform();
  const hasGit = disk.kind(below(root.path, platform, ".git")) !== "missing";
  return hasGit
    ? `${root.path}: the nearest folder from the event's cwd upwards that has a .git`
    : `${root.path}: the event's cwd, for no folder from there upwards has a .git`;
}

/** The configuration files that count for a call, and what they loosen. */
function explainConfiguration(
  call: Call,
  guard: Guard,
  { file, untrusted }: Configuration,
  loosened: (rule: string) => readonly string[],
): ConfigurationExplanation[] {
  const platform = currentPlatform();
  const isThere = (path: string) => disk.kind(path) !== "missing";
  const { root, outer } = findRoot(call, platform);
  const folders = "path" in root ? [root.path, ...outer] : [];
  const projects = folders.map((folder) => below(folder, platform, ".nonzero.json")).map((path) => ({
    file: path,
    state: isThere(path) ? "read; it can only tighten" : "not there",
    loosens: [],
  }));
  if (file === "") return projects;
  const prefix = `loosened by ${file}: `;
  const loosens = untrusted
    ? []
    : guard.rules.flatMap(({ id }) =>
      loosened(id).map((what) => `${id}: ${what.startsWith(prefix) ? what.slice(prefix.length) : what}`)
    );
  const state = untrusted
    ? "read; it lies where the agent can write, so it loosens nothing"
    : isThere(file)
    ? "read"
    : "not there";
  return [{ file, state, loosens }, ...projects];
}

/** Explains what a guard makes of an event; `named` is the agent that the command line names. */
export async function explainGuard(
  guard: Guard,
  event: Event,
  named: Harness | undefined,
): Promise<Explanation> {
  const harness = named ?? harnesses.find((candidate) => candidate.recognises(event));
  if (!harness) {
    const reason = "this is no event of a known agent: it has none of the fields that tell";
    return explainUnread(guard, null, "event", reason);
  }
  let call: Call | undefined;
  try {
    call = harness.read(event);
  } catch (error) {
    if (error instanceof EventError) return explainUnread(guard, harness.name, "event", error.message);
    throw error;
  }
  const tool = typeof event.tool_name === "string" ? event.tool_name : undefined;
  const base = { hook: guard.name, harness: harness.name };
  if (!call) {
    return {
      ...base,
      decision: "allows",
      exit: 0,
      because: `${tool ?? "The tool"} only reads, so it is not judged.`,
      facts: [],
      configuration: [],
      rules: [],
    };
  }
  try {
    const { facts, loosened, configuration } = await gather(call);
    const rules = guard.rules.map((rule) => explainRule(rule, facts, loosened(rule.id)));
    const refuses = rules.some(({ decision }) => decision === "refuses");
    return {
      ...base,
      decision: refuses ? "refuses" : "allows",
      exit: refuses ? 2 : 0,
      because: null,
      facts: [
        ["event", `${tool ?? "a call"}, read as ${harness.name}`],
        ["cwd", call.cwd],
        ["root", whyRoot(call, facts)],
      ],
      configuration: explainConfiguration(call, guard, configuration, loosened),
      rules,
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return explainUnread(guard, harness.name, "configuration", error.message);
  }
}
