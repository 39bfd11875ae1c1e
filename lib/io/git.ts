import { statSync } from "node:fs";
import { GIT_VARIABLES } from "../contract/git.ts";
import { platform, variable } from "./system.ts";

/** git could not do what it was asked; the message says why, in one line. */
export class GitError extends Error {
  override readonly name = "GitError";
}

/** What git is told by the environment, whatever stands in that of the gate. */
const FIXED: Readonly<Record<string, string>> = {
  // Its messages are read.
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ATTR_NOSYSTEM: "1",
  // A replaced object shows another text than the one that is committed.
  GIT_NO_REPLACE_OBJECTS: "1",
  // In a partial clone git fetches what is missing, by a program or address that the repository names. Partial clones
  // are older than the variable that forbids it: there, no protocol is allowed.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: ":",
};

/** The longest complaint of git that is kept, in characters. */
const COMPLAINT_LIMIT = 4096;

/**
 * The file of the git that is on PATH. Only absolute folders of it count, and never the current one, in which Windows
 * and some runtimes look first: it may be a repository with a git of its own.
 */
function findGit(): string {
  const windows = platform() === "windows";
  for (const folder of (variable("PATH") ?? "").split(windows ? ";" : ":")) {
    if (!(windows ? /^[A-Za-z]:[\\/]|^\\\\/ : /^\//).test(folder)) continue;
    const path = windows ? `${folder}\\git.exe` : `${folder}/git`;
    const status = statSync(path, { throwIfNoEntry: false });
    if (status?.isFile() && (windows || (status.mode & 0o111) !== 0)) return path;
  }
  throw new GitError("git is not installed, or not on PATH");
}

/** What git said, in one line; where it mistrusts the owner of the repository, what its user can do. */
function explain(complaint: string): string {
  const trust = /git config --global --add safe\.directory .+/.exec(complaint)?.[0];
  if (trust !== undefined) {
    return `git does not read a repository that another user owns. If you trust it, run: ${trust}`;
  }
  const lines = complaint.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const told = lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines[0];
  return `git failed: ${told?.replace(/^\w+: /, "") ?? "it does not say why"}`;
}

/**
 * Runs git with these arguments and hands on what it prints, piece by piece as it comes, one character a byte. Throws
 * GitError where it is missing or fails, and what `take` throws.
 */
export async function runGit(args: readonly string[], take: (piece: string) => void): Promise<void> {
  const env: Record<string, string> = { ...FIXED };
  for (const name of GIT_VARIABLES) {
    const value = variable(name);
    if (value !== undefined) env[name] = value;
  }
  // Loaded here alone: it costs every other program half a millisecond of its start.
  const { spawn } = await import("node:child_process");
  const child = spawn(findGit(), args, { env, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (complaint.length < COMPLAINT_LIMIT) complaint += text;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding("latin1").on("data", (piece: string) => {
      try {
        take(piece);
      } catch (error) {
        reject(error);
        child.kill();
      }
    });
    for (const stream of [child, child.stdout, child.stderr]) {
      stream.on("error", () => reject(new GitError("git cannot be started or heard")));
    }
    child.on("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new GitError(code === null ? `git was ended by ${signal}` : explain(complaint)));
    });
  });
}
