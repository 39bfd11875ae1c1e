import type { Guard } from "../contract/hook.ts";
import { exitWith } from "../io/system.ts";

/**
 * Runs a guard as a program. What guards stand on is loaded only now: a gate, which is the same program under another
 * name, need not wait for it.
 */
export async function runGuard(guard: Guard, args?: readonly string[]): Promise<void> {
  exitWith(2);
  const hook = await import("./hook.ts");
  hook.runGuard(guard, args);
}
