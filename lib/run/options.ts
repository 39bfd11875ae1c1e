import { parseArgs } from "@std/cli/parse-args";
import { HARNESS_NAMES, type HarnessName } from "../contract/call.ts";
import { type Hook, UsageError } from "../contract/entry.ts";
import { VERSION } from "../contract/version.ts";

/** What the command line of a hook asks for. */
export interface HookOptions {
  readonly harness: HarnessName | undefined;
  readonly help: boolean;
  readonly version: boolean;
}

/** Reads the command line of a hook. Throws UsageError. */
export function parseOptions(args: readonly string[]): HookOptions {
  const options = parseArgs(args, {
    boolean: ["z", "help", "version"],
    string: ["harness"],
    unknown(argument) {
      throw new UsageError(`Unknown argument "${argument}"`);
    },
  });
  const name = options.harness;
  const harness = HARNESS_NAMES.find((known) => known === name);
  if (name !== undefined && !harness) throw new UsageError(`Unknown harness "${String(name)}"`);
  return { harness, help: options.help === true, version: options.version === true };
}

/** What `--help` or `--version` prints. `notes` says what the hook does with its input. */
export function describeHook({ name, summary }: Hook, help: boolean, notes: string): string {
  if (!help) return `${name} ${VERSION}\n`;
  return `${name}: ${summary}

Usage: ${name} [-z] [--harness ${HARNESS_NAMES.join("|")}] < event.json

${notes}
Options:
  --harness NAME  the agent that calls, and so the form of the answer
  -z              does nothing; stands first in a wiring, so that a damaged executable fails
  --help, --version
`;
}
