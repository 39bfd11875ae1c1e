/** What is wrong with a wiring as it stands in the files, before anything is run. */
import type { Hook } from "../contract/entry.ts";
import type { Finding } from "./finding.ts";
import { LEGACY_TOOLS, matches, WRITING_TOOLS } from "./matcher.ts";
import { describeCommand, type OurEntry, refusesDamaged, refusesOnFailure, rightEvents } from "./ours.ts";

/** How to get a wiring as it should be. */
const REWIRE = "Take the entry that `nonzero list --hooks-json --settings` prints.";

function isGuard(hook: Hook | undefined): boolean {
  return hook?.kind === "guard";
}

function standsRight({ hook, handler }: OurEntry): boolean {
  return hook !== undefined && rightEvents(hook).includes(handler.event);
}

function checkEntry(entry: OurEntry): Finding[] {
  const { hook, handler, place } = entry;
  const name = hook?.name ?? "nonzero";
  const where = { file: place.file };
  const found: Finding[] = [];
  if (handler.dropped !== undefined) {
    return [{
      ...where,
      level: "error",
      id: "entry-left-out",
      message: `The client leaves out ${name} on ${handler.event}: ${handler.dropped}.`,
      fix: REWIRE,
    }];
  }
  if (!standsRight(entry)) {
    const right = hook ? rightEvents(hook).join(" or ") : "an event of one of its hooks";
    found.push({
      ...where,
      level: "warning",
      id: "wrong-event",
      message: `${name} stands on ${handler.event}, where it can do nothing.`,
      fix: `Wire it to ${right}. ${REWIRE}`,
    });
    return found;
  }
  if (handler.isAsync && hook?.kind !== "observer") {
    found.push({
      ...where,
      level: "error",
      id: "in-background",
      message: `${name} on ${handler.event} runs in the background, so that it decides nothing.`,
      fix: 'Take out "async" and "asyncRewake".',
    });
  }
  if (isGuard(hook) && !refusesOnFailure(handler)) {
    found.push({
      ...where,
      level: "warning",
      id: "no-on-failure",
      message:
        `${name} has no "onFailure": "block": where it is missing, crashes or takes too long, the tool runs.`,
      fix: 'Add "onFailure": "block" to the entry.',
    });
  }
  if (handler.args?.length === 0) {
    found.push({
      ...where,
      level: "warning",
      id: "no-arguments",
      message: `${name} on ${handler.event} is started without arguments, so it is not told what to do.`,
      fix: REWIRE,
    });
  } else if (!refusesDamaged(handler)) {
    found.push({
      ...where,
      level: "warning",
      id: "no-z",
      message:
        `${name} on ${handler.event} is not given -z first: an executable that was cut short may then allow everything.`,
      fix: 'Let "-z" be the first of its arguments.',
    });
  }
  if (handler.args !== undefined && !/[\\/]/.test(handler.command)) {
    found.push({
      ...where,
      level: "warning",
      id: "bare-program",
      message:
        `${name} on ${handler.event} is looked for on PATH as "${handler.command}": where a project sets PATH, a file of the project may run in its place.`,
      fix: "Name the executable by its absolute path.",
    });
  }
  if (isGuard(hook) && handler.condition !== undefined) {
    found.push({
      ...where,
      level: "warning",
      id: "narrowed",
      message: `${name} is asked only where "${handler.condition}" holds.`,
      fix: 'Take out "if".',
    });
  }
  return found;
}

/** Whether an entry is asked about a tool, whatever else the call says. */
function takes({ handler }: OurEntry, tool: string): boolean {
  return handler.condition === undefined && matches(handler.matcher, tool);
}

