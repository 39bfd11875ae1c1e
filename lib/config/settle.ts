import type { Accepted } from "../contract/hook.ts";
import type { ConfigFile, ProjectEntry } from "./schema.ts";

/** What both configuration files come to for one project. Paths and globs are as they were written. */
export interface Settings {
  readonly records: readonly string[];
  readonly evidence: readonly string[];
  /** The most that may be spent; undefined: no limit. */
  readonly limit: number | undefined;
  /** The user's entry sets a limit above the one that would hold without it. */
  readonly loosensLimit: boolean;
  readonly writable: readonly string[];
  readonly accept: readonly Accepted[];
  readonly editable: readonly string[];
  /** The user's file has an entry for this very root. */
  readonly named: boolean;
}

function lowest(...limits: readonly (number | undefined)[]): number | undefined {
  const known = limits.filter((limit) => limit !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

/** The files that were found. */
export interface Sources {
  readonly project?: ConfigFile | undefined;
  readonly user?: ConfigFile | undefined;
  /** What the user's file says of this project. */
  readonly entry?: ProjectEntry | undefined;
  /** The user's file is no more the user's than the project's own. */
  readonly untrusted?: boolean;
}

/** Joins the project's file, the user's file and, within that, the entry for this project. The entry alone loosens. */
export function settle({ project, user, entry, untrusted = false }: Sources): Settings {
  const shared = lowest(project?.budget?.limit, user?.budget?.limit);
  const own = entry?.budget?.limit;
  const loose = untrusted ? undefined : entry;
  const limit = untrusted ? lowest(own, shared) : own ?? shared;
  return {
    records: [project, user, entry].flatMap((file) => file?.records ?? []),
    evidence: [project, user, entry].flatMap((file) => file?.evidence ?? []),
    limit,
    loosensLimit: limit !== undefined && shared !== undefined && limit > shared,
    writable: loose?.writable ?? [],
    accept: loose?.accept ?? [],
    editable: loose?.editable ?? [],
    named: loose !== undefined,
  };
}
