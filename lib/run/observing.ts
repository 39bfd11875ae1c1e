import type { Observer } from "../contract/observer.ts";
import { context, readLoad, readSessionStart } from "../harness/claude-events.ts";
import { appendLine } from "../io/append.ts";
import { now } from "../io/clock.ts";
import { FileError, readText } from "../io/files.ts";
import { writeWhole } from "../io/output.ts";
import { commandLine, exitWith, platform as currentPlatform, variable } from "../io/system.ts";
import { resolveFolder } from "../paths/resolve.ts";
import { readEvent } from "./event.ts";
import { describeHook, parseOptions } from "./options.ts";
import { below, disk, findHome, findRoot } from "./roots.ts";

/** The files of a project that an agent has in its memory from the start. */
const MEMORY: readonly (readonly string[])[] = [
  ["CLAUDE.md"],
  ["CLAUDE.local.md"],
  [".claude", "CLAUDE.md"],
  [".claude", "rules", "nonzero.md"],
];

/** It has this one only while there is neither of the first two (measured with 2.1.332). */
const MEMORY_OF_OTHERS: readonly string[] = ["AGENTS.md"];

/** The most of a memory file that is read, in bytes. */
const MEMORY_LIMIT = 4 * 1024 * 1024;

/** The memory files in the folder of the event and at its worktree's root, those that can be read. */
function readMemory(cwd: string | undefined): string[] {
  if (cwd === undefined) return [];
  const platform = currentPlatform();
  const { root } = findRoot({ cwd, root: "worktree" }, platform);
  const folders = new Set([cwd, ..."path" in root ? [root.path] : []]);
  return [...folders].flatMap((folder) => {
    const read = (names: readonly string[]) => {
      try {
        return [readText(below(folder, platform, ...names), MEMORY_LIMIT)];
      } catch (error) {
        if (error instanceof FileError) return [];
        throw error;
      }
    };
    const has = ([name = ""]: readonly string[]) => {
      const found = resolveFolder(folder, { platform, disk });
      return "path" in found && disk.kind(below(found.path, platform, name)) !== "missing";
    };
    const own = MEMORY.flatMap(read);
    return MEMORY.slice(0, 2).some(has) ? own : [...own, ...read(MEMORY_OF_OTHERS)];
  });
}

/** The folder that the agent keeps its own things in. Throws FileError where nothing says where that is. */
function agentsFolder(): string {
  const named = variable("CLAUDE_CONFIG_DIR");
  if (named !== undefined) return named;
  const platform = currentPlatform();
  // A home that is not there is told, and not taken for another one.
  const home = variable(platform === "windows" ? "USERPROFILE" : "HOME") ?? findHome(platform);
  if (home === undefined) throw new FileError("has no place: there is no home folder");
  return below(home, platform, ".claude");
}

/** Does what the observer is for; gives what is printed. Throws FileError where its log cannot be written. */
function observe(observer: Observer): string {
  const event = readEvent();
  if ("says" in observer) {
    const text = observer.says(readMemory(readSessionStart(event).cwd));
    return text === undefined ? "" : context(text);
  }
  try {
    const path = below(agentsFolder(), currentPlatform(), observer.file);
    appendLine(path, JSON.stringify(observer.line(readLoad(event), now())));
  } catch (error) {
    throw error instanceof FileError ? new FileError(`${observer.file} ${error.message}`) : error;
  }
  return "";
}

const NOTES = "It exits 0 whatever happens. Trouble is told on standard error.\n";

function answer(observer: Observer, args: readonly string[]): string {
  const { help, version } = parseOptions(args);
  return help || version ? describeHook(observer, help, NOTES) : observe(observer);
}

/** Runs an observer as a program: one event on standard input. Never rejects, and exits 0. */
export async function runObserver(
  observer: Observer,
  args: readonly string[] = commandLine(),
): Promise<void> {
  exitWith(0);
  try {
    writeWhole(1, answer(observer, args));
  } catch (error) {
    try {
      const { printable } = await import("./answer.ts");
      const reason = error instanceof Error ? error.message : "unknown error";
      writeWhole(2, `${observer.name}: ${printable(reason)}\n`);
    } catch {
      // Nobody can be told.
    }
  }
}
