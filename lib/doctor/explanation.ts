/** What a hook makes of one event, and how that is told. */
import { printable } from "../run/answer.ts";

/** What a rule makes of an event. */
export interface RuleExplanation {
  readonly rule: string;
  readonly decision: "passes" | "refuses";
  /** What it looked at, one line each. */
  readonly looked: readonly string[];
  /** Why it decided so, one line each. */
  readonly why: readonly string[];
  /** How to satisfy it; none where it passes. */
  readonly fix: readonly string[];
}

/** A configuration file that counts for the event. */
export interface ConfigurationExplanation {
  readonly file: string;
  readonly state: string;
  readonly loosens: readonly string[];
}

/** What a hook makes of one event. Texts may quote the event: they are made printable where they are printed. */
export interface Explanation {
  readonly hook: string;
  /** The agent that the event is read as; null where it is none's. */
  readonly harness: string | null;
  readonly decision: "allows" | "refuses" | "sends back" | "says nothing" | "fails" | "decides nothing";
  /** The exit code of the hook. */
  readonly exit: 0 | 1 | 2;
  /** What the decision rests on, in a sentence, where no rule says it. */
  readonly because: string | null;
  /** What it makes of the event as a whole: a name and what there is to say. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly configuration: readonly ConfigurationExplanation[];
  readonly rules: readonly RuleExplanation[];
}

/** What stands before the configuration files. */
const CONFIG = "config";

function verdict({ hook, decision, exit }: Explanation): string {
  const words: Readonly<Record<Explanation["decision"], string>> = {
    "allows": "would allow this",
    "refuses": "would refuse this",
    "sends back": "would send the agent back",
    "says nothing": "would let the turn end",
    "fails": "would fail, which lets the turn end",
    "decides nothing": "decides nothing",
  };
  return `${hook} ${words[decision]}: exit ${exit}.`;
}

function lines(title: string, texts: readonly string[]): string[] {
  return texts.map((text, at) => `  ${(at === 0 ? title : "").padEnd(11)}${printable(text)}`);
}

function ruleLines({ rule, decision, looked, why, fix }: RuleExplanation): string[] {
  return [
    "",
    `${decision.toUpperCase().padEnd(8)}  ${rule}`,
    ...lines("looked at", looked),
    ...lines("why", why),
    ...lines("fix", fix),
  ];
}

function configurationLines({ file, state, loosens }: ConfigurationExplanation): string[] {
  return [`${file}: ${state}`, ...loosens.map((what) => `loosens ${what}`)];
}

/** The explanation for people. */
export function toText(explanation: Explanation): string {
  const { because, facts, configuration, rules } = explanation;
  const width = Math.max(CONFIG.length, ...facts.map(([name]) => name.length)) + 2;
  return [
    verdict(explanation),
    ...because === null ? [] : [printable(because)],
    ...facts.length > 0 ? [""] : [],
    ...facts.map(([name, value]) => `${name.padEnd(width)}${printable(value)}`),
    ...configuration.flatMap(configurationLines).map((text, at) =>
      `${(at === 0 ? CONFIG : "").padEnd(width)}${printable(text)}`
    ),
    ...rules.flatMap(ruleLines),
    "",
  ].join("\n");
}

/** The explanation as one line of JSON. */
export function toJson({ facts, ...explanation }: Explanation): string {
  const value = { schema: 1, ...explanation, facts: Object.fromEntries(facts) };
  return `${JSON.stringify(value, (_, inner) => typeof inner === "string" ? printable(inner) : inner)}\n`;
}
