import type { Target } from "./lexing.ts";

/** A word of a command: its text, and whether that is all there is to it. */
interface Word {
  readonly text: string;
  /** No expansion in it; each stands in the text as a NUL. */
  readonly literal: boolean;
  /** An unquoted wildcard stands in it. */
  readonly isPattern: boolean;
}

/** Commands that run the command that follows them. */
const WRAPPERS = new Set([
  ...["sudo", "doas", "env", "command", "builtin", "exec", "nohup", "nice", "ionice", "setsid", "stdbuf"],
  ...["timeout", "time", "xargs", "busybox", "toybox", "unbuffer", "chronic", "noglob", "nocorrect"],
  ...["setpriv", "flock", "unshare", "pkexec", "chroot", "nsenter", "runuser", "taskset", "chrt", "fakeroot"],
]);

/** Of these, those with an argument before the command. */
const TAKING = new Set(["flock", "chroot", "taskset"]);

const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "rbash", "su", "runuser"]);

/** The name of a program without its folder. */
export function programName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).replace(/\.exe$/i, "");
}

/** The index of the word that is the command itself, past assignments and commands that run another one. */
function findCommand(words: readonly Word[]): number {
  let wrapped = false;
  let afterOption = false;
  let taken = 0;
  for (const [index, { text, literal }] of words.entries()) {
    const name = programName(text);
    const assignment = /^[a-zA-Z_]\w*\+?=/.test(text);
    const option = wrapped && text.startsWith("-");
    // What stands after an option may be its value.
    const value = wrapped && (afterOption || /^[\d.]+[a-z]?$/.test(text));
    if (assignment || option) {
      afterOption = option;
    } else if (literal ? WRAPPERS.has(name) : /^\0*$/.test(text)) {
      // Such as `$SUDO`, which may be nothing.
      wrapped = true;
      afterOption = false;
      if (TAKING.has(name)) taken++;
    } else if (name === "tee" || SHELLS.has(name)) {
      return index;
    } else if (value) {
      afterOption = false;
    } else if (taken > 0) {
      taken--;
    } else {
      return index;
    }
  }
  return -1;
}

/** A simple command and those that `find` is to run. */
function runCommands(words: readonly Word[]): (readonly Word[])[] {
  const runs = [words];
  if (!words.some(({ text }) => /^-(?:exec|ok)/.test(text))) return runs;
  if (programName(words[findCommand(words)]?.text ?? "") !== "find") return runs;
  for (let index = 0; index < words.length; index++) {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(words[index]?.text ?? "")) continue;
    const end = words.findIndex(({ text }, at) => at > index && (text === ";" || text === "+"));
    runs.push(words.slice(index + 1, end < 0 ? undefined : end));
    index = end < 0 ? words.length : end;
  }
  return runs;
}

/** The files that a simple command of words gives to `tee`; none where it is another command. */
export function teeTargets(words: readonly Word[]): Target[] {
  // Most commands: nothing more to look at.
  if (!words.some(({ text }) => text.endsWith("tee") || text.endsWith("tee.exe"))) return [];
  return runCommands(words).flatMap(targetsOf);
}

function targetsOf(words: readonly Word[]): Target[] {
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

/** What a simple command of words has a shell run: scripts, with a NUL for each expansion, and what it reads. */
export interface Scripts {
  readonly texts: readonly string[];
  /** Its standard input is a script. */
  readonly input: boolean;
}

const NONE: Scripts = { texts: [], input: false };
const SCRIPTED = /(?:^|[/\\])(?:eval|trap|source|\.|flock|(?:ba|z|da|k|mk|a|rba)?sh|su|runuser)(?:\.exe)?$/;

/** What a simple command of words has a shell run. */
export function shellScripts(words: readonly Word[]): Scripts {
  if (!words.some(({ text }) => SCRIPTED.test(text))) return NONE;
  const all = runCommands(words).map(scriptsOf);
  return { texts: all.flatMap(({ texts }) => texts), input: all.some(({ input }) => input) };
}

function scriptsOf(words: readonly Word[]): Scripts {
  const index = findCommand(words);
  const command = words[index];
  const more = words.slice(index + 1);
  const name = command?.literal ? programName(command.text) : "";
  if (name === "eval") return { texts: [more.map(({ text }) => text).join(" ")], input: false };
  if (name === "trap") return { texts: more.slice(0, 2).map(({ text }) => text), input: false };
  if (name === "source" || name === ".") {
    return { texts: [], input: /^\/(?:dev\/stdin|dev\/fd\/0|proc\/self\/fd\/0)$/.test(more[0]?.text ?? "") };
  }
  const isShell = SHELLS.has(name);
  if (!isShell && !words.some(({ text }) => text === "flock")) return NONE;
  const from = isShell ? index : 0;
  let file = false;
  for (let at = from + 1; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    if (/^-[a-zA-Z]*c$/.test(text) || text === "--command") {
      // Other options may stand between.
      const script = words.slice(at + 1).find((word) => !/^[-+][a-zA-Z-]*$/.test(word.text));
      return { texts: script ? [script.text] : [], input: false };
    }
    if (text.startsWith("--command=")) return { texts: [text.slice(10)], input: false };
    if (/^[-+]/.test(text)) {
      if (/^-[a-zA-Z]*s$/.test(text)) return { texts: [], input: isShell };
      // Its value.
      if (/^[-+][a-zA-Z]*[oO]$/.test(text) || /^--(?:rcfile|init-file)$/.test(text)) at++;
    } else if (isShell && !/^\/(?:dev\/stdin|dev\/fd\/0)$/.test(text)) {
      file = true;
    }
  }
  return { texts: [], input: isShell && !file };
}