/** The tools that write and that no entry of a guard is asked about. */
function checkCoverage(entries: readonly OurEntry[]): Finding[] {
  const asked = entries.filter((entry) =>
    isGuard(entry.hook) && canBeAsked(entry) && entry.handler.condition === undefined
  );
  return [...new Set(asked.map(({ hook }) => hook))].flatMap((hook) => {
    const own = asked.filter((entry) => entry.hook === hook);
    const missed = (tools: readonly string[]) =>
      tools.filter((tool) => !own.some((entry) => takes(entry, tool)));
    const gap = (level: Finding["level"], tools: readonly string[], message: string): Finding[] =>
      tools.length === 0
        ? []
        : [{ level, id: "matcher-gap", message, fix: `Add them to the matcher. ${REWIRE}`, file }];
    const file = own[0]?.place.file ?? null;
    const [now, once] = [missed(WRITING_TOOLS), missed(LEGACY_TOOLS)];
    return [
      ...gap(
        "warning",
        now,
        `No matcher of ${hook?.name} takes ${now.join(", ")}, so these tools write unjudged.`,
      ),
      ...gap(
        "note",
        once,
        `No matcher of ${hook?.name} takes ${once.join(", ")}, which older clients write by.`,
      ),
    ];
  });
}

/** Entries that ask the same hook at the same event: in one file they may share the tools among them. */
function checkDuplicates(entries: readonly OurEntry[]): Finding[] {
  const found: Finding[] = [];
  entries.forEach((entry, at) => {
    const twin = entries.slice(0, at).find((other) =>
      other.hook !== undefined && other.hook === entry.hook && other.handler.event === entry.handler.event &&
      (other.place.file !== entry.place.file || other.handler.matcher === entry.handler.matcher)
    );
    if (!twin || !entry.hook) return;
    const elsewhere = twin.place.file === entry.place.file
      ? "twice"
      : `here and in ${twin.place.file} (${twin.place.name})`;
    found.push({
      level: "warning",
      id: "wired-twice",
      message: `${entry.hook.name} is wired to ${entry.handler.event} ${elsewhere}.`,
      fix: "Keep one of the two: each call waits for both.",
      file: entry.place.file,
    });
  });
  return found;
}

function checkPresence(entries: readonly OurEntry[]): Finding[] {
  if (entries.length === 0) {
    return [{
      level: "error",
      id: "no-wiring",
      message: "No settings file that the client reads wires a hook of this program.",
      fix:
        "Run `nonzero install`, or add what `nonzero list --hooks-json --settings` prints to the settings.",
      file: null,
    }];
  }
  const guards = entries.filter(({ hook }) => isGuard(hook));
  const asked = guards.filter(standsRight);
  if (asked.some(({ handler }) => WRITING_TOOLS.some((tool) => matches(handler.matcher, tool)))) return [];
  if (asked.length > 0) {
    return [{
      level: "error",
      id: "no-guard",
      message: "No guard is asked about a tool that writes: its matcher takes none of them.",
      fix: `Correct the matcher. ${REWIRE}`,
      file: asked[0]?.place.file ?? null,
    }];
  }
  return [{
    level: guards.length > 0 ? "error" : "warning",
    id: "no-guard",
    message: "No guard is asked before a tool, so no tool call is refused.",
    fix: `Wire pre-tool-use to PreToolUse. ${REWIRE}`,
    file: guards[0]?.place.file ?? null,
  }];
}

/** What is wrong with the wiring in all files together. */
export function checkWiring(entries: readonly OurEntry[]): Finding[] {
  const presence = checkPresence(entries);
  return [
    ...presence,
    ...entries.flatMap(checkEntry),
    // That none is asked says all.
    ...presence.some(({ id }) => id === "no-guard") ? [] : checkCoverage(entries),
    ...checkDuplicates(entries),
  ];
}

/** Whether an entry is one that an event can be sent to: the client would ask it. */
export function canBeAsked(entry: OurEntry): boolean {
  return standsRight(entry) && entry.handler.dropped === undefined;
}

/** The words by which one entry is told from the others, for people. */
export function nameEntry({ hook, handler }: OurEntry): string {
  return `${hook?.name ?? describeCommand(handler)} on ${handler.event}`;
}
