import { parseArgs } from "@std/cli/parse-args";
import type { Harness } from "../contract/call.ts";
import { type Hook, UsageError } from "../contract/entry.ts";
import { VERSION } from "../contract/version.ts";
import { findHarness, harnesses } from "../harness/harnesses.ts";

/** What the command line of a hook asks for. */
export interface HookOptions {
  readonly harness: Harness | undefined;
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
  const harness = typeof name === "string" ? findHarness(name) : undefined;
  if (name !== undefined && !harness) throw new UsageError(`Unknown harness "${String(name)}"`);
  return { harness, help: options.help === true, version: options.version === true };
}

/** What `--help` or `--version` prints. `notes` says what the hook does with its input. */
export function describeHook({ name, summary }: Hook, help: boolean, notes: string): string {
  if (!help) return `${name} ${VERSION}\n`;
  return `${name}: ${summary}

Usage: ${name} [-z] [--harness ${harnesses.map((harness) => harness.name).join("|")}] < event.json

${notes}
Options:
  --harness NAME  the agent that calls, and so the form of the answer
  -z              does nothing; stands first in a wiring, so that a damaged executable fails
  --help, --version
`;
}
