import type { Harness } from "../contract/call.ts";
import { claude } from "./claude.ts";
import { native } from "./native.ts";

/** Every agent that is known, in the order in which an event of unknown origin is read as one's. */
export const harnesses: readonly Harness[] = [native, claude];

/** The harness of that name. */
export function findHarness(name: string): Harness | undefined {
  return harnesses.find((harness) => harness.name === name);
}
