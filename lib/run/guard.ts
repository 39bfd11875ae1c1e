import type { Guard } from "../contract/hook.ts";
import { runLoaded } from "./loading.ts";

/** Runs a guard as a program: whatever goes wrong is exit code 2, for on 1 a client runs the tool. Never rejects. */
export function runGuard(guard: Guard, args?: readonly string[]): Promise<void> {
  return runLoaded(`DENY  ${guard.name}`, 2, async () => {
    const hook = await import("./hook.ts");
    await hook.runGuard(guard, args);
  });
}
