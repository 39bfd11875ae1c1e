/** Variables by which something else than a hook's own program may run in its place. */
import type { Finding } from "./finding.ts";

const NAMES: readonly string[] = [
  "BUN_BE_BUN",
  "BUN_OPTIONS",
  "LD_AUDIT",
  "LD_PRELOAD",
  "LD_TRACE_LOADED_OBJECTS",
  "DYLD_INSERT_LIBRARIES",
];

/** Whether a variable may have something else run in the place of a program. */
export function isHazard(name: string): boolean {
  return NAMES.includes(name);
}

/** The variables of an environment, or of a settings file's `env`, that a hook must not be given. */
export function checkEnvironment(env: Readonly<Record<string, string>>, file: string | null): Finding[] {
  return Object.keys(env).filter((name) => isHazard(name) && env[name] !== "").map((name) => ({
    level: "warning",
    id: "environment",
    message: file === null
      ? `The variable ${name} is set: it can have something else run in the place of a hook.`
      : `The file sets ${name} for hooks: it can have something else run in their place.`,
    fix: file === null ? `Start the client without it: unset ${name}.` : `Take ${name} out of "env".`,
    file,
  }));
}
