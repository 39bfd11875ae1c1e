import type { Platform } from "../contract/hook.ts";

/** The files that a command line names as the targets of redirections and of `tee`. Never throws. */
export function redirectTargets(
  _command: string,
  _shell: "sh" | "powershell",
  _platform: Platform,
): string[] {
  return [];
}
