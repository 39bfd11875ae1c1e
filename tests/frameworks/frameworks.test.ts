/** pre-commit within the frameworks that run hooks, by the configuration that docs/ci.md shows. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { ROOT, run } from "../black-box.ts";
import { KEY, type Repository, withRepository } from "../gates/repository.ts";

const PROGRAM = join(ROOT, "dist/host/nonzero");
const DEBIAN = join(ROOT, ".cache/frameworks/pre-commit");
const docs = Deno.readTextFileSync(join(ROOT, "docs/ci.md"));

interface Framework {
  readonly name: string;
  /** The file of its configuration, as the document names it. */
  readonly file: string;
  /** The words that run it. */
  readonly words: readonly string[];
  readonly env: (repository: Repository) => Record<string, string>;
}

const frameworks: readonly Framework[] = [
  {
    name: "pre-commit",
    file: ".pre-commit-config.yaml",
    words: ["/usr/bin/python3", join(DEBIAN, "usr/bin/pre-commit")],
    env: ({ folder }) => ({
      PYTHONPATH: join(DEBIAN, "usr/lib/python3/dist-packages"),
      PRE_COMMIT_HOME: join(folder, "cache"),
    }),
  },
  {
    name: "lefthook",
    file: "lefthook.yml",
    words: [join(ROOT, "tests/frameworks/node_modules/lefthook/bin/index.js")],
    env: () => ({
      PATH: `${join(ROOT, "tests/frameworks/node_modules/.bin")}:${Deno.env.get("PATH")}`,
    }),
  },
];

/** The block of YAML after the first mention of a file. */
function snippet(file: string): string {
  const rest = docs.slice(docs.indexOf(`\`${file}\``));
  return /^```yaml\n([^]*?)^```$/m.exec(rest)?.[1] ?? "";
}

for (const { name, file, words, env } of frameworks) {
  Deno.test(`${name}: holds back what the gate does, and lets the rest through`, () =>
    withRepository(async (repository) => {
      const text = snippet(file);
      assertStringIncludes(text, "/path/to/nonzero -z gate pre-commit");
      await repository.stage(file, text.replace("/path/to/nonzero", PROGRAM));
      await repository.commit("configuration");
      const own = { ...repository.environment, ...env(repository) };
      const install = await run([...words, "install"], {
        cwd: repository.root,
        env: own,
      });
      assertEquals(install.code, 0, install.stdout + install.stderr);
      const hook = await Deno.readTextFile(
        join(repository.root, ".git/hooks/pre-commit"),
      );
      assertStringIncludes(hook, name);

      const commit = (...args: string[]) => repository.tryGit(["commit", "-m", "x", ...args], { env: own });
      const held = async (says: string, ...args: string[]) => {
        const { code, stdout, stderr } = await commit(...args);
        assertEquals(code, 1, stdout + stderr);
        assertStringIncludes(stdout + stderr, `pre-commit: ${says}`);
      };
      const through = async (...args: string[]) => {
        const { code, stdout, stderr } = await commit(...args);
        assertEquals(code, 0, stdout + stderr);
      };

      await repository.stage("a", "x\n");
      await held("test.evidence: does not exist");
      for (const evidence of ["test.evidence", "scan.evidence"]) {
        await repository.write(evidence, "status=passed\n");
        await repository.write(".git/info/exclude", "*.evidence\n");
      }
      await through();
      await repository.stage("a", KEY);
      await held("a:1: a private key is staged");
      await repository.stage("a", "y\n");
      await repository.write("seed", KEY);
      await held("seed:1: a private key is staged", "-a");
      await held("seed:1: a private key is staged", "seed");
      await through();
      assertEquals(
        (await repository.git("status", "--porcelain")).split("\n"),
        ["M seed"],
        "the worktree is as it was",
      );
      await Deno.remove(join(repository.root, "scan.evidence"));
      await repository.stage("a", "z\n");
      await held("scan.evidence: does not exist");
      assert(
        (await repository.git("log", "--format=%s")).split("\n").length === 4,
      );
    }));
}
