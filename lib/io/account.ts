import process from "node:process";
import { FileError, readText } from "./files.ts";

/**
 * The home folder that the system has for the account that runs this, whatever the environment says. Known on Linux
 * alone, from the table of accounts; undefined where it cannot be told.
 */
export function accountHome(): string | undefined {
  if (process.platform !== "linux" || !process.getuid) return undefined;
  try {
    const uid = String(process.getuid());
    const lines = readText("/etc/passwd", 1024 * 1024).split("\n");
    return lines.map((line) => line.split(":")).find((fields) => fields[2] === uid)?.[5];
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
