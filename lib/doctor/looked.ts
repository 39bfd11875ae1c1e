/** Says what each rule of a guard looks at in the facts of a call. No text of the call itself is told. */
import type { Budget, Document, Facts, Target, Text } from "../contract/hook.ts";
import { charged } from "../rules/within-budget.ts";

/** The most lines of a kind that are told. */
const LIMIT = 10;

function some<Item>(items: readonly Item[], tell: (item: Item) => string, none: string): string[] {
  if (items.length === 0) return [none];
  const told = items.slice(0, LIMIT).map(tell);
  return items.length > LIMIT ? [...told, `and ${items.length - LIMIT} more`] : told;
}

function tellTarget({ field, written, readings, names, problem }: Target): string {
  const also = names.filter((name) => !readings.includes(name));
  const through = also.length > 0 ? `, through ${also.join(" and ")}` : "";
  return problem === undefined
    ? `${field} "${written}" leads to ${readings.join(" and ")}${through}`
    : `${field} "${written}" ${problem}`;
}

function targets({ targets }: Facts): string[] {
  return some(targets, tellTarget, "no path that is written");
}

function texts(all: readonly Text[], none: string): string[] {
  return some(all, ({ field, text }) => `${field}: ${text.length} characters`, none);
}

function tellRoot({ root }: Facts): string {
  return "path" in root ? `root ${root.path}` : `no root: ${root.problem}`;
}

function tellDocument(document: Document): string {
  const strict = document.kind !== "unknown" && document.strict ? ", which must be a record" : "";
  switch (document.kind) {
    case "value":
      return `${document.name}: the payload itself${strict}`;
    case "text":
      return `${document.name}: ${document.text.length} characters${
        document.lines ? ", line by line" : ""
      }${strict}`;
    case "unknown":
      return `${document.name}: ${document.why}`;
  }
}

function amount(value: unknown): string {
  return typeof value === "number" ? String(value) : value === undefined ? "not given" : `no number`;
}

function tellBudget(budget: Budget | undefined): string[] {
  if (!budget) return ["no budget: none is declared or configured"];
  const { limit, spent, estimate, calibration, problem } = budget;
  if (problem !== undefined) return [`limit ${amount(limit)}`, problem];
  const numbers =
    calibration && typeof calibration.estimated === "number" && typeof calibration.actual === "number"
      ? { estimated: calibration.estimated, actual: calibration.actual }
      : undefined;
  return [
    `limit ${amount(limit)}, spent ${amount(spent)}, estimate ${amount(estimate)}`,
    ...calibration
      ? [`calibration: estimated ${amount(calibration.estimated)}, actual ${amount(calibration.actual)}`]
      : [],
    ...typeof estimate === "number" && (numbers !== undefined || calibration === undefined)
      ? [`charged ${charged(estimate, numbers)}`]
      : [],
  ];
}

function accepted({ accepted }: Facts): string[] {
  return accepted.slice(0, LIMIT).map(({ pattern, path, reason }) =>
    `accepted by the user: ${pattern} in ${path} (${reason})`
  );
}

/** By the rule's id. */
const LOOKS: Readonly<Record<string, (facts: Facts) => readonly string[]>> = {
  "stay-inside-worktree": (facts) => [
    tellRoot(facts),
    ...facts.writable.map((folder) => `also writable: ${folder}`),
    ...targets(facts),
  ],
  "unread-fields": ({ documents }) =>
    some(documents, tellDocument, "no payload, and no file in which a record could stand"),
  "no-secrets-written": (facts) => [...texts(facts.texts, "no text that is written"), ...accepted(facts)],
  "no-secrets-in-evidence": (facts) => [
    `folders of evidence: ${["evidence", "e2e-evidence", ...facts.evidence].join(", ")}`,
    ...targets(facts),
    ...texts(facts.texts, "no text that is written"),
    ...accepted(facts),
  ],
  "within-budget": ({ budget }) => tellBudget(budget),
  "guard-untouched": (facts) => [
    ...targets(facts),
    ...facts.guarded.places.map((place) => `guarded: ${place}`),
    ...facts.guarded.aliases.map(({ path, name }) => `guarded: ${path}, which ${name.join("/")} leads to`),
    ...facts.guarded.editable.map((glob) => `the agent may edit ${glob}`),
  ],
};

/** What a rule looks at, one line each. */
export function lookedAt(rule: string, facts: Facts): readonly string[] {
  return LOOKS[rule]?.(facts) ?? [...targets(facts), ...texts(facts.texts, "no text that is written")];
}
