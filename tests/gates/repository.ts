/** Repositories to stage things in, and traps that tell when something was run. */
import { assertEquals } from "@std/assert";
import { dirname, join } from "@std/path";
import { type Outcome, run, type RunOptions, withFolder } from "../black-box.ts";

/** A header of a private key, in pieces lest a file that holds this be taken for one. */
export function header(...kind: readonly string[]): string {
  return ["-----BEGIN", ...kind, "PRIVATE", "KEY-----"].join(" ");
}

/** A key's header, as text of a file. */
export const KEY = `${header("RSA")}\nMIIB\n`;

/** The evidence that pre-commit asks for, and what declares it. */
export const EVIDENCE = {
  OAIES_TEST_EVIDENCE: "passed.evidence",
  OAIES_SECRET_SCAN_EVIDENCE: "passed.evidence",
};

/** A repository in a folder of its own. */
export class Repository {
  /** @param folder Holds `repo`, `home`, and what must not be in the repository. */
  constructor(readonly folder: string, readonly root: string = join(folder, "repo")) {}

  get environment(): Record<string, string> {
    return { HOME: join(this.folder, "home"), GIT_CONFIG_NOSYSTEM: "1" };
  }

  /** Runs git in the repository, and expects it to succeed. */
  async git(...args: readonly string[]): Promise<string> {
    const outcome = await this.tryGit(args);
    assertEquals(outcome.code, 0, `git ${args.join(" ")}: ${outcome.stderr}`);
    return outcome.stdout.trim();
  }

  /** Runs git in the repository. */
  async tryGit(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    const env = { ...this.environment, ...options.env };
    return await run(["git", ...args], { cwd: this.root, ...options, env });
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    const full = join(this.root, path);
    await Deno.mkdir(dirname(full), { recursive: true });
    if (typeof content === "string") await Deno.writeTextFile(full, content);
    else await Deno.writeFile(full, content);
  }

  async stage(path: string, content: string | Uint8Array): Promise<void> {
    await this.write(path, content);
    await this.git("add", "--", path);
  }

  async commit(message = "more"): Promise<void> {
    await this.git("commit", "--quiet", "--no-verify", "--allow-empty", "-m", message);
  }

  /** A program outside the repository that leaves a trace wherever it is run. */
  get trap(): string {
    return join(this.folder, "trap");
  }

  /** Which traps were sprung. */
  async traces(): Promise<string> {
    return await Deno.readTextFile(join(this.folder, "traces")).catch(() => "");
  }
}

const TRAP = `#!/bin/sh
echo "$0 $*" >> "$(dirname "$0")/traces"
`;

/** Makes a repository with one commit, with the evidence in it, and removes it after use. */
export async function withRepository(
  use: (repository: Repository) => Promise<void>,
  options: { readonly empty?: boolean } = {},
): Promise<void> {
  await withFolder({ repo: null, trap: TRAP }, async (folder) => {
    const repository = new Repository(folder);
    await Deno.chmod(repository.trap, 0o755);
    await Deno.writeTextFile(
      join(folder, "home", ".gitconfig"),
      '[user]\n\tname = tester\n\temail = tester@localhost\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n',
    );
    await repository.git("init", "--quiet");
    await repository.write(".git/info/exclude", "passed.evidence\n");
    await repository.write("passed.evidence", "status=passed\n");
    if (!options.empty) {
      await repository.stage("seed", "seed\n");
      await repository.commit("first");
    }
    await use(repository);
  });
}
