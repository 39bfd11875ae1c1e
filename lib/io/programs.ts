import { accessSync, constants, realpathSync, statSync } from "node:fs";
import process from "node:process";
import { hasCode } from "./clock.ts";
import { platform } from "./system.ts";

/** Whether a file can be started. */
export function programState(path: string): "fine" | "missing" | "not executable" {
  try {
    if (!statSync(path).isFile()) return "not executable";
    if (platform() === "windows") return "fine";
    accessSync(path, constants.X_OK);
    return "fine";
  } catch (error) {
    return hasCode(error, "ENOENT", "ENOTDIR") ? "missing" : "not executable";
  }
}

/** The path without links; undefined where it leads nowhere. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** The whole environment of this program. */
export function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]),
  );
}

/** The folder that this program runs in; undefined where it is gone. */
export function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
