import type { Accepted, Facts, Text } from "../contract/hook.ts";
import { relativeSegments } from "./compare.ts";
import { matchGlob } from "./glob.ts";

/** Whether the user accepts secrets of that pattern in every place where the text may land. */
export function isAccepted(pattern: string, text: Text, facts: Facts): boolean {
  const target = text.target === undefined ? undefined : facts.targets[text.target];
  const root = facts.root;
  if (!target || "problem" in root || target.readings.length === 0) return false;
  const covers = ({ path }: Accepted, reading: string) => {
    const segments = relativeSegments(reading, root.path, facts.platform);
    return segments !== undefined && matchGlob(segments, path);
  };
  const candidates = facts.accepted.filter((accepted) => accepted.pattern === pattern);
  return target.readings.every((reading) => candidates.some((accepted) => covers(accepted, reading)));
}
