import type { Accepted } from "../contract/hook.ts";
import type { ConfigFile } from "./schema.ts";

/** What both configuration files come to for one project. Paths and globs are as they were written. */
export interface Settings {
  readonly records: readonly string[];
  readonly evidence: readonly string[];
  /** The most that may be spent; undefined: no limit. */
  readonly limit: number | undefined;
  readonly writable: readonly string[];
  readonly accept: readonly Accepted[];
  readonly editable: readonly string[];
  /** The user's file has an entry for this very root. */
  readonly named: boolean;
}

type Project = NonNullable<ConfigFile["projects"]>[string];

function lowest(...limits: readonly (number | undefined)[]): number | undefined {
  const known = limits.filter((limit) => limit !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

/**
 * Joins the project's file, the user's file and, within that, the user's entry for this project. All three may
 * tighten; the entry alone may loosen, and not where `trusted` is false: then the user's file lies where the agent
 * can write, so that it is no more the user's than the project's own.
 */
export function settle(
  project: ConfigFile | undefined,
  user: ConfigFile | undefined,
  entry: Project | undefined,
  trusted: boolean,
): Settings {
  const shared = lowest(project?.budget?.limit, user?.budget?.limit);
  const own = entry?.budget?.limit;
  const loose = trusted ? entry : undefined;
  return {
    records: [project, user, entry].flatMap((file) => file?.records ?? []),
    evidence: [project, user, entry].flatMap((file) => file?.evidence ?? []),
    limit: trusted ? own ?? shared : lowest(own, shared),
    writable: loose?.writable ?? [],
    accept: loose?.accept ?? [],
    editable: loose?.editable ?? [],
    named: loose !== undefined,
  };
}
