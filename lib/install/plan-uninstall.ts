import { type Bytes, withPlainEnds } from "./bytes.ts";
import { InstallError } from "./error.ts";
import { type Conflict, type Files, MEMORY_FILES, PROJECT_SETTINGS } from "./files.ts";
import { getSection } from "./section.ts";
import { beginsAsWritten } from "./template.ts";
import {
  type Change,
  type Digest,
  holdsOurs,
  type InstallRecord,
  type Kind,
  type RecordedFile,
  RULES,
  sectionDigest,
  withoutUs,
} from "./record.ts";

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

/** Every file of a project that may be ours in part or whole. */
export const OWN_FILES: readonly string[] = [...MEMORY_FILES, ...RULES.keys(), ...PROJECT_SETTINGS];

/** A place where something of ours may be, and what is recorded of it. */
interface Place {
  readonly path: string;
  readonly kind: Kind;
  readonly entry: RecordedFile | undefined;
}

const AGAIN = "uninstalling once more takes it out";

/** What is said of what was there before anything was installed. */
const HELD = `held what is nonzero's before the first install, and does so again; ${AGAIN}`;

/** Why what is there of ours is left alone; undefined where nothing says so. */
function keepsOurs(
  { kind, entry }: Place,
  bytes: Bytes,
  { record, digest }: UninstallOptions,
  files: Files,
): string | undefined {
  const section = kind === "memory" ? sectionDigest(bytes, digest) : undefined;
  if (entry) {
    const isEdited = entry.section !== undefined && section !== entry.section;
    return isEdited ? "what stands between the markers was edited" : undefined;
  }
  // A section of ours may have been moved with its file.
  const isOurs = !record ||
    record.files.some((file) =>
      file.section !== undefined && file.section === section && files.read(file.path) === undefined
    );
  if (kind === "memory" && !(isOurs && record)) {
    const lines = withPlainEnds(getSection(bytes) ?? "").split("\n").slice(1, -1);
    // Somebody's own text between our markers, or another version's: neither is thrown away unseen.
    if (!beginsAsWritten(lines)) return "what stands between the markers is not as nonzero writes it";
  }
  return isOurs ? undefined : `holds what is nonzero's, by another install than this one; ${AGAIN}`;
}

/** What becomes of one file, and why it stays where it does; neither where nothing of it is ours. */
function planFile(
  place: Place,
  before: Bytes,
  options: UninstallOptions,
  files: Files,
): { readonly change?: Change; readonly kept?: string } {
  const { path, kind, entry } = place;
  const { digest } = options;
  const untouched = entry !== undefined && digest(before) === entry.after;
  if (!untouched) {
    const ours = holdsOurs(before, kind);
    if (!ours && kind === "rule" && entry) return { kept: "it was edited since" };
    // Where the user has taken it out there is nothing left to remember.
    if (!ours) return entry ? { change: { path, kind, before, after: before, undo: true } } : {};
    const kept = keepsOurs(place, before, options, files);
    if (kept !== undefined) return { kept };
  }
  const isRemoved = !untouched && kind === "rule" && (entry?.before ?? null) === null;
  const after = isRemoved ? undefined : withoutUs(before, kind, entry, digest);
  const change = { path, kind, before, after, undo: true };
  return after !== undefined && holdsOurs(after, kind) ? { change, kept: HELD } : { change };
}

/**
 * Says what an uninstall will change, and changes nothing: all that is recorded, and whatever else of ours is found by
 * its marks.
 */
export function planUninstall(options: UninstallOptions, files: Files): UninstallPlan {
  const { record, settings, project } = options;
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
      const plan = planFile(place, before, options, files);
      if (plan.change) changes.push(plan.change);
      if (plan.kept !== undefined) kept.push({ path, reason: plan.kept });
    } catch (error) {
      keep(path, error);
    }
  }
  return { changes, kept };
}
