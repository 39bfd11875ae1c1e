import { type Hook, UsageError } from "../contract/entry.ts";
import { probeFor, type Stage } from "../doctor/probes.ts";
import { argumentsOf, wiredHooks } from "../harness/claude-wiring.ts";
import { InstallError } from "../install/error.ts";
import { doubtAnswers, hasOwnName, isRuntime } from "../install/program.ts";
import { runChild } from "../io/child.ts";
import { environment, programState } from "../io/programs.ts";
import { executable, platform as currentPlatform } from "../io/system.ts";
import { parsePath } from "../paths/parse.ts";
import { ancestors, below } from "../run/roots.ts";

/** How long a program may take for an answer, in milliseconds. */
const TIMEOUT = 10_000;

/** The most that is kept of what it prints, in bytes. */
const OUTPUT_LIMIT = 64 * 1024;

/** Why a program does not answer as this one does; undefined where it does. */
async function probe(program: string, hooks: readonly Hook[], root: string): Promise<string | undefined> {
  const guard = wiredHooks(hooks).find(({ kind }) => kind === "guard");
  if (!guard) return undefined;
  const platform = currentPlatform();
  // Nothing that the event names has to be there: it is refused all the same.
  const stage: Stage = { folder: root, path: (...names) => below(root, platform, ...names) };
  const [, cwd = root] = ancestors(program, platform);
  const options = { cwd, env: { ...environment(), PWD: cwd }, timeout: TIMEOUT, limit: OUTPUT_LIMIT };
  const version = await runChild(program, ["-z", "--version"], { ...options, stdin: "" });
  const { mustRefuse = "" } = probeFor(guard, "PreToolUse", stage);
  return doubtAnswers(
    version,
    await runChild(program, argumentsOf(guard), { ...options, stdin: mustRefuse }),
  );
}

/**
 * The program that hooks are to start. It is started itself, to see that it is this one: hooks that cannot judge
 * refuse every write. Throws UsageError and InstallError.
 *
 * @param named Its path; by default that of the program that runs.
 * @param root The project's folder, which the event that it is asked about names.
 */
export async function findProgram(
  named: string | undefined,
  hooks: readonly Hook[],
  root: string,
): Promise<string> {
  const program = named ?? executable();
  if (parsePath(program, currentPlatform()).kind !== "absolute") {
    throw new UsageError("--program takes an absolute path");
  }
  if (isRuntime(program)) {
    throw new InstallError(
      `${program} is no executable of nonzero: name one by --program, or use --no-hooks`,
    );
  }
  const state = programState(program);
  if (state !== "fine") throw new InstallError(`${program} is ${state}`);
  const doubt = hasOwnName(program)
    ? await probe(program, hooks, root)
    : "hooks of nonzero are told by a name that begins with nonzero";
  if (doubt !== undefined) throw new InstallError(`${program} is no program that can be wired: ${doubt}`);
  return program;
}
