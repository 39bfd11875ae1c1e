import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Makes a folder of its own for temporary files, hands it over without links, and removes it with all that is in it.
 * Throws the system's error where it cannot be made.
 */
export async function withTemporaryFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  // Loaded here alone: at the top it would cost every hook and gate a part of its start.
  const { tmpdir } = await import("node:os");
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "nonzero-")));
  try {
    return await use(folder);
  } finally {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // What is left in there says nothing and harms nobody.
    }
  }
}

/** Writes files below a folder, with the folders that they need; null is a folder. Throws the system's error. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | null>>): void {
  for (const [path, text] of Object.entries(files)) {
    const full = join(folder, path);
    mkdirSync(text === null ? full : dirname(full), { recursive: true });
    if (text !== null) writeFileSync(full, text, { mode: 0o600 });
  }
}
