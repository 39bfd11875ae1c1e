import type { StopHook } from "../contract/stop.ts";
import { runLoaded } from "./loading.ts";

/**
 * Runs a stop hook as a program. Its own trouble is exit code 1, which a client shows and which keeps no agent from
 * stopping. Never rejects.
 */
export function runStopHook(hook: StopHook, args?: readonly string[]): Promise<void> {
  return runLoaded(hook.name, 1, async () => {
    const { runStopHook } = await import("./stopping.ts");
    await runStopHook(hook, args);
  });
}
