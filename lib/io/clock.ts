/** How long a hook may take before it refuses, in milliseconds; below the time-out of its wiring. */
export const DEADLINE = 5_000;

/** Whether the program has run for longer than the deadline. Counted from the start of the process. */
export function expired(): boolean {
  return performance.now() > DEADLINE;
}

const cell = new Int32Array(new SharedArrayBuffer(4));

/** Stops the whole thread for so many milliseconds. */
export function sleep(milliseconds: number): void {
  Atomics.wait(cell, 0, 0, milliseconds);
}

/** Says whether an error of the system has that code, such as `EAGAIN`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** Now, as ISO 8601 in UTC. */
export function now(): string {
  return new Date().toISOString();
}
