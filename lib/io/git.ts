import { spawn } from "node:child_process";
import { GIT_VARIABLES } from "../contract/git.ts";
import { variable } from "./system.ts";

/** git could not do what it was asked; the message is its own, or says that it is missing. */
export class GitError extends Error {
  override readonly name = "GitError";
}

/**
 * Runs git with these arguments and hands on what it prints, piece by piece as it comes. Throws GitError where it is
 * missing or fails.
 */
export async function runGit(args: readonly string[], take: (bytes: Uint8Array) => void): Promise<void> {
  const env: Record<string, string> = { LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1" };
  for (const name of GIT_VARIABLES) {
    const value = variable(name);
    if (value !== undefined) env[name] = value;
  }
  const child = spawn("git", args, { env, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  let complaint = "";
  child.stderr.on("data", (bytes: Uint8Array) => {
    if (complaint.length < 4096) complaint += new TextDecoder().decode(bytes);
  });
  child.stdout.on("data", take);
  await new Promise<void>((resolve, reject) => {
    child.on("error", () => reject(new GitError("git cannot be started: is it installed and on PATH?")));
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new GitError(complaint.trim() || `git failed with exit code ${code}`));
    });
  });
}
