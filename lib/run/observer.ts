import type { Observer } from "../contract/observer.ts";
import { runLoaded } from "./loading.ts";

/** Runs an observer as a program, which exits 0 whatever happens. Never rejects. */
export function runObserver(observer: Observer, args?: readonly string[]): Promise<void> {
  return runLoaded(observer.name, 0, async () => {
    const { runObserver } = await import("./observing.ts");
    await runObserver(observer, args);
  });
}
