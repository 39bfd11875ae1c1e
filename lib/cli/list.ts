import { type Entry, UsageError } from "../contract/entry.ts";
import type { Gate } from "../contract/gate.ts";
import { describeDeclarations, exitsOf } from "../evidence/describe.ts";
import { wire, type WiringOptions } from "../harness/claude-wiring.ts";

/** One line for each hook and gate. */
export function list(registry: readonly Entry[]): string {
  return registry.map(({ folder, unit }) => `${folder.slice(0, -1)} ${unit.name}: ${unit.summary}\n`).join(
    "",
  );
}

function row(gate: Gate): string[] {
  const declared = describeDeclarations(gate, (wanted) => `\`${wanted}\``);
  const checks = declared.map(({ wants }) => wants);
  return [
    `\`${gate.name}\``,
    declared.map(({ variable, when }) => `\`${variable}\`${when && ` ${when}`}`).join("<br>"),
    [...checks, ...gate.staged ? ["no private key's header in what is staged"] : []].join("<br>"),
    exitsOf(gate).join(", "),
  ];
}

/** The gates as a table in Markdown, as the documents have it. */
export function gatesTable(registry: readonly Entry[]): string {
  const head = ["gate", "declarations", "what it checks", "exit codes"];
  const rows = registry.flatMap(({ unit }) => unit.kind === "gate" ? [row(unit)] : []);
  const widths = head.map((title, at) =>
    Math.max(...[head, ...rows].map((cells) => cells[at]?.length ?? title.length))
  );
  const line = (cells: readonly string[], fill: string) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0, fill)).join(" | ")} |\n`;
  return [line(head, " "), line(head.map(() => ""), "-"), ...rows.map((cells) => line(cells, " "))].join("");
}

/** What a plugin says of itself and of its hooks. */
export const DESCRIPTION =
  "Refuses tool calls that write what or where they must not, and claims without proof.";

/** The wiring of all hooks as JSON: for a user's settings, or with a description for a plugin's hooks.json. */
export function wiringText(
  registry: readonly Entry[],
  { settings = false, ...options }: WiringOptions & { readonly settings?: boolean },
): string {
  const hooks = wire(registry.flatMap(({ folder, unit }) => folder === "hooks" ? [unit] : []), options);
  return `${JSON.stringify(settings ? { hooks } : { description: DESCRIPTION, hooks }, null, 2)}\n`;
}

/**
 * The text of a plugin's hooks.json.
 *
 * @param exe What executables' names end in: `.exe` on Windows, whose clients may start no other.
 */
export function pluginHooks(registry: readonly Entry[], exe: string, judge = true): string {
  return wiringText(registry, { program: `\${CLAUDE_PLUGIN_ROOT}/nonzero${exe}`, judge });
}

/** Where the program runs that is asked for a list. */
export interface Running {
  /** The file that it was started from. */
  readonly executable: string;
  /** What executables' names end in. */
  readonly exe: string;
}

/** The program's own path. Throws a UsageError where a runtime was started in its place. */
function ownPath({ executable }: Running): string {
  if (!/(?:^|[\\/])(?:deno|bun|node)(?:\.exe)?$/i.test(executable)) return executable;
  throw new UsageError(
    `--settings and --shell need nonzero's own executable, and this one is "${executable}"`,
  );
}

const HELP = `nonzero list: prints the hooks and gates that there are, or how they are wired

Usage: nonzero list [--markdown | --hooks-json [--settings] [--shell] [--no-judge]]

Options:
  --markdown    the gates as a table
  --hooks-json  the wiring for Claude Code, as a plugin's hooks.json has it
  --settings    with --hooks-json: as it belongs into a settings file, with the path of this executable
  --shell       with --hooks-json: the guards alone, as command lines for clients before 2.1.139
  --no-judge    with --hooks-json: without the hook that asks a model at the end of a turn
  --help

Exit codes: 0 printed, 2 a mistake on the command line.
`;

const WIRING = ["--settings", "--shell", "--no-judge"];

/** What `nonzero list` prints with these arguments. Throws a UsageError where they are none of its own. */
export function runList(registry: readonly Entry[], args: readonly string[], running: Running): string {
  const [first, ...more] = args;
  if (first === undefined) return list(registry);
  if (first === "--help" && more.length === 0) return HELP;
  const given = new Set(args);
  const known = (option: string) => option === "--hooks-json" || WIRING.includes(option);
  const unknown = first === "--markdown" ? more[0] : args.find((option) => !known(option));
  if (unknown !== undefined) throw new UsageError(`unknown argument "${unknown}"`);
  if (first === "--markdown") return gatesTable(registry);
  if (!given.has("--hooks-json")) throw new UsageError(`${first} is for --hooks-json alone`);
  if (given.size < args.length) throw new UsageError("an argument is given twice");
  const judge = !given.has("--no-judge");
  const [settings, shell] = [given.has("--settings"), given.has("--shell")];
  if (!settings && !shell) return pluginHooks(registry, running.exe, judge);
  return wiringText(registry, { program: ownPath(running), judge, shell, settings });
}
