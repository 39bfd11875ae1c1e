import type { GateFinding } from "../contract/gate.ts";
import { findKeyHeaders } from "../evidence/staged.ts";
import { GitError, runGit } from "../io/git.ts";

/**
 * Asks for what is staged, in one form whatever the configuration and the attributes of the repository or its user say,
 * of all files under it, as they are in the index. No driver, filter, monitor, hook or pager that they name is run.
 */
const ARGUMENTS = [
  "--no-pager",
  ...[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    // Of a file that seems to be as it was staged, by its size and times, git reads the one in the worktree; but not
    // where line ends might differ there.
    "core.autocrlf=input",
    "core.checkStat=default",
    "core.trustctime=true",
    "core.quotePath=true",
    "diff.autoRefreshIndex=false",
    "diff.relative=false",
    "diff.suppressBlankEmpty=false",
  ].flatMap((setting) => ["-c", setting]),
  "diff",
  "--cached",
  "--patch",
  "--text",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-renames",
  "--unified=0",
  "--inter-hunk-context=0",
  "--diff-algorithm=myers",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "-O/dev/null",
  "--ignore-submodules=none",
  "--submodule=short",
  "--ita-invisible-in-index",
  "--",
];

/** Asks for nothing but fails with the reason, which `diff` does not give: without a repository it compares files. */
const WHY = ["rev-parse", "--git-dir"];

/** Asks for the expressions by which drivers find what stands at the head of a hunk. */
const HEADS = ["--no-pager", "config", "--null", "--name-only", "--get-regexp", "^diff\\..*\\.x?funcname$"];

/** How much of their names is listened to, in characters; they must all fit into the environment of git. */
const NAMES_LIMIT = 64 * 1024;

/**
 * Settings under which no driver searches for the heads of hunks: nobody reads them, and there are expressions that
 * take git for ever. Where it cannot be asked, the diff tells why.
 */
async function withoutHeads(): Promise<[name: string, value: string][]> {
  let names = "";
  try {
    await runGit(HEADS, (piece) => {
      if (names.length <= NAMES_LIMIT) names += piece;
    });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
  }
  if (names.length > NAMES_LIMIT && names.startsWith("diff.")) {
    throw new GitError("too many drivers for diff");
  }
  const drivers = names.split("\0").flatMap((name) => /^(diff\..*\.)x?funcname$/s.exec(name)?.[1] ?? []);
  return [...new Set(drivers)].map((driver) => [
    // One character a byte, as all that git prints is handed on.
    new TextDecoder().decode(Uint8Array.from(`${driver}xfuncname`, (byte) => byte.charCodeAt(0))),
    "$^",
  ]);
}

async function explain(error: GitError): Promise<string> {
  try {
    await runGit(WHY, () => {});
    return error.message;
  } catch (why) {
    return why instanceof GitError ? why.message : error.message;
  }
}

/** The private keys that are staged, each where it begins; and why it cannot be told, where it cannot. */
export async function findStagedKeys(): Promise<GateFinding[]> {
  const search = findKeyHeaders();
  let failure: string | undefined;
  try {
    await runGit(ARGUMENTS, (piece) => search.take(piece), await withoutHeads());
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    failure = await explain(error);
  }
  const { keys, more, unmerged, problem = undefined } = search.end();
  const unreadable = failure ?? problem;
  const key = (message: string): GateFinding => ({ id: "private-key", exit: 70, message });
  const git = (message: string): GateFinding => ({ id: "git", exit: 65, message });
  return [
    ...keys.map((place) => ({ ...key("a private key is staged"), ...place })),
    ...more > 0 ? [key(`${more} more private keys are staged`)] : [],
    ...unmerged > 0 ? [git(`${unmerged} staged file(s) unmerged: resolve the merge first`)] : [],
    ...unreadable === undefined ? [] : [git(unreadable)],
  ];
}
