import process from "node:process";
import { platform } from "./system.ts";

/** What came of a program that was run. */
export interface Ran {
  /** Null where it did not end by itself. */
  readonly code: number | null;
  /** The beginning of what it printed. */
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds from its start to its end. */
  readonly ms: number;
  /** Why there is no code. */
  readonly problem?: "cannot start" | "took too long" | "was killed";
}

/** How a program is run. */
export interface RunOptions {
  readonly stdin: string;
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** How long it may take, in milliseconds; then it is killed, with all that it has started. */
  readonly timeout: number;
  /** The most that is kept of each stream, in bytes. */
  readonly limit: number;
}

interface Stream {
  on(event: "data", listener: (piece: Uint8Array) => void): unknown;
  on(event: "error", listener: () => void): unknown;
  destroy(): unknown;
}

/** Keeps the beginning of a stream; the rest is read, so that the program can end. */
function keep(stream: Stream, limit: number): () => string {
  const pieces: Uint8Array[] = [];
  let length = 0;
  stream.on("data", (piece) => {
    if (length >= limit) return;
    const kept = piece.subarray(0, limit - length);
    pieces.push(kept);
    length += kept.length;
  });
  stream.on("error", () => {});
  return () => {
    const whole = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return new TextDecoder().decode(whole);
  };
}

/** Runs a program without a shell, gives it its input, and waits for it to end. Never rejects. */
export async function runChild(
  program: string,
  args: readonly string[],
  { stdin, cwd, env, timeout, limit }: RunOptions,
): Promise<Ran> {
  const { spawn } = await import("node:child_process");
  const start = performance.now();
  const elapsed = () => performance.now() - start;
  const posix = platform() !== "windows";
  const failed = () => ({
    code: null,
    stdout: "",
    stderr: "",
    ms: elapsed(),
    problem: "cannot start" as const,
  });
  return await new Promise<Ran>((resolve) => {
    try {
      // A process group of its own, so that nothing that it has started is left when it is killed.
      const child = spawn(program, args, { cwd, env, stdio: "pipe", windowsHide: true, detached: posix });
      const stdout = keep(child.stdout, limit);
      const stderr = keep(child.stderr, limit);
      const end = (code: number | null, problem?: Ran["problem"]) => {
        clearTimeout(timer);
        resolve({ code, stdout: stdout(), stderr: stderr(), ms: elapsed(), ...problem ? { problem } : {} });
      };
      const kill = () => {
        try {
          if (posix && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
          else child.kill("SIGKILL");
        } catch {
          // It has ended by itself.
        }
      };
      const timer = setTimeout(() => {
        kill();
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
        end(null, "took too long");
      }, timeout);
      child.on("error", () => {
        clearTimeout(timer);
        resolve(failed());
      });
      child.on("close", (code, signal) => end(code, code === null || signal ? "was killed" : undefined));
      child.stdin.on("error", () => {});
      child.stdin.end(stdin);
    } catch {
      resolve(failed());
    }
  });
}
