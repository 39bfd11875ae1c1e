import type { Gate } from "../contract/gate.ts";
import { describeDeclarations } from "../evidence/describe.ts";

/** What `--help` says of a gate. */
export function help(gate: Gate): string {
  const rows = describeDeclarations(gate, (wanted) => wanted).map(({ variable, when, names, wants }) =>
    `  ${variable}  ${names && `${names} with `}${wants}${when && `; ${when} alone`}`
  );
  return `${gate.name}: passes where ${gate.summary}

Usage: ${gate.name} -z [--dry-run] [--json]

Declared in the environment:
${rows.join("\n")}

Options:
  -z         changes nothing, and comes first: an executable that was cut short or stripped is plain Bun, which
             refuses it instead of passing
  --dry-run  ${
    gate.staged ? "does not look at what is staged in git" : "changes nothing: this gate only reads"
  }
  --json     the verdict as JSON on standard output
  --help, --version

Exit codes: 0 passed, 64 not declared or called wrongly, 65 evidence not as it must be, 70 a condition failed.
`;
}
