import type { Platform } from "../contract/hook.ts";

/** Programs that run a source of ours, and are not ours. */
const RUNTIMES = /^(?:deno|bun|node)(?:\.exe)?$/i;

/** Whether a program is a runtime that only happens to run us. */
export function isRuntime(program: string): boolean {
  return RUNTIMES.test(program.replace(/^.*[\\/]/, ""));
}

/** A part of a path that an upgrade gives another name. */
const VERSIONED = /(?:^|[^0-9a-z])v?\d+\.\d+(?:\.\d+|$)|@\d/i;

/** Folders that are emptied by whoever owns them. */
const FLEETING: readonly RegExp[] = [
  /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders|dev\/shm)\//,
  /\/(?:_npx|_cacache|\.npm|\.bunx[^/]*|pnpm\/dlx[^/]*|\.cache)\//i,
  /\/AppData\/Local\/(?:Temp|npm-cache|pnpm-cache)\//i,
];

/**
 * Why a program may soon not be where it is; undefined where nothing says so. A guard's wiring refuses every write
 * while its program is missing.
 *
 * @param temporary The folders that the system has for temporary files.
 */
export function doubtProgram(
  program: string,
  temporary: readonly string[],
  platform: Platform,
): string | undefined {
  const plain = (path: string) => platform === "windows" ? path.replaceAll("\\", "/").toLowerCase() : path;
  const path = plain(program);
  const inside = (folder: string) => path.startsWith(`${plain(folder).replace(/\/+$/, "")}/`);
  if (temporary.some(inside) || FLEETING.some((pattern) => pattern.test(path))) {
    return `${program} lies in a temporary folder or a cache, and will be gone`;
  }
  const versioned = path.split("/").find((name) => VERSIONED.test(name));
  return versioned === undefined
    ? undefined
    : `${program} has a version in its path ("${versioned}"), so the next one breaks it`;
}

/** What our hooks in settings are told by: the name that the program of a wiring has. */
export function hasOwnName(program: string): boolean {
  return /(?:^|[\\/])nonzero[^\\/]*$/.test(program);
}

/** What came of a program that was run. */
export interface Answer {
  /** Null where it did not end by itself, and then why. */
  readonly code: number | null;
  readonly problem?: string;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Why a program is not this one, by what it answered; undefined where it is.
 *
 * @param version What it said when asked for its version.
 * @param refusal What it said to an event that the guard must refuse.
 */
export function doubtAnswers(version: Answer, refusal: Answer): string | undefined {
  const ended = ({ code, problem }: Answer) => problem ?? `exit code ${code}`;
  if (version.code !== 0 || !/^nonzero \d+\.\d+\.\d+/.test(version.stdout)) {
    return `asked for its version it does not answer as nonzero does (${ended(version)})`;
  }
  if (refusal.code !== 2 || !/^DENY {2}\S/m.test(refusal.stderr)) {
    return `it does not refuse a write that must be refused (${ended(refusal)})`;
  }
  return undefined;
}
