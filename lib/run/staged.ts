import type { GateFinding } from "../contract/gate.ts";
import { findKeyHeaders } from "../evidence/staged.ts";
import { GitError, runGit } from "../io/git.ts";

/** Looks at what is staged: no driver, filter, helper or pager that the repository names is run. */
const ARGUMENTS = [
  "--no-pager",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.quotePath=true",
  "-c",
  "diff.external=",
  "diff",
  "--cached",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-renames",
  "--text",
  "--unified=0",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--ignore-submodules=none",
  "--submodule=short",
];

/** The private keys that are staged, each where it begins; or why it cannot be told. */
export async function findStagedKeys(): Promise<GateFinding[]> {
  const search = findKeyHeaders();
  try {
    await runGit(ARGUMENTS, (bytes) => search.take(bytes));
  } catch (error) {
    if (error instanceof GitError) {
      return [{ id: "git", exit: 65, message: error.message.split("\n")[0] ?? "git failed" }];
    }
    throw error;
  }
  return search.end().map(({ file, line }) => ({
    id: "private-key",
    exit: 70,
    message: "a private key is staged",
    file,
    line,
  }));
}
