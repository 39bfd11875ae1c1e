import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";

/** The names in a folder, in order; none where it cannot be read. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** The folder for temporary files. */
export function temporaryFolder(): string {
  return tmpdir();
}
