import type { Platform } from "../contract/hook.ts";
import { joinFolder, type Reading, START } from "./cd.ts";
import { type Piece, PIECE_LIMIT, readingLimit, type Sink, type Target } from "./lexing.ts";
import { lexPowershell } from "./shell-powershell.ts";
import { lexSh } from "./shell-sh.ts";

const HARMLESS = /^\/dev\/(?:null|zero|full|tty|stdout|stderr|fd\/\d+|(?:tcp|udp)\/[^/]+\/[^/]+)$/;

/** How many files are told from how many folders, if the commands run in another order than they stand. */
const ROAMING_LIMIT = 1024;
const FOLDER_LIMIT = 64;

/** How many readings of files and folders an honest command line makes at most. */
const READINGS_LIMIT = 20_000;

/** Everything that follows a `>`, whatever stands around it. */
function* crudeTargets(command: string): Generator<string> {
  for (const found of command.matchAll(/>[>&|!]*[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'<>|&;()`]+))/g)) {
    const target = found[1] ?? found[2] ?? found[3] ?? "";
    if (!/^(?:\d+|-)$/.test(target)) yield target;
  }
}

/** What a path of Git's or Cygwin's shell is to Windows: `/c/x` and `/cygdrive/c/x` are `C:\x`. */
function fromGitShell(path: string): string {
  const drive = /^(?:\/proc)?(?:\/cygdrive)?\/([a-z])(\/[^]*)?$/i.exec(path);
  return drive ? `${drive[1]?.toUpperCase()}:${(drive[2] ?? "/").replaceAll("/", "\\")}` : path;
}

/** What a path of PowerShell is to the system; undefined where it is no file. */
function fromPowershell(path: string, platform: Platform): string | undefined {
  const plain = path.replace(/^(?:microsoft\.powershell\.core\\)?filesystem::/i, "");
  if (/^(?:env|variable|function|alias):/i.test(plain)) return undefined;
  // PowerShell takes `\` for `/` on every system.
  return platform === "windows" ? plain : plain.replaceAll("\\", "/");
}

/** What a path that a shell is given is to the system; undefined where it is no file. */
function translate(path: string, shell: "sh" | "powershell", platform: Platform): string | undefined {
  if (shell === "powershell") return fromPowershell(path, platform);
  return platform === "windows" ? fromGitShell(path) : path;
}

/** A file that a command line writes. */
export interface Redirection {
  /** As written but without quotes; relative to the folder that the line begins in, unless it is absolute. */
  readonly path: string;
  /** An unquoted wildcard stands in it, so that it can be any name. */
  readonly isPattern: boolean;
  /** This reading counts only where this folder does not exist: it is what happens if a `cd` before fails. */
  readonly unlessFolder?: string;
}

/**
 * The files that a command line names as targets of redirections, of `tee` and of the cmdlets of PowerShell that
 * write a file; each once, in the order found. A name with an expansion in it (`$x`, `$(…)`) is left out, for only
 * the shell knows it. Devices that keep nothing are left out. Where a plain `cd` goes before, a relative name is told
 * from the folder that it leads to; where that `cd` may fail, from the one before too. Never throws; where quotes or
 * brackets do not match, it tells rather too many than too few. Takes linear time.
 */
export function redirections(
  command: string,
  shell: "sh" | "powershell",
  platform: Platform,
): readonly Redirection[] {
  const found = new Map<string, Redirection>();
  const add = (redirection: Redirection) => {
    const { path, isPattern, unlessFolder } = redirection;
    const key = JSON.stringify([path, isPattern, unlessFolder]);
    if (!found.has(key)) found.set(key, redirection);
  };
  const isAbsolute = (path: string) => (platform === "windows" ? /^(?:[/\\~]|[a-z]:)/i : /^[/~]/).test(path);
  let pieces: Piece[] = [];
  let honest = true;
  let differs = false;
  let repeats = false;
  let told = 0;
  /** What may be written, and from where, if the commands run in another order than they stand. */
  const roaming: { readonly target: Target; readonly repeats: boolean }[] = [];
  const folders = new Map<string, { readonly reading: Reading; readonly repeats: boolean }>();
  const put = ({ text, isPattern }: Target, { path: folder, unless }: Reading) => {
    const path = translate(text, shell, platform);
    if (!path) return;
    const joined = joinFolder(translate(folder, shell, platform) ?? "", path, isAbsolute);
    const unlessFolder = unless === undefined ? undefined : translate(unless, shell, platform);
    add({
      path: joined,
      isPattern,
      ...(unlessFolder !== undefined && !isAbsolute(path) && { unlessFolder }),
    });
  };
  const sink: Sink = {
    target(target, { readings }, repeats) {
      told += readings.length;
      const { text } = target;
      if (HARMLESS.test(text) || (platform === "windows" && /^nul:?$/i.test(text))) return;
      for (const reading of readings) put(target, reading);
      if (roaming.length < ROAMING_LIMIT && !isAbsolute(text)) roaming.push({ target, repeats });
    },
    enter(reading, repeats) {
      told++;
      if (reading.path === "") return;
      const before = folders.get(reading.path);
      if (!before && folders.size >= FOLDER_LIMIT) return;
      const sure = before && before.reading.unless === undefined ? before.reading : reading;
      folders.set(reading.path, { reading: sure, repeats: repeats || before?.repeats === true });
    },
    isFull: () => told > READINGS_LIMIT,
    repeats() {
      repeats = true;
    },
    differs() {
      differs = true;
    },
    later: (piece) => pieces.push(piece),
    giveUp() {
      honest = false;
    },
  };
  const lex = shell === "powershell" ? lexPowershell : lexSh;
  const read = (dialect: Piece["dialect"]) => {
    pieces = [{ text: command, kind: "commands", folder: START, loops: 0, dialect }];
    let left = readingLimit(command.length);
    for (const piece of pieces) {
      left -= piece.text.length;
      if (left < 0 || pieces.length > PIECE_LIMIT) sink.giveUp();
      if (!honest) break;
      lex(piece, sink);
    }
  };
  read("bash");
  if (differs && honest) read("zsh");
  if (differs && honest) read("dash");
  if (!honest) {
    repeats = true;
    for (const text of crudeTargets(command)) {
      sink.target({ text, isPattern: /[*?[]/.test(text) }, START, true);
    }
  }
  for (const { reading, repeats: inLoop } of folders.values()) {
    for (const one of roaming) {
      // What leads up is written for the one folder that it stands in, unless that changes.
      const roams = repeats && (one.repeats || !one.target.text.includes(".."));
      if (roams || inLoop && one.repeats) put(one.target, reading);
    }
  }
  return [...found.values()];
}
