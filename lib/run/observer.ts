import type { Observer } from "../contract/observer.ts";
import { writeWhole } from "../io/output.ts";
import { exitWith } from "../io/system.ts";

/** Runs an observer as a program, which exits 0 whatever happens. It is loaded only now, as every hook. Never rejects. */
export async function runObserver(observer: Observer, args?: readonly string[]): Promise<void> {
  exitWith(0);
  try {
    const { runObserver } = await import("./observing.ts");
    await runObserver(observer, args);
  } catch (error) {
    try {
      writeWhole(2, `${observer.name}: the hook cannot be loaded: ${String(error).split("\n")[0]}\n`);
    } catch {
      // Nobody can be told.
    }
  }
}
