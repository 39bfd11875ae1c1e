/** What the version of a client means for a wiring. */
import type { Finding } from "./finding.ts";

/** The first version of Claude Code that knows `onFailure`. */
const KNOWS_ON_FAILURE = [2, 1, 295] as const;

/** The version that settings were measured with. */
const MEASURED = "2.1.332";

/** The version in what `claude --version` prints, as numbers. */
export function parseVersion(text: string): readonly number[] | undefined {
  const match = /^\s*v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})\b/.exec(text);
  return match?.slice(1).map(Number);
}

function isOlder(version: readonly number[], than: readonly number[]): boolean {
  for (const [at, wanted] of than.entries()) {
    const part = version[at] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}

/** What is wrong with a client that printed this when asked for its version; undefined: there is none on PATH. */
export function checkClient(printed: string | undefined): Finding[] {
  const found = (id: string, message: string, fix: string): Finding[] => [
    { level: "warning", id, message, fix, file: null },
  ];
  if (printed === undefined) {
    return found("no-client", "No claude is on PATH.", "Install Claude Code, or leave out --client.");
  }
  const version = parseVersion(printed);
  if (!version) {
    return found("client-unknown", "claude --version tells no version.", "Look at what is called claude.");
  }
  if (version.join(".") === MEASURED) return [];
  if (!isOlder(version, KNOWS_ON_FAILURE)) {
    return [{
      level: "note",
      id: "client-other",
      message: `It is Claude Code ${
        version.join(".")
      }: what it reads of settings was measured with ${MEASURED}.`,
      fix: "Look at what `claude doctor` says of the settings.",
      file: null,
    }];
  }
  return found(
    "client-old",
    `Claude Code ${version.join(".")} does not know "onFailure": it runs the tool where a hook fails.`,
    `Update it to ${
      KNOWS_ON_FAILURE.join(".")
    } or later, or take the wiring of \`nonzero list --hooks-json --shell\`.`,
  );
}
