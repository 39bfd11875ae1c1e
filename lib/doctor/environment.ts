/** Variables by which something else than a hook's own program may run in its place, or no hook at all. */
import type { Finding } from "./finding.ts";

/** The loader's, those of the runtimes that a program is made with, and those of the C library that have it load code. */
const HAZARDS =
  /^(?:LD_.*|DYLD_.*|GCONV_PATH|GLIBC_TUNABLES|BUN_(?!INSTALL).*|JSC_.*|MIMALLOC_.*|SIMDUTF_.*|DENO_V8_FLAGS|DENO_PERMISSION_BROKER_PATH)$/i;

/** The folders that libraries are looked for in, as many a user has them set. */
const LIBRARY_FOLDERS = /^(?:LD_LIBRARY_PATH|DYLD_(?:FALLBACK_)?(?:LIBRARY|FRAMEWORK)_PATH)$/;

/** Those by which the client runs no hook, unless a project's settings set them: measured with 2.1.332. */
const SWITCHES = /^CLAUDE_CODE_(?:SAFE_MODE|SIMPLE)$/;
const ON = /^(?:1|true|yes|on)$/i;

/** Whether a variable may have something else run in the place of a program. */
export function isHazard(name: string): boolean {
  return HAZARDS.test(name);
}

/** Whose variables they are: doctor's own, the user's settings, or settings that come with a repository. */
export type Source = "own" | "user" | "project";

/** What tells a folder where no repository can put a library. */
export type IsSafeFolder = (folder: string) => boolean;

function isHarmless(name: string, value: string, source: Source, isSafeFolder: IsSafeFolder): boolean {
  return value === "" ||
    (source !== "project" && LIBRARY_FOLDERS.test(name) && value.split(":").every(isSafeFolder));
}

/**
 * The variables of an environment, or of a settings file's `env`, that a hook or the client must not be given. No value
 * is told.
 */
export function checkEnvironment(
  env: Readonly<Record<string, string>>,
  file: string | null,
  source: Source,
  isSafeFolder: IsSafeFolder,
): Finding[] {
  const remove = (name: string) =>
    file === null ? `Start the client without it: unset ${name}.` : `Take ${name} out of "env".`;
  return Object.entries(env).flatMap(([name, value]): Finding[] => {
    if (isHazard(name) && !isHarmless(name, value, source, isSafeFolder)) {
      const message = file === null
        ? `The variable ${name} is set: it can have something else run in the place of a hook.`
        : `The file sets ${name} for hooks: it can have something else run in their place.`;
      return [{ level: "warning", id: "environment", message, fix: remove(name), file }];
    }
    if (source !== "project" && SWITCHES.test(name) && ON.test(value.trim())) {
      const message = `${file === null ? `The variable ${name} is set` : `The file sets ${name}`}: ` +
        "the client then runs no hook at all.";
      return [{ level: "error", id: "hooks-switched-off", message, fix: remove(name), file }];
    }
    if (source === "project" && /^path$/i.test(name)) {
      const message =
        "The project sets PATH for hooks: a command that is no absolute path can be a program of the project.";
      return [{ level: "warning", id: "environment", message, fix: remove(name), file }];
    }
    return [];
  });
}
