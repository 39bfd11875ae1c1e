import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
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

/** What a look at the file system gives; undefined where it fails, for whatever reason. */
function look<Found>(at: () => Found): Found | undefined {
  try {
    return at();
  } catch {
    return undefined;
  }
}

/** The current folder and the worktree around it, as they are without symlinks; not where that is all there is. */
function ownFolders(): readonly string[] {
  const current = look(() => realpathSync(process.cwd()));
  if (current === undefined) return [];
  const hasGit = (folder: string) => look(() => lstatSync(`${folder}/.git`)) !== undefined;
  let folder = current;
  while (!hasGit(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return [current, folder].filter((own) => dirname(own) !== own);
}

/**
 * The file of the git that is on PATH. Only absolute folders of it count, and none that is in the current one or the
 * worktree around it: a repository may have a git of its own, and npm puts a folder of it first.
 */
function findGit(): string {
  const windows = platform() === "windows";
  const plain = (path: string) => windows ? path.replaceAll("\\", "/").toLowerCase() : path;
  const own = ["/proc", ...ownFolders()].map((folder) => `${plain(folder)}/`);
  const isOwn = (path: string) => own.some((folder) => `${plain(path)}/`.startsWith(folder));
  for (const folder of (variable("PATH") ?? "").split(windows ? ";" : ":")) {
    if (!(windows ? /^[A-Za-z]:[\\/]|^\\\\/ : /^\//).test(folder)) continue;
    const path = windows ? `${folder}\\git.exe` : `${folder}/git`;
    const status = look(() => statSync(path));
    if (!status?.isFile() || !windows && (status.mode & 0o111) === 0) continue;
    const real = look(() => [folder, realpathSync(folder), realpathSync(path)]);
    if (real !== undefined && !real.some(isOwn)) return path;
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

/** Whatever goes wrong with starting it is told as one thing. */
function start<Child>(spawned: () => Child): Child {
  try {
    return spawned();
  } catch {
    throw new GitError("git cannot be started or heard");
  }
}

/**
 * Runs git with these arguments, and these settings over all others, and hands on what it prints, piece by piece as it comes, one character a byte. Throws
 * GitError where it is missing or fails, and what `take` throws.
 */
export async function runGit(
  args: readonly string[],
  take: (piece: string) => void,
  settings: readonly (readonly [name: string, value: string])[] = [],
): Promise<void> {
  const env: Record<string, string> = { ...FIXED };
  // As arguments they would be cut at the first "=", which a name may hold.
  if (settings.length > 0) env.GIT_CONFIG_COUNT = String(settings.length);
  settings.forEach(([name, value], at) => {
    env[`GIT_CONFIG_KEY_${at}`] = name;
    env[`GIT_CONFIG_VALUE_${at}`] = value;
  });
  for (const name of GIT_VARIABLES) {
    const value = variable(name);
    if (value !== undefined) env[name] = value;
  }
  // Loaded here alone: it costs every other program half a millisecond of its start.
  const { spawn } = await import("node:child_process");
  const program = findGit();
  const child = start(() =>
    spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"], windowsHide: true })
  );
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
