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
