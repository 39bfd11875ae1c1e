/** What a gate is, in words. */
import type { Condition, Gate, GateExit, Words } from "../contract/gate.ts";

/** Words that stand for what will be declared, as a shell would write it. */
function placeholders(gate: Gate): Words {
  return Object.fromEntries(gate.declarations.map(({ variable }) => [variable, `$${variable}`]));
}

/** A declaration of a gate, in words. */
export interface Described {
  readonly variable: string;
  /** When it must be declared; empty: always. */
  readonly when: string;
  /** The kind of file that it names; empty: it is itself what is judged. */
  readonly names: string;
  /** What must be true of it. */
  readonly wants: string;
}

/** The declarations of a gate, in words; `mark` sets off what must stand in a file as it is. */
export function describeDeclarations(gate: Gate, mark: (wanted: string) => string): Described[] {
  const words = placeholders(gate);
  return gate.declarations.map((declaration) => {
    const { variable } = declaration;
    switch (declaration.kind) {
      case "evidence": {
        const wants = declaration.conditions(words).map((condition) => mark(condition.wants)).join(", ");
        const when = declaration.neededFor ? `for ${declaration.neededFor}` : "";
        return { variable, when, names: "a file of evidence", wants };
      }
      case "text":
        return { variable, when: "", names: "a file", wants: "text" };
      case "word":
        return { variable, when: "", names: "", wants: declaration.wants };
    }
  });
}

/** The exit codes that a gate has, as long as it is not itself broken. */
export function exitsOf(gate: Gate): readonly (0 | GateExit)[] {
  const words = placeholders(gate);
  const conditions = gate.declarations.flatMap<Pick<Condition, "exits">>((declaration) =>
    declaration.kind === "evidence"
      ? declaration.conditions(words)
      : declaration.kind === "word"
      ? [declaration]
      : []
  );
  const refutes = gate.staged || conditions.some(({ exits }) => exits.includes(70));
  return refutes ? [0, 64, 65, 70] : [0, 64, 65];
}
