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

/**
 * The files that a command line names as targets of redirections, of `tee` and of the cmdlets of PowerShell that
 * write a file; each once, in the order found, as written but without quotes. A name with an expansion in it (`$x`,
 * `$(…)`, `{a,b}`) is left out, for only the shell knows it; one with a wildcard is told as it stands, since that is
 * the file where nothing matches. Devices that keep nothing are left out. Where a plain `cd` goes before, a relative name is told
 * from the folder that the line begins in; where that `cd` may fail, both ways. Never throws; where quotes or brackets do
 * not match, it tells rather too many than too few. Takes linear time.
 */
export function redirectTargets(
  command: string,
  shell: "sh" | "powershell",
  platform: Platform,
): string[] {
  const targets = new Set<string>();
  const pieces: Piece[] = [{ text: command, kind: "commands", folder: START }];
  let honest = true;
  const sink: Sink = {
    target(written, folder) {
      if (HARMLESS.test(written) || (platform === "windows" && /^nul:?$/i.test(written))) return;
      const path = translate(written, shell, platform);
      if (!path) return;
      const isAbsolute = (path: string) =>
        (platform === "windows" ? /^(?:[/\\~]|[a-z]:)/i : /^[/~]/).test(path);
      if (folder.doubtful) targets.add(path);
      targets.add(joinFolder(translate(folder.path, shell, platform) ?? "", path, isAbsolute));
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
  if (!honest) { for (const target of crudeTargets(command)) sink.target(target, START); }
  return [...targets];
}
