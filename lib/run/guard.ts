import type { Guard } from "../contract/hook.ts";
import { writeWhole } from "../io/output.ts";
import { exitWith } from "../io/system.ts";

/**
 * Runs a guard as a program. What guards stand on is loaded only now: a gate, which is the same program under another
 * name, need not wait for it. Never rejects.
 */
export async function runGuard(guard: Guard, args?: readonly string[]): Promise<void> {
  exitWith(2);
  try {
    const hook = await import("./hook.ts");
    await hook.runGuard(guard, args);
  } catch (error) {
    // Left to itself, a rejected promise would end the program with exit code 1, on which a client runs the tool.
    try {
      writeWhole(2, `DENY  ${guard.name}: the hook cannot be loaded: ${String(error).split("\n")[0]}\n`);
    } catch {
      // The reason is lost, the refusal is not.
    }
  }
}
