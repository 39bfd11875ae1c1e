/** pre-commit as a hook of git itself: what it lets through and what it holds back, however a commit is made. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { type Flavour, flavours, type Outcome, run } from "../black-box.ts";
import { EVIDENCE, KEY, Repository, withRepository } from "./repository.ts";

const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** Puts a hook in the repository that declares the evidence and becomes the gate. */
async function install(flavour: Flavour, repository: Repository): Promise<void> {
  const declarations = Object.entries(EVIDENCE).map(([name, file]) =>
    `export ${name}=${join(repository.root, file)}\n`
  );
  const hook = join(repository.root, ".git/hooks/pre-commit");
  const words = flavour.start("pre-commit").map(quote).join(" ");
  await Deno.mkdir(join(repository.root, ".git/hooks"), { recursive: true });
  await Deno.writeTextFile(hook, `#!/bin/sh\n${declarations.join("")}exec ${words}\n`);
  await Deno.chmod(hook, 0o755);
}

for (const flavour of flavours()) {
  if (!flavour.posix) continue;
  const test = (title: string, check: (repository: Repository) => Promise<void>, empty = false) =>
    Deno.test(`git commit (${flavour.name}): ${title}`, () =>
      withRepository(async (repository) => {
        await install(flavour, repository);
        await check(repository);
      }, { empty }));

  const head = async (repository: Repository) => (await repository.tryGit(["rev-parse", "HEAD"])).stdout;

  /** The commit must not come about, since this key is in it. */
  const held = async (repository: Repository, args: readonly string[], place: string, options = {}) => {
    const before = await head(repository);
    const outcome = await repository.tryGit(["commit", "-m", "x", ...args], options);
    assertEquals(outcome.code, 1, JSON.stringify(outcome));
    assertStringIncludes(outcome.stderr, `pre-commit: ${place}: a private key is staged\n`);
    assertEquals(await head(repository), before);
  };
  const through = async (repository: Repository, args: readonly string[], options = {}): Promise<Outcome> => {
    const before = await head(repository);
    const outcome = await repository.tryGit(["commit", "-m", "x", ...args], options);
    assertEquals(outcome.code, 0, JSON.stringify(outcome));
    assert(await head(repository) !== before, "there is a new commit");
    return outcome;
  };

  test("the first one", async (repository) => {
    await repository.stage("a", KEY);
    await held(repository, [], "a:1");
    await repository.stage("a", "x\n");
    const { stderr } = await through(repository, []);
    assertStringIncludes(stderr, "pre-commit: passed: ");
  }, true);

  test("-a", async (repository) => {
    await repository.write("seed", `seed\n${KEY}`);
    await held(repository, ["-a"], "seed:2");
    await repository.write("seed", "more\n");
    await through(repository, ["-a"]);
  });

  test("-a with a file that was to be added later", async (repository) => {
    await repository.write("a", KEY);
    await repository.git("add", "--intent-to-add", "a");
    await held(repository, ["-a"], "a:1");
  });

  test("of one file, and not of what else is staged", async (repository) => {
    await repository.stage("a", KEY);
    await repository.stage("b", "x\n");
    await held(repository, ["--", "a"], "a:1");
    await through(repository, ["--", "b"]);
    await held(repository, [], "a:1");
  });

  test("of one file, as it is in the worktree", async (repository) => {
    await repository.stage("seed", "more\n");
    await repository.write("seed", `more\n${KEY}`);
    await held(repository, ["seed"], "seed:2");
    await held(repository, ["--include", "seed"], "seed:2");
    await held(repository, ["--only", "seed"], "seed:2");
  });

  test("--amend", async (repository) => {
    await repository.stage("a", KEY);
    await held(repository, ["--amend"], "a:1");
    await repository.stage("a", "x\n");
    await through(repository, ["--amend"]);
  });

  test("from a subfolder", async (repository) => {
    await repository.stage("src/a", KEY);
    await held(repository, [], "src/a:1", { cwd: join(repository.root, "src") });
    await repository.stage("src/a", "x\n");
    await repository.write("src/a", `x\n${KEY}`);
    await held(repository, ["a"], "src/a:2", { cwd: join(repository.root, "src") });
    await through(repository, [], { cwd: join(repository.root, "src") });
  });

  test("in a linked worktree", async (repository) => {
    const linked = new Repository(repository.folder, join(repository.folder, "linked"));
    await repository.git("worktree", "add", "--quiet", linked.root);
    await linked.stage("a", KEY);
    await held(linked, [], "a:1");
    await held(linked, ["a"], "a:1");
    await linked.stage("a", "x\n");
    await through(linked, []);
    await repository.stage("b", KEY);
    await held(repository, [], "b:1");
  });

  test("in a submodule", async (repository) => {
    await repository.git("clone", "--quiet", ".", "sub");
    const sub = new Repository(repository.folder, join(repository.root, "sub"));
    await repository.git("submodule", "--quiet", "add", "./sub");
    await repository.git("submodule", "--quiet", "absorbgitdirs");
    await sub.git("config", "core.hooksPath", join(repository.root, ".git/hooks"));
    await sub.stage("a", KEY);
    await held(sub, [], "a:1");
    await sub.stage("a", "x\n");
    await through(sub, []);
    await through(repository, []);
  });

  test("with the repository named by the environment", async (repository) => {
    await repository.stage("a", KEY);
    const env = { GIT_DIR: join(repository.root, ".git"), GIT_WORK_TREE: repository.root };
    await held(repository, [], "a:1", { env, cwd: join(repository.folder, "home") });
    await held(repository, [], "a:1", { env: { GIT_DIR: ".git" } });
    await repository.stage("a", "x\n");
    await through(repository, [], { env, cwd: join(repository.folder, "home") });
  });

  test("with an index of its own", async (repository) => {
    const env = { GIT_INDEX_FILE: join(repository.folder, "other-index") };
    await repository.tryGit(["read-tree", "HEAD"], { env });
    await repository.write("a", KEY);
    await repository.tryGit(["add", "a"], { env });
    await held(repository, [], "a:1", { env });
    await repository.stage("b", "x\n");
    await through(repository, []);
  });

  test("with settings given on the command line", async (repository) => {
    await repository.stage("a", KEY);
    const before = await head(repository);
    const settings = [
      `diff.external=${repository.trap}`,
      `core.fsmonitor=${repository.trap}`,
      "core.attributesFile=/dev/stdin",
    ];
    const args = [...settings.flatMap((setting) => ["-c", setting]), "commit", "-m", "x"];
    const outcome = await repository.tryGit(args);
    assertStringIncludes(outcome.stderr, "pre-commit: a:1: a private key is staged\n");
    assertEquals([outcome.code, await head(repository)], [1, before]);
  });

  test("without the evidence", async (repository) => {
    await Deno.remove(join(repository.root, "passed.evidence"));
    await repository.stage("a", "x\n");
    const outcome = await repository.tryGit(["commit", "-m", "x"]);
    assertEquals(outcome.code, 1);
    assertStringIncludes(outcome.stderr, "passed.evidence: does not exist\n");
  });

  // By emulation or from its sources it has more words than one.
  if (flavour.start("pre-commit").length > 1) continue;

  test("the executable itself as the hook, by a link of each kind and as a copy", async (repository) => {
    const [program = ""] = flavour.start("pre-commit");
    const hook = join(repository.root, ".git/hooks/pre-commit");
    const ways = [
      () => Deno.symlink(program, hook),
      () => run(["cp", program, hook]),
      // A hard link cannot cross file systems.
      () => Deno.link(program, hook).catch(() => Deno.symlink(program, hook)),
    ];
    for (const make of ways) {
      await Deno.remove(hook);
      await make();
      await repository.stage("a", KEY);
      await held(repository, [], "a:1", { env: EVIDENCE });
      await repository.stage("a", `${crypto.randomUUID()}\n`);
      await through(repository, [], { env: EVIDENCE });
      assertEquals(
        (await repository.tryGit(["commit", "--allow-empty", "-m", "x"])).code,
        1,
        "nothing is declared",
      );
    }
  });
}
