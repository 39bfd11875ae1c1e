/** What the user's own record of installs says; it lies where no repository comes with it. */
import type { Look } from "./command.ts";

/** Tells, for the projects' folders, whether an install has wired a program in a settings file. */
export function readRecord(
  _projects: readonly string[],
  _look: Look,
): (file: string, program: string) => boolean {
  return () => false;
}
