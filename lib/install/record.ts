/** What an install remembers of what it changed, so that it can be undone exactly. */
import * as z from "zod/mini";
import { checkShape } from "../contract/shape.ts";
import { type Bytes, decode, encode, splitBom, withPlainEnds } from "./bytes.ts";
import { besideRule, rulePath } from "./files.ts";
import { getSection, swapSection, takeSection } from "./section.ts";
import { ownHooks, readSettings, restoreHooks, takeHooks } from "./settings.ts";
import { ruleFiles } from "./template.ts";

/** What of a file is ours: a section, hooks, or all of it. */
export type Kind = "memory" | "settings" | "rule";

/** A file that was changed. */
export interface RecordedFile {
  /** Relative to the project, with `/` between names; absolute where it lies elsewhere. */
  readonly path: string;
  readonly kind: Kind;
  /** What it was without us, as base64; null where there was no such file. */
  readonly before: string | null;
  /** The digest of what was written. */
  readonly after: string;
  /** The digest of the section that was written, with the line ends of Unix. */
  readonly section?: string | undefined;
}

/** The record of a project, or of the user's own settings. */
export interface InstallRecord {
  readonly schema: 1;
  /** The real path of the project, or of the agent's own folder. */
  readonly project: string;
  /** The version that wrote it last. */
  readonly version: string;
  /** The program that the hooks start; null where none were wired. */
  readonly program: string | null;
  readonly files: readonly RecordedFile[];
  /** The folders that were made, those above first; paths as those of files. */
  readonly folders: readonly string[];
}

const recordShape = () =>
  z.object({
    schema: z.literal(1),
    project: z.string(),
    version: z.string(),
    program: z.nullable(z.string()),
    files: z.array(z.object({
      path: z.string(),
      kind: z.enum(["memory", "settings", "rule"]),
      before: z.nullable(z.base64()),
      after: z.string(),
      section: z.optional(z.string()),
    })),
    folders: z.array(z.string()),
  });

/** Reads a record; undefined where it is none. */
export function parseRecord(bytes: Bytes): InstallRecord | undefined {
  try {
    const parsed = checkShape<InstallRecord>(recordShape(), JSON.parse(decode(bytes)));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** The file of a record. */
export function formatRecord(record: InstallRecord): Bytes {
  return encode(`${JSON.stringify(record, null, 2)}\n`);
}

/** A digest of bytes, as text. */
export type Digest = (bytes: Bytes) => string;

/** What a recorded file was without us; undefined where there was none. */
export function originalOf({ before }: RecordedFile): Bytes | undefined {
  return before === null ? undefined : atob(before);
}

/** What the settings were without us, to tell which empty parts of them are the user's. */
function originalSettings(entry: RecordedFile | undefined): Readonly<Record<string, unknown>> | undefined {
  const before = entry && originalOf(entry);
  return before === undefined || isIdle(before, "settings") ? undefined : readSettings(before);
}

/** Every file of rules, by the path that it may have. */
export const RULES: ReadonlyMap<string, Bytes> = new Map(
  ruleFiles({ tui: ["any"] }).flatMap(({ name, content }) =>
    [rulePath(name), besideRule(name)].map((path) => [path, content] as const)
  ),
);

/** Whether there is something of ours in a file. Throws InstallError where it cannot be told. */
export function holdsOurs(bytes: Bytes, kind: Kind): boolean {
  switch (kind) {
    case "memory":
      return getSection(bytes) !== undefined;
    case "rule":
      return [...RULES.values()].includes(withPlainEnds(bytes));
    case "settings":
      // What cannot be read, and does not so much as name us, is no matter.
      return bytes.includes("nonzero") && Object.keys(ownHooks(readSettings(bytes))).length > 0;
  }
}

function isIdle(bytes: Bytes, kind: Kind): boolean {
  const text = splitBom(bytes).body.trim();
  return text === "" || kind === "settings" && /^\{\s*\}$/.test(text);
}

/** What of ours stood in a file before the first install, put in the place of what stands there now. */
function withHeld(bytes: Bytes, kind: Kind, held: Bytes): Bytes {
  switch (kind) {
    case "memory":
      return swapSection(bytes, getSection(held) ?? "");
    case "rule":
      return bytes;
    case "settings":
      return restoreHooks(bytes, readSettings(held));
  }
}

/**
 * What a file is without us; undefined where there is then nothing for a file to be there. A file that is as it was
 * written becomes what it was before, byte for byte; from another only what is ours is taken, and what of ours stood
 * in it before the first install is put back. Throws InstallError where what is ours cannot be told.
 *
 * @param entry What is recorded of it; where nothing is, a file in which nothing else stands counts as ours.
 */
export function withoutUs(
  bytes: Bytes,
  kind: Kind,
  entry: RecordedFile | undefined,
  digest: Digest,
): Bytes | undefined {
  if (entry && digest(bytes) === entry.after) return originalOf(entry);
  if (kind === "rule" || isIdle(bytes, kind)) return bytes;
  const original = entry && originalOf(entry);
  if (original !== undefined && holdsOurs(original, kind)) return withHeld(bytes, kind, original);
  const rest = kind === "memory" ? takeSection(bytes) : takeHooks(bytes, originalSettings(entry));
  const theirs = entry ? entry.before !== null : rest === bytes;
  return !theirs && isIdle(rest, kind) ? undefined : rest;
}

/** A file that is changed: its content before and after; undefined where there is none. */
export interface Change {
  readonly path: string;
  readonly kind: Kind;
  readonly before: Bytes | undefined;
  readonly after: Bytes | undefined;
  /** Whether nothing is to be remembered of it any more. */
  readonly undo?: boolean;
}

/** The digest of the section in a memory file. Throws InstallError where its markers do not pair. */
export function sectionDigest(bytes: Bytes, digest: Digest): string | undefined {
  const section = getSection(bytes);
  return section === undefined ? undefined : digest(withPlainEnds(section));
}

/** What is to be recorded of a file; undefined where nothing of it is ours. */
function recordFile(
  { path, kind, before, after, undo }: Change,
  entry: RecordedFile | undefined,
  digest: Digest,
): RecordedFile | undefined {
  if (undo || after === undefined) return undefined;
  // What was there when nothing was recorded is what it was before, also where it is like ours.
  const original = before === undefined || !entry ? before : withoutUs(before, kind, entry, digest);
  if (after === original && !holdsOurs(after, kind)) return undefined;
  const section = kind === "memory" ? sectionDigest(after, digest) : undefined;
  return {
    path,
    kind,
    before: original === undefined ? null : btoa(original),
    after: digest(after),
    ...section === undefined ? {} : { section },
  };
}

/** The record after these changes; undefined where nothing is left to remember. */
export function recordChanges(
  record: InstallRecord | undefined,
  changes: readonly Change[],
  { digest, folders, ...rest }: Pick<InstallRecord, "project" | "version" | "program" | "folders"> & {
    readonly digest: Digest;
  },
): InstallRecord | undefined {
  const untouched = record?.files.filter(({ path }) => changes.every((change) => change.path !== path)) ?? [];
  const touched = changes.flatMap((change) => {
    const entry = record?.files.find(({ path }) => path === change.path);
    const recorded = recordFile(change, entry, digest);
    return recorded ? [recorded] : [];
  });
  const files = [...untouched, ...touched];
  if (files.length === 0) return undefined;
  return { schema: 1, ...rest, files, folders: [...new Set([...record?.folders ?? [], ...folders])] };
}
