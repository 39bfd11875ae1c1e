import type { Accepted } from "../contract/hook.ts";
import type { ConfigFile, ProjectEntry } from "./schema.ts";

/** A glob and the folder that it is relative to. */
export interface BoundGlob {
  /** Absolute and resolved. */
  readonly base: string;
  /** As it was written. */
  readonly glob: string;
}

/** What all configuration files come to for one project. Paths and globs are as they were written. */
export interface Settings {
  readonly records: readonly BoundGlob[];
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
  /** The root of the worktree, which the user's globs are relative to. */
  readonly root: string;
  /** The `.nonzero.json` of the worktree and of those that hold it, by their roots. */
  readonly projects?: readonly { readonly base: string; readonly file: ConfigFile }[] | undefined;
  readonly user?: ConfigFile | undefined;
  /** What the user's file says of this project. */
  readonly entry?: ProjectEntry | undefined;
  /** The user's file is no more the user's than the project's own. */
  readonly untrusted?: boolean;
}

/** Joins the projects' files, the user's file and, within that, the entry for this project. The entry alone loosens. */
export function settle({ root, projects = [], user, entry, untrusted = false }: Sources): Settings {
  const files = [...projects, ...[user, entry].flatMap((file) => file ? [{ base: root, file }] : [])];
  const shared = lowest(...projects.map(({ file }) => file.budget?.limit), user?.budget?.limit);
  const own = entry?.budget?.limit;
  const loose = untrusted ? undefined : entry;
  const limit = untrusted ? lowest(own, shared) : own ?? shared;
  return {
    records: files.flatMap(({ base, file }) => (file.records ?? []).map((glob) => ({ base, glob }))),
    evidence: files.flatMap(({ file }) => file.evidence ?? []),
    limit,
    loosensLimit: limit !== undefined && shared !== undefined && limit > shared,
    writable: loose?.writable ?? [],
    accept: loose?.accept ?? [],
    editable: loose?.editable ?? [],
    named: loose !== undefined,
  };
}
