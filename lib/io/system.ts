import process from "node:process";
import type { Platform } from "../contract/hook.ts";

/** The platform that the program runs on; every system that is neither Windows nor macOS counts as Linux. */
export function platform(): Platform {
  return process.platform === "win32" ? "windows" : process.platform === "darwin" ? "darwin" : "linux";
}

/** The value of an environment variable; undefined where it is unset or empty. Throws where it may not be read. */
export function variable(name: string): string | undefined {
  return process.env[name] || undefined;
}

/** The file that this program was started from, as the system tells it: its arguments cannot forge it. */
export function executable(): string {
  return process.execPath;
}

/** The command line after the program's name. */
export function commandLine(): readonly string[] {
  return process.argv.slice(2);
}

/** Says how the program will exit. It is not ended here: what was written must get out. */
export function exitWith(code: number): void {
  process.exitCode = code;
}
