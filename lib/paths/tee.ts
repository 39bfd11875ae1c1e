import type { Target } from "./lexing.ts";

/** A word of a command: its text, and whether that is all there is to it. */
interface Word {
  readonly text: string;
  readonly literal: boolean;
  /** An unquoted wildcard stands in it. */
  readonly isPattern: boolean;
}

/** Commands that run the command that follows them. */
const WRAPPERS = new Set([
  ...["sudo", "doas", "env", "command", "builtin", "exec", "nohup", "nice", "ionice", "setsid", "stdbuf"],
  ...["timeout", "time", "xargs", "busybox", "toybox", "unbuffer", "chronic", "noglob", "nocorrect"],
]);

/** The name of a program without its folder. */
export function programName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).replace(/\.exe$/i, "");
}

/** The index of the word that is the command itself, past assignments and commands that run another one. */
function findCommand(words: readonly Word[]): number {
  let wrapped = false;
  let afterOption = false;
  for (const [index, { text, literal }] of words.entries()) {
    const assignment = /^[a-zA-Z_]\w*\+?=/.test(text);
    const option = wrapped && text.startsWith("-");
    // What stands after an option may be its value.
    const value = wrapped && (afterOption || /^[\d.]+[a-z]?$/.test(text));
    if (assignment || option) {
      afterOption = option;
    } else if (literal ? WRAPPERS.has(programName(text)) : text === "") {
      // Such as `$SUDO`, which may be nothing.
      wrapped = true;
      afterOption = false;
    } else if (programName(text) === "tee" || !value) {
      return index;
    } else {
      afterOption = false;
    }
  }
  return -1;
}

/** The files that a simple command of words gives to `tee`; none where it is another command. */
export function teeTargets(words: readonly Word[]): Target[] {
  // Most commands: nothing more to look at.
  if (!words.some(({ text }) => text.endsWith("tee") || text.endsWith("tee.exe"))) return [];
  const index = findCommand(words);
  const command = words[index];
  if (!command?.literal || programName(command.text) !== "tee") return [];
  const targets: Target[] = [];
  let options = true;
  for (const word of words.slice(index + 1)) {
    const { text, literal } = word;
    if (options && text === "--") options = false;
    else if (literal && !(options && text.startsWith("-"))) targets.push(word);
  }
  return targets;
}
