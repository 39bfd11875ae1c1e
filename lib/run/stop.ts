import type { StopHook } from "../contract/stop.ts";
import { writeWhole } from "../io/output.ts";
import { exitWith } from "../io/system.ts";

/**
 * Runs a stop hook as a program. It is loaded only now, so that the same program under another name need not wait for
 * it. Its own trouble is exit code 1, which a client shows and which keeps no agent from stopping. Never rejects.
 */
export async function runStopHook(hook: StopHook, args?: readonly string[]): Promise<void> {
  exitWith(1);
  try {
    const { runStopHook } = await import("./stopping.ts");
    await runStopHook(hook, args);
  } catch (error) {
    try {
      writeWhole(2, `${hook.name}: the hook cannot be loaded: ${String(error).split("\n")[0]}\n`);
    } catch {
      // Nobody can be told; the exit code says it.
    }
  }
}
