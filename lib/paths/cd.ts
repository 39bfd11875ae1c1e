/** A word of a command: its text, and whether that is all there is to it. */
interface Word {
  readonly text: string;
  readonly literal: boolean;
}

/** The folder that a command runs in, as far as its line tells. */
export interface Folder {
  /** Absolute, or relative to the folder that the line begins in; that itself is empty. */
  readonly path: string;
  /** A `cd` on the way may have failed, so that the command may run where the line begins. */
  readonly doubtful: boolean;
  /** A `cd` led somewhere that the line does not tell. */
  readonly lost: boolean;
}

/** Where a line begins. */
export const START: Folder = { path: "", doubtful: false, lost: false };

const LOST: Folder = { ...START, lost: true };

/** How long the path of a folder may become. */
const LENGTH_LIMIT = 4096;

const CHANGES = new Set([
  "cd",
  "chdir",
  "set-location",
  "sl",
  "pushd",
  "popd",
  "push-location",
  "pop-location",
]);

/** A path as it reads from a folder; an absolute one stays as it is. */
export function joinFolder(folder: string, path: string, isAbsolute: (path: string) => boolean): string {
  if (folder === "" || isAbsolute(path)) return path;
  return /[/\\]$/.test(folder) ? folder + path : `${folder}/${path}`;
}

/**
 * Where the next command runs after a command of words. `certain`: it runs only where this one succeeded (`&&`); else
 * a `cd` may have failed.
 */
export function enterFolder(folder: Folder, words: readonly Word[], certain: boolean): Folder {
  const [command, ...more] = words;
  const name = command?.literal ? command.text.toLowerCase() : "";
  if (!CHANGES.has(name)) return folder;
  const [to = name === "cd" ? { text: "~", literal: true } : undefined, ...others] = more.filter(({ text }) =>
    !/^-(?:[LPe@]+|-|path|literalpath)$/i.test(text)
  );
  if (!to?.literal || others.length > 0 || name.startsWith("pop") || /^[-+]/.test(to.text)) return LOST;
  const leadsAway = isAbsolute(to.text);
  const path = joinFolder(folder.path, to.text, isAbsolute);
  if (folder.lost && !leadsAway || path.length > LENGTH_LIMIT) return LOST;
  return { path, doubtful: !certain || folder.doubtful && !leadsAway, lost: false };
}

/** Of any system, since to take a relative folder for an absolute one changes no more than to be lost. */
function isAbsolute(path: string): boolean {
  return /^(?:[/\\~]|[a-z]:)/i.test(path);
}
