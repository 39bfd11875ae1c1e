/** What is written into a project: the section of its memory file, and the rules beside it. */
import { type Bytes, encode } from "./bytes.ts";
import type { Detected } from "./detect.ts";

/** The lines of all projects. */
const CORE: readonly string[] = [
  "Work is done here when the running program has shown it.",
  "",
  "- Before you write done, complete, finished, shipped, works now or all tests pass: use the program as its",
  "  user would, and look at what it gives back. Code that compiles, a mock and a reading of the source show",
  "  nothing.",
  "- Keep what it gave (output, response, screenshot) under `evidence/` or `e2e-evidence/`, and cite the file by",
  "  its path in your final message.",
  "- What you did not run is UNVERIFIED: say so, and what was not run and why.",
];

/** What follows where there is room for it. */
const MORE: readonly string[] = [
  "- A check that fails is reported as failing, with what it printed. Do not skip it, weaken it, fake it or switch",
  "  it off, and do not offer to.",
  "- A hook or gate that refuses says how to satisfy it. Do that, or tell the user what stands in the way.",
];

/** What stands in a file of its own where the agent has a folder of rules, and in the section elsewhere. */
const EVIDENCE: readonly string[] = [
  "- Each run has its own folder, such as `evidence/2031-04-05-login/`, made after the last change that it is to",
  "  prove. What is older than that change proves nothing of it: run it again.",
  "- What a program gave is kept as it gave it: not tidied, not shortened where it matters, not written by hand.",
  "- No key, token, password or private key goes in. Put `***` in its place before the file is written.",
  "- Where a step failed, its output is kept too.",
];

const TUI: readonly string[] = [
  "- Drive the interface in a terminal of its own (tmux, or a pseudo-terminal), by the keys that a user presses.",
  "- After each step capture the screen as text, and wait for what must appear; do not sleep and hope.",
  "- Try it narrow and wide, with a resize in between, and leave it by its own key: the terminal must be as before.",
  "- A component rendered by a test library is no run of the program.",
];

/** How long a section may be. */
export type Form = "full" | "core";

function commandLines({ commands, workspaces }: Detected): string[] {
  const found = commands.map(({ what, command }) => `- ${what}: \`${command}\``);
  if (workspaces.length > 0) {
    found.push(`- workspaces: ${workspaces.map((path) => `\`${path}\``).join(", ")}`);
  }
  return found.length === 0 ? [] : ["", "From this project's own files:", "", ...found];
}

function titleOf(name: string): string {
  return `## What counts as done in ${name}`;
}

/**
 * The lines between the markers.
 *
 * @param rules Whether what is else in files of their own stands here too.
 */
export function sectionLines(detected: Detected, form: Form, rules: boolean): readonly Bytes[] {
  const more = form === "core" ? [] : [
    ...MORE,
    ...rules ? ["", "Evidence:", "", ...EVIDENCE] : [],
    ...rules && detected.tui.length > 0 ? ["", "Terminal interface:", "", ...TUI] : [],
  ];
  return [titleOf(detected.name), "", ...CORE, ...more, ...commandLines(detected)].map(encode);
}

/**
 * Whether what stands between the markers is what is written there in any form; the name of the project, which is that
 * of its folder, may be another one.
 */
export function isWritten(lines: readonly Bytes[], detected: Detected): boolean {
  const [title = "", ...more] = lines;
  const text = more.join("\n");
  return title.startsWith(encode(titleOf(""))) &&
    [true, false].some((rules) =>
      (["full", "core"] as const).some((form) =>
        sectionLines(detected, form, rules).slice(1).join("\n") === text
      )
    );
}

/** Whether what stands between the markers begins as what is written there, in any project. */
export function beginsAsWritten(lines: readonly Bytes[]): boolean {
  const [title = "", ...more] = lines;
  const wanted = ["", ...CORE].map(encode);
  return title.startsWith(encode(titleOf(""))) && wanted.every((line, at) => more[at] === line);
}

/** A file of rules that the agent loads by itself. */
export interface RuleFile {
  readonly name: string;
  readonly content: Bytes;
}

function ruleFile(name: string, paths: readonly string[], title: string, lines: readonly string[]): RuleFile {
  const front = paths.length === 0
    ? []
    : ["---", "paths:", ...paths.map((path) => `  - "${path}"`), "---", ""];
  return { name, content: encode([...front, `# ${title}`, "", ...lines, ""].join("\n")) };
}

/** The files of rules for a project: one for all of its files, one for evidence, one for terminal interfaces. */
export function ruleFiles({ tui }: Pick<Detected, "tui">): readonly RuleFile[] {
  const files = [
    ruleFile("proof-obligations.md", [], "What each task owes", [
      "- Say at the start what the user will be able to see when the task is done, and by which command or page.",
      "- At the end, show that very thing with the real program, after the last change. Tests are run besides, not",
      "  instead.",
      "- A fix is shown twice: the fault as it was, and the same steps without it.",
      "- Cite every proof by its path. What has none is UNVERIFIED, by that word.",
      ...MORE,
    ]),
    ruleFile("evidence-contract.md", ["e2e-evidence/**", "evidence/**"], "Evidence", EVIDENCE),
  ];
  if (tui.length === 0) return files;
  return [...files, ruleFile("tui-driving.md", ["**/*.tsx", "**/ink*"], "Driving a terminal interface", TUI)];
}
