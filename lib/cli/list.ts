import type { Entry } from "../contract/entry.ts";
import type { Gate } from "../contract/gate.ts";
import { describeDeclarations, exitsOf } from "../evidence/describe.ts";

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
