import type { Platform } from "../contract/hook.ts";
import { joinFolder, START } from "./cd.ts";
import { type Piece, PIECE_LIMIT, readingLimit, type Sink } from "./lexing.ts";
import { lexPowershell } from "./shell-powershell.ts";
import { lexSh } from "./shell-sh.ts";

const HARMLESS = /^(?:\/dev\/(?:null|zero|full|tty|stdout|stderr|fd\/\d+))$/;

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
  const pieces: Piece[] = [{ text: command, kind: "commands", folder: START }];
  let honest = true;
  const sink: Sink = {
    target({ text, isPattern }, folder) {
      if (HARMLESS.test(text) || (platform === "windows" && /^nul:?$/i.test(text))) return;
      const path = translate(text, shell, platform);
      if (!path) return;
      const from = translate(folder.path, shell, platform) ?? "";
      const joined = joinFolder(from, path, isAbsolute);
      add({ path: joined, isPattern });
      if (folder.doubtful && joined !== path) add({ path, isPattern, unlessFolder: from });
    },
    later: (piece) => pieces.push(piece),
    giveUp() {
      honest = false;
    },
  };
  const lex = shell === "powershell" ? lexPowershell : lexSh;
  let left = readingLimit(command.length);
  for (const piece of pieces) {
    left -= piece.text.length;
    if (left < 0 || pieces.length > PIECE_LIMIT) sink.giveUp();
    if (!honest) break;
    lex(piece, sink);
  }
  if (!honest) {
    for (const text of crudeTargets(command)) sink.target({ text, isPattern: /[*?[]/.test(text) }, START);
  }
  return [...found.values()];
}

/** The paths of `redirections`, each once. */
export function redirectTargets(
  command: string,
  shell: "sh" | "powershell",
  platform: Platform,
): string[] {
  return [...new Set(redirections(command, shell, platform).map(({ path }) => path))];
}
