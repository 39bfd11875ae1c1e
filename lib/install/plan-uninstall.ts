import { type Bytes, withPlainEnds } from "./bytes.ts";
import { InstallError } from "./error.ts";
import { besideRule, type Conflict, type Files, MEMORY_FILES, rulePath } from "./files.ts";
import {
  type Change,
  type Digest,
  type InstallRecord,
  type Kind,
  type RecordedFile,
  sectionDigest,
  withoutUs,
} from "./record.ts";
import { ownHooks, readSettings } from "./settings.ts";
import { ruleFiles } from "./template.ts";

/** What is known of what was installed. */
export interface UninstallOptions {
  readonly record: InstallRecord | undefined;
  /** The settings that may hold our hooks. */
  readonly settings: readonly string[];
  /** Whether memory files and rules are taken out, too. */
  readonly project: boolean;
  readonly digest: Digest;
}

/** What an uninstall will do. */
export interface UninstallPlan {
  readonly changes: readonly Change[];
  /** What stays, and why. */
  readonly kept: readonly Conflict[];
}

/** Every file of rules, by the path that it may have. */
const RULES: ReadonlyMap<string, string> = new Map(
  ruleFiles({ tui: ["any"] }).flatMap(({ name, content }) =>
    [rulePath(name), besideRule(name)].map((path) => [path, content] as const)
  ),
);

/** Whether there is something of ours in a file. Throws InstallError where it cannot be told. */
function holdsOurs(bytes: string, path: string, kind: Kind, digest: Digest): boolean {
  switch (kind) {
    case "memory":
      return sectionDigest(bytes, digest) !== undefined;
    case "rule":
      return withPlainEnds(bytes) === RULES.get(path);
    case "settings":
      // What cannot be read, and does not so much as name us, is no matter.
      return bytes.includes("nonzero") && Object.keys(ownHooks(readSettings(bytes))).length > 0;
  }
}

/** What becomes of one file; undefined where nothing of it is ours, a text where it is kept and why. */
function planFile(
  { path, kind, entry }: { path: string; kind: Kind; entry: RecordedFile | undefined },
  before: string,
  digest: Digest,
): Change | string | undefined {
  const untouched = entry !== undefined && digest(before) === entry.after;
  if (!untouched && !holdsOurs(before, path, kind, digest)) {
    return kind === "rule" && entry ? "it was edited since" : undefined;
  }
  if (!untouched && kind === "memory" && entry?.section !== undefined) {
    if (sectionDigest(before, digest) !== entry.section) return "what stands between the markers was edited";
  }
  const after = !untouched && kind === "rule" ? undefined : withoutUs(before, kind, entry, digest);
  return { path, kind, before, after };
}

/**
 * Says what an uninstall will change, and changes nothing: all that is recorded, and whatever else of ours is found by
 * its marks.
 */
export function planUninstall(options: UninstallOptions, files: Files): UninstallPlan {
  const { record, settings, project, digest } = options;
  const recorded = record?.files.map((entry) => ({ path: entry.path, kind: entry.kind, entry })) ?? [];
  const found = [
    ...project ? MEMORY_FILES.map((path) => ({ path, kind: "memory" as const, entry: undefined })) : [],
    ...project ? [...RULES.keys()].map((path) => ({ path, kind: "rule" as const, entry: undefined })) : [],
    ...settings.map((path) => ({ path, kind: "settings" as const, entry: undefined })),
  ];
  const changes: Change[] = [];
  const kept: Conflict[] = [];
  const keep = (path: string, error: unknown) => {
    if (!(error instanceof InstallError)) throw error;
    kept.push({ path, reason: error.message });
  };
  const seen = new Set<string>();
  for (const place of [...recorded, ...found]) {
    const { path, entry } = place;
    let before: Bytes | undefined;
    try {
      // A file of two names is one file.
      const name = files.name(path);
      if (seen.has(name)) continue;
      seen.add(name);
      before = files.read(path);
    } catch (error) {
      // What cannot be read, and was not written by us, is no matter.
      if (entry) keep(path, error);
      continue;
    }
    if (before === undefined) continue;
    try {
      const plan = planFile(place, before, digest);
      if (typeof plan === "string") kept.push({ path, reason: plan });
      else if (plan) changes.push(plan);
    } catch (error) {
      keep(path, error);
    }
  }
  return { changes, kept };
}
