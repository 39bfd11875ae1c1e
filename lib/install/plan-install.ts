import type { Wiring } from "../harness/claude-wiring.ts";
import { type Bytes, countLines, withPlainEnds } from "./bytes.ts";
import type { Detected } from "./detect.ts";
import { InstallError } from "./error.ts";
import {
  besideRule,
  type Conflict,
  type Files,
  findMemoryFile,
  LINE_LIMIT,
  type Platform,
  rulePath,
  SECTION_RULE,
} from "./files.ts";
import { type Change, type Digest, type InstallRecord, sectionDigest, withoutUs } from "./record.ts";
import { getSection, putSection, takeSection } from "./section.ts";
import { putHooks } from "./settings.ts";
import { isWritten, ruleFiles, sectionLines } from "./template.ts";

/** What is to be installed, and what is known. */
export interface InstallOptions {
  readonly platform: Platform;
  readonly detected: Detected;
  readonly rules: boolean;
  /** Where the hooks go, and which; undefined where none are wired. */
  readonly hooks: { readonly path: string; readonly wiring: Wiring } | undefined;
  readonly record: InstallRecord | undefined;
  readonly digest: Digest;
}

/** What an install will do. */
export interface InstallPlan {
  /** Every file that is ours in part or whole, also those that are as they must be. */
  readonly changes: readonly Change[];
  readonly warnings: readonly string[];
  readonly conflicts: readonly Conflict[];
  /** The file that the section is in. */
  readonly memory: string;
  /** The files of rules that are ours. */
  readonly rules: readonly string[];
}

type Part = Pick<InstallPlan, "changes" | "warnings" | "conflicts">;

/** What an error says, with the file that it is about. */
function within<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof InstallError ? new InstallError(`${path}: ${error.message}`) : error;
  }
}

function putLines(path: string, bytes: Bytes | undefined, lines: readonly Bytes[]): Change {
  const after = within(path, () => putSection(bytes ?? "", lines));
  return { path, kind: "memory", before: bytes, after };
}

/** The section of a file, if it has one. Throws InstallError with the path. */
function sectionOf(path: string, files: Files): Bytes | undefined {
  const bytes = files.read(path);
  return bytes === undefined ? undefined : within(path, () => getSection(bytes));
}

/** A section that was once in a file and now is in another one. */
function takeOut(path: string, { files, record, digest }: InstallOptions & { files: Files }): Change[] {
  const before = files.read(path);
  if (before === undefined || sectionOf(path, files) === undefined) return [];
  const entry = record?.files.find((file) => file.path === files.name(path));
  const rest = withoutUs(before, "memory", entry, digest);
  // What stood there before the first install is put back only by an uninstall.
  return [{ path, kind: "memory", before, after: rest === undefined ? rest : takeSection(rest) }];
}

/** Whether somebody else wrote in the section of a file: it is neither as recorded nor as it would be written. */
function isEdited(path: string, { detected, record, digest }: InstallOptions, files: Files): boolean {
  const section = sectionOf(path, files);
  if (section === undefined) return false;
  const bytes = files.read(path) ?? "";
  const written = sectionDigest(section, digest);
  const isRecorded = record?.files.some((file) =>
    file.section === written || file.path === files.name(path) && file.after === digest(bytes)
  );
  return !isRecorded && !isWritten(withPlainEnds(section).split("\n").slice(1, -1), detected);
}

function planMemory(options: InstallOptions, files: Files): Part & Pick<InstallPlan, "memory"> {
  const { platform, detected, rules } = options;
  const memory = findMemoryFile(platform, files);
  const places = platform === "claude-code" ? [memory, SECTION_RULE] : [memory];
  const edited = places.find((path) => isEdited(path, options, files));
  if (edited !== undefined) {
    const reason =
      "its section is not as nonzero wrote it, and is kept: keep what you wrote outside of the " +
      "markers, take the section out, and install again";
    return { changes: [], warnings: [], conflicts: [{ path: edited, reason }], memory: edited };
  }
  const before = files.read(memory);
  const lines = (form: "full" | "core") => sectionLines(detected, form, rules && platform !== "claude-code");
  const fits = ({ after }: Change) => countLines(after ?? "") <= LINE_LIMIT;
  const full = putLines(memory, before, lines("full"));
  const moved = platform === "claude-code" ? takeOut(SECTION_RULE, { ...options, files }) : [];
  if (fits(full)) return { changes: [full, ...moved], warnings: [], conflicts: [], memory };
  const core = putLines(memory, before, lines("core"));
  if (fits(core)) {
    const warning = `${memory}: the section is cut to its core, to stay within ${LINE_LIMIT} lines`;
    return { changes: [core, ...moved], warnings: [warning], conflicts: [], memory };
  }
  const count = countLines(within(memory, () => takeSection(before ?? "")));
  const reason = `${memory} has ${count} lines without the section, and ${LINE_LIMIT} is the most for both`;
  if (platform !== "claude-code") throw new InstallError(reason);
  const rule = putLines(SECTION_RULE, files.read(SECTION_RULE), lines("full"));
  if (!fits(rule)) throw new InstallError(`${SECTION_RULE} has no room for the section, nor has ${memory}`);
  return {
    changes: [...takeOut(memory, { ...options, files }), rule],
    warnings: [`${reason}: the section goes to ${SECTION_RULE}`],
    conflicts: [],
    memory: SECTION_RULE,
  };
}

function planRules(
  { detected, record, digest }: InstallOptions,
  files: Files,
): Part & Pick<InstallPlan, "rules"> {
  const changes: Change[] = [];
  const conflicts: Conflict[] = [];
  for (const { name, content } of ruleFiles(detected)) {
    const place = [rulePath(name), besideRule(name)].map((path) => ({ path, before: files.read(path) }))
      .find(({ path, before }) => {
        if (before === undefined || withPlainEnds(before) === content) return true;
        if (record?.files.some((file) => file.path === files.name(path) && file.after === digest(before))) {
          return true;
        }
        conflicts.push({ path, reason: "is not as nonzero writes it, and is kept" });
        return false;
      });
    if (!place) continue;
    const { path, before } = place;
    const same = before !== undefined && withPlainEnds(before) === content;
    changes.push({ path, kind: "rule", before, after: same ? before : content });
  }
  return { changes, conflicts, warnings: [], rules: changes.map(({ path }) => path) };
}

function planHooks({ hooks }: InstallOptions, files: Files): Change[] {
  if (!hooks) return [];
  const before = files.read(hooks.path);
  const after = within(hooks.path, () => putHooks(before, hooks.wiring));
  return [{ path: hooks.path, kind: "settings", before, after }];
}

/** Says what an install will change, and changes nothing. Throws InstallError where it cannot be done whole. */
export function planInstall(options: InstallOptions, files: Files): InstallPlan {
  const memory = planMemory(options, files);
  const rules = options.rules && options.platform === "claude-code"
    ? planRules(options, files)
    : { changes: [], conflicts: [], warnings: [], rules: [] };
  return {
    changes: [...memory.changes, ...rules.changes, ...planHooks(options, files)],
    warnings: [...memory.warnings, ...rules.warnings],
    conflicts: [...memory.conflicts, ...rules.conflicts],
    memory: memory.memory,
    rules: rules.rules,
  };
}
