/** How much a finding weighs: an error is a guard that does not refuse, a note changes nothing. */
export type Level = "error" | "warning" | "note";

/** One thing that is not as it should be. The texts may quote files: they are made printable where they are printed. */
export interface Finding {
  readonly level: Level;
  /** Kebab-case; the same for the same kind of trouble. */
  readonly id: string;
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /** The file that it is about; null where it is about none. */
  readonly file: string | null;
}

const ORDER: readonly Level[] = ["error", "warning", "note"];

/** The findings without repetitions, the gravest first; of two that say the same the graver one is kept. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const sorted = ORDER.flatMap((level) => findings.filter((finding) => finding.level === level));
  const seen = new Set<string>();
  return sorted.filter(({ id, message, file }) => {
    const key = JSON.stringify([id, message, file]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The exit code: 2 where a guard does not refuse, 1 where there are warnings, else 0. */
export function exitOf(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ level }) => level === "error")) return 2;
  return findings.some(({ level }) => level === "warning") ? 1 : 0;
}
