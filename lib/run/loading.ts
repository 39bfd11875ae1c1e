import { writeWhole } from "../io/output.ts";
import { exitWith } from "../io/system.ts";

/**
 * Runs a hook that is loaded only now, so that the same program under another name need not wait for it. Where it
 * cannot be loaded the exit code is the one given, and a line says so. Never rejects.
 */
export async function runLoaded(name: string, code: number, run: () => Promise<void>): Promise<void> {
  exitWith(code);
  try {
    await run();
  } catch (error) {
    try {
      writeWhole(2, `${name}: the hook cannot be loaded: ${String(error).split("\n")[0]}\n`);
    } catch {
      // Nobody can be told; the exit code says it.
    }
  }
}
