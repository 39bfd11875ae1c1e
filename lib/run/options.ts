import { HARNESS_NAMES, type HarnessName } from "../contract/call.ts";
import { type Hook, UsageError } from "../contract/entry.ts";
import { VERSION } from "../contract/version.ts";

/** What the command line of a hook asks for. */
export interface HookOptions {
  readonly harness: HarnessName | undefined;
  readonly help: boolean;
  readonly version: boolean;
}

function findHarnessName(name: string): HarnessName {
  const harness = HARNESS_NAMES.find((known) => known === name);
  if (!harness) throw new UsageError(`Unknown harness "${name}"`);
  return harness;
}

/**
 * Reads the command line of a hook, `--harness NAME` also as `--harness=NAME`. Throws UsageError. By hand, since to load
 * and run what reads any command line took 0.3 ms of each call.
 */
export function parseOptions(args: readonly string[]): HookOptions {
  let harness: HarnessName | undefined;
  let [help, version] = [false, false];
  const rest = args.values();
  for (const argument of rest) {
    if (argument === "--harness") harness = findHarnessName(rest.next().value ?? "");
    else if (argument.startsWith("--harness=")) {
      harness = findHarnessName(argument.slice("--harness=".length));
    } else if (argument === "--help") help = true;
    else if (argument === "--version") version = true;
    else if (argument !== "-z") throw new UsageError(`Unknown argument "${argument}"`);
  }
  return { harness, help, version };
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
