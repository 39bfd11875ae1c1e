/** Other programs, as test-targets needs them. */
import { root as checkout } from "./root.ts";

/** Whether something is at a path. */
export function exists(path: string): boolean {
  try {
    return Deno.statSync(path) !== undefined;
  } catch {
    return false;
  }
}

/** What a program gets beside its arguments. */
export interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The folder that it is started in; otherwise the checkout. */
  readonly cwd?: string;
}

/**
 * Runs a program, and gives what it prints.
 *
 * @throws {Error} Where it fails.
 */
export async function output(
  words: readonly string[],
  { env = {}, input = "", cwd = checkout }: Given = {},
): Promise<string> {
  const [program = "", ...args] = words;
  const child = new Deno.Command(program, {
    args: [...args],
    env: { ...env },
    cwd,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const feed = writer.write(new TextEncoder().encode(input)).then(() => writer.close()).catch(() => {});
  const [{ success, code, stdout, stderr }] = await Promise.all([child.output(), feed]);
  if (success) return new TextDecoder().decode(stdout);
  const said = new TextDecoder().decode(stderr).trim();
  throw new Error(`${words.join(" ").slice(0, 200)} failed with exit code ${code}: ${said}`);
}

/**
 * The first line that a program prints.
 *
 * @throws {Error} Where it fails.
 */
export async function firstLine(words: readonly string[], given?: Given): Promise<string> {
  return (await output(words, given)).split("\n")[0]?.trim() ?? "";
}
