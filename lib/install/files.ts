/** The names of what an install writes, and how it looks at what is there. */
import type { Bytes } from "./bytes.ts";

/** Who reads what is installed. */
export type Platform = "claude-code" | "opencode" | "agents";

/** Every platform, as the command line has them. */
export const PLATFORMS: readonly Platform[] = ["claude-code", "opencode", "agents"];

/** Looks at a project. Paths are relative to it, with `/` between names, or absolute. */
export interface Files {
  /** The bytes of a file; undefined where there is none. Throws InstallError where it cannot be read. */
  read(path: string): Bytes | undefined;
  /** The path that a file really has, links followed: the name by which it is remembered. Throws InstallError. */
  name(path: string): string;
}

/** Where a section goes that does not fit into the memory file. */
export const SECTION_RULE = ".claude/rules/nonzero.md";

/** Every memory file that may hold a section. */
export const MEMORY_FILES: readonly string[] = [
  "CLAUDE.md",
  "CLAUDE.local.md",
  ".claude/CLAUDE.md",
  "AGENTS.md",
  SECTION_RULE,
];

/** The settings of a project, the more local ones last: they win. */
export const PROJECT_SETTINGS: readonly string[] = [".claude/settings.json", ".claude/settings.local.json"];

/** The most lines of a memory file. */
export const LINE_LIMIT = 200;

/** The path of a file of rules. */
export function rulePath(name: string): string {
  return `.claude/rules/${name}`;
}

/** The path that a file of rules gets where another one has its name. */
export function besideRule(name: string): string {
  return rulePath(name.replace(/\.md$/, ".nonzero.md"));
}

/**
 * The memory file that an agent reads. Claude Code reads AGENTS.md while there is no memory file of its own, so there
 * a new one would hide what stands in it.
 */
export function findMemoryFile(platform: Platform, files: Files): string {
  if (platform !== "claude-code") return "AGENTS.md";
  const has = (path: string) => files.read(path) !== undefined;
  const own = ["CLAUDE.md", ".claude/CLAUDE.md"].find(has);
  if (own !== undefined) return own;
  return !has("CLAUDE.local.md") && has("AGENTS.md") ? "AGENTS.md" : "CLAUDE.md";
}

/** A file that is as somebody wants it, so that ours stands elsewhere or nowhere. */
export interface Conflict {
  readonly path: string;
  readonly reason: string;
}
