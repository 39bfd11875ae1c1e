import { type Harness, HARNESS_NAMES } from "../contract/call.ts";
import { claude } from "./claude.ts";
import { native } from "./native.ts";

const byName: Readonly<Record<Harness["name"], Harness>> = { native, claude };

/** Every agent that is known, in the order in which an event of unknown origin is read as one's. */
export const harnesses: readonly Harness[] = HARNESS_NAMES.map((name) => byName[name]);

/** The harness of that name. */
export function findHarness(name: string): Harness | undefined {
  return harnesses.find((harness) => harness.name === name);
}
