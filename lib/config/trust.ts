import type { Platform } from "../contract/hook.ts";
import { isInside } from "../paths/compare.ts";

/** What tells whose a configuration is. Paths are absolute and resolved. */
export interface Origin {
  /** The folder of the configuration and the file in it. */
  readonly folder: readonly string[];
  /** Folders that the agent can write. */
  readonly writable: readonly string[];
  /** It lies where the user's home, and no other variable, says. */
  readonly isDefault: boolean;
  readonly home: string | undefined;
  /** The home that the system has for the account; undefined where that cannot be told. */
  readonly account: () => string | undefined;
  readonly platform: Platform;
}

/**
 * Whether a configuration is the user's own, and so may loosen. Environment variables say where it lies, and a
 * repository can have an agent set them. So where the agent can write it, it must be the one in the home that the
 * system itself, not the environment, gives the account.
 */
export function isUsersOwn({ folder, writable, isDefault, home, account, platform }: Origin): boolean {
  if (!folder.some((path) => writable.some((place) => isInside(path, place, platform)))) return true;
  return isDefault && home !== undefined && account() === home;
}
