/** What the user's configuration loosens. */
import type { ConfigFile, ProjectEntry } from "../config/schema.ts";
import type { Finding } from "./finding.ts";

function loosenedBy(entry: ProjectEntry, shared: number | undefined): string[] {
  const { writable = [], accept = [], editable = [], budget } = entry;
  const raises = budget !== undefined && shared !== undefined && budget.limit > shared;
  return [
    ...writable.map((path) => `stay-inside-worktree: ${path} may be written`),
    ...accept.map(({ pattern, path, reason }) =>
      `no-secrets-written: ${pattern} is accepted in ${path} (${reason})`
    ),
    ...editable.map((glob) => `guard-untouched: ${glob} may be edited`),
    ...raises ? [`within-budget: the limit is ${budget.limit}, for all others ${shared}`] : [],
  ];
}

/** What the user's configuration loosens, for each project. */
export function checkLoosened(file: ConfigFile, path: string): Finding[] {
  return Object.entries(file.projects ?? {}).flatMap(([project, entry]) =>
    loosenedBy(entry, file.budget?.limit).map((what) => ({
      level: "warning" as const,
      id: "loosened",
      message: `For ${project} it loosens ${what}.`,
      fix: "Take it out where it is no longer needed.",
      file: path,
    }))
  );
}
