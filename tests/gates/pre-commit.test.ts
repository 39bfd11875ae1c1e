/** What pre-commit sees of what is staged, with the git of this machine. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join, relative } from "@std/path";
import { GIT_VARIABLES } from "../../lib/contract/git.ts";
import { type Flavour, flavours, leftOut, type Outcome, run, type RunOptions } from "../black-box.ts";
import { EVIDENCE, header, KEY, Repository, withRepository } from "./repository.ts";

const RSA = header("RSA");
const CLEAN = "pre-commit: passed: tests and the secret scan passed, and no private key is staged\n";
const UTF16 = (text: string, big = false) =>
  new Uint8Array([...text].flatMap((letter) => {
    const code = letter.charCodeAt(0);
    return big ? [code >> 8, code & 0xff] : [code & 0xff, code >> 8];
  }));

function gate(flavour: Flavour, repository: Repository, options: RunOptions = {}): Promise<Outcome> {
  return run(flavour.start("pre-commit"), {
    cwd: repository.root,
    ...options,
    env: { HOME: repository.environment.HOME ?? "", ...EVIDENCE, ...options.env },
  });
}

/** What the gate found, without its name and the remedy. */
function findings({ stderr }: Outcome): string[] {
  return stderr.split("\n").filter((line) => line.startsWith("pre-commit: ")).map((line) => line.slice(12));
}

function assertKeys(outcome: Outcome, ...places: readonly string[]): void {
  assertEquals(findings(outcome), places.map((place) => `${place}: a private key is staged`));
  assertEquals(
    [outcome.code, outcome.stdout],
    [places.length > 0 ? 70 : 0, places.length > 0 ? "" : CLEAN],
    outcome.stderr,
  );
}

/** Something staged, and the keys that it holds, each as `file:line`. */
interface Scenario {
  readonly title: string;
  readonly empty?: boolean;
  readonly stage: (repository: Repository) => Promise<unknown>;
  readonly keys: readonly string[];
}

const scenarios: readonly Scenario[] = [
  { title: "nothing is staged", stage: () => Promise.resolve(), keys: [] },
  {
    title: "nothing in a repository without a commit",
    empty: true,
    stage: () => Promise.resolve(),
    keys: [],
  },
  { title: "an initial commit", empty: true, stage: (to) => to.stage("a", `x\n${KEY}`), keys: ["a:2"] },
  { title: "an initial commit without a key", empty: true, stage: (to) => to.stage("a", "x\n"), keys: [] },
  { title: "a new file", stage: (to) => to.stage("deep/er/id_rsa", KEY), keys: ["deep/er/id_rsa:1"] },
  {
    title: "each kind of key",
    stage: async (to) => {
      for (const kind of ["RSA", "DSA", "EC", "OPENSSH", "ENCRYPTED"]) {
        await to.stage(kind, `${header(kind)}\n`);
      }
      await to.stage("PGP", header("PGP").replace("KEY", "KEY BLOCK"));
      await to.stage("PKCS8", header());
    },
    keys: ["DSA:1", "EC:1", "ENCRYPTED:1", "OPENSSH:1", "PGP:1", "PKCS8:1", "RSA:1"],
  },
  { title: "a key that is not staged", stage: (to) => to.write("a", KEY), keys: [] },
  {
    title: "a key that was changed away in the worktree alone",
    stage: async (to) => (await to.stage("a", KEY), await to.write("a", "x\n")),
    keys: ["a:1"],
  },
  {
    title: "a key that was removed in the worktree alone",
    stage: async (to) => (await to.stage("a", KEY), await Deno.remove(join(to.root, "a"))),
    keys: ["a:1"],
  },
  {
    title: "an added line of a file with keys, which are no news",
    stage: async (to) => {
      await to.stage("a", `${KEY}x\n`);
      await to.commit();
      await to.stage("a", `y\n${KEY}${header("EC")}\nx\n`);
    },
    keys: ["a:4"],
  },
  {
    title: "context, and a removed key",
    stage: async (to) => {
      await to.stage("a", `${KEY}x\n`);
      await to.stage("b", KEY);
      await to.commit();
      await to.stage("a", `${KEY}y\n`);
      await to.git("rm", "--quiet", "b");
    },
    keys: [],
  },
  {
    title: "a renamed file with a key more",
    stage: async (to) => {
      const text = Array.from({ length: 50 }, (_, at) => `line ${at}\n`).join("");
      await to.stage("a", text);
      await to.commit();
      await to.git("mv", "a", "b");
      await to.stage("b", text + KEY);
    },
    keys: ["b:51"],
  },
  {
    title: "a key under a new name is staged under that name",
    stage: async (to) => {
      await to.stage("a", KEY);
      await to.commit();
      await to.git("mv", "a", "b");
    },
    keys: ["b:1"],
  },
  {
    title: "a copy of a key",
    stage: async (to) => {
      await to.stage("a", KEY);
      await to.commit();
      await to.stage("b", KEY);
    },
    keys: ["b:1"],
  },
  {
    title: "a file with a key whose mode alone changes",
    stage: async (to) => {
      await to.stage("a", KEY);
      await to.commit();
      await to.git("update-index", "--chmod=+x", "a");
    },
    keys: [],
  },
  {
    title: "a link that becomes a file with a key",
    stage: async (to) => {
      await Deno.symlink("seed", join(to.root, "a"));
      await to.git("add", "a");
      await to.commit();
      await Deno.remove(join(to.root, "a"));
      await to.stage("a", KEY);
    },
    keys: ["a:1"],
  },
  {
    title: "a link whose target is a key",
    stage: async (to) => (await Deno.symlink(RSA, join(to.root, "a")), await to.git("add", "a")),
    keys: ["a:1"],
  },
  { title: "no line feed at the end", stage: (to) => to.stage("a", `x\n${RSA}`), keys: ["a:2"] },
  {
    title: "no line feed at the end, nor before",
    stage: async (to) => {
      await to.stage("a", "x");
      await to.commit();
      await to.stage("a", `y\n${RSA}`);
    },
    keys: ["a:2"],
  },
  { title: "CRLF", stage: (to) => to.stage("a", `x\r\n${RSA}\r\n`), keys: ["a:2"] },
  {
    title: "UTF-16, little end first",
    stage: (to) => to.stage("a", UTF16(`\ufeffx\n${KEY}`)),
    keys: ["a:2"],
  },
  {
    title: "UTF-16, big end first",
    stage: (to) => to.stage("a", UTF16(`\ufeffx\n${KEY}`, true)),
    keys: ["a:2"],
  },
  {
    title: "bytes that are not text around it",
    stage: (to) => to.stage("a", new Uint8Array([0, 1, 255, 10, 254, ...new TextEncoder().encode(KEY), 0])),
    keys: ["a:2"],
  },
  {
    title: "text of Latin-1",
    stage: (to) => to.stage("a", new Uint8Array([0xe9, 10, 0xe9, ...new TextEncoder().encode(KEY)])),
    keys: ["a:2"],
  },
  {
    title: "a line of 10 MB",
    stage: (to) => to.stage("a", `${"x".repeat(6_000_000)}${RSA}${"y".repeat(4_000_000)}\n`),
    keys: ["a:1"],
  },
  {
    title: "lines that look like a diff's own",
    stage: (to) => to.stage("a", `++ b/other\n-- a/other\n@@ -1 +1 @@\ndiff --git a/x b/x\n${KEY}+++ b/z\n`),
    keys: ["a:5"],
  },
  {
    title: "removed lines that look like a diff's own",
    stage: async (to) => {
      await to.stage("a", "-- a/other\n++ b/other\n@@ -1,9 +1,9 @@\n");
      await to.commit();
      await to.stage("a", `x\n${KEY}`);
      await to.stage("b", KEY);
    },
    keys: ["a:2", "b:1"],
  },
  {
    title: "names with spaces, quotes, line feeds, backslashes and letters that are not ASCII",
    stage: async (to) => {
      for (const name of ["a b", 'c"d', "e\nf", "g\\h", "i\u00e9", "j\tk ", "l ", "b/m", '"n"']) {
        await to.stage(name, KEY);
      }
    },
    keys: ['"n":1', "a b:1", "b/m:1", 'c"d:1', "e\\u{a}f:1", "g\\h:1", "i\u00e9:1", "j\\u{9}k :1", "l :1"],
  },
  {
    title: "a name that is not UTF-8",
    stage: async (to) => {
      const id = await to.tryGit(["hash-object", "-w", "--stdin"], { stdin: KEY });
      const entry = new Uint8Array([
        ...new TextEncoder().encode(`100644 ${id.stdout.trim()}\tn\xff`.slice(0, -1)),
        0xff,
        0,
      ]);
      assertEquals((await to.tryGit(["update-index", "-z", "--index-info"], { stdin: entry })).code, 0);
    },
    keys: ["n\ufffd:1"],
  },
  {
    title: "a file that is to be added later",
    stage: async (to) => (await to.write("a", KEY), await to.git("add", "--intent-to-add", "a")),
    keys: [],
  },
  {
    title: "a file that is kept out of the worktree",
    stage: async (
      to,
    ) => (await to.stage("a", KEY),
      await to.git("update-index", "--skip-worktree", "a"),
      await Deno.remove(join(to.root, "a"))),
    keys: ["a:1"],
  },
  {
    title: "a file that is assumed not to change",
    stage: async (
      to,
    ) => (await to.stage("a", KEY),
      await to.git("update-index", "--assume-unchanged", "a"),
      await to.write("a", "x\n")),
    keys: ["a:1"],
  },
  {
    title: "a sparse checkout with a sparse index",
    stage: async (to) => {
      await to.stage("in/a", "x\n");
      await to.stage("out/b", "x\n");
      await to.commit();
      await to.git("sparse-checkout", "set", "--cone", "--sparse-index", "in");
      const id = await to.tryGit(["hash-object", "-w", "--stdin"], { stdin: KEY });
      await to.git("update-index", "--add", "--cacheinfo", `100644,${id.stdout.trim()},out/c`);
    },
    keys: ["out/c:1"],
  },
  {
    title: "a submodule",
    stage: async (to) => {
      await to.git("clone", "--quiet", ".", "sub");
      await to.write("sub/a", KEY);
      await to.git("-C", "sub", "add", "a");
      await to.git("-C", "sub", "commit", "--quiet", "--no-verify", "-m", "key");
      await to.git("-C", "sub", "config", "core.fsmonitor", to.trap);
      await to.git("submodule", "--quiet", "add", "./sub");
    },
    keys: [],
  },
  {
    title: "a merge that is done but not committed",
    stage: async (to) => {
      await to.git("checkout", "--quiet", "-b", "other");
      await to.stage("a", KEY);
      await to.stage("seed", "other\n");
      await to.commit();
      await to.git("checkout", "--quiet", "main");
      await to.stage("seed", "main\n");
      await to.commit();
      await to.tryGit(["merge", "other"]);
      await to.stage("seed", "both\n");
    },
    keys: ["a:1"],
  },
  {
    title: "an object that is replaced by another",
    stage: async (to) => {
      await to.stage("a", KEY);
      const innocent = await to.tryGit(["hash-object", "-w", "--stdin"], { stdin: "x\n" });
      await to.git("replace", await to.git("rev-parse", ":a"), innocent.stdout.trim());
    },
    keys: ["a:1"],
  },
  {
    title: "attributes that hide a file from a diff",
    stage: async (to) => {
      await to.stage(
        ".gitattributes",
        "a -diff\nb binary\nc -text -diff linguist-generated\n* export-ignore\n",
      );
      for (const name of ["a", "b", "c"]) await to.stage(name, KEY);
    },
    keys: ["a:1", "b:1", "c:1"],
  },
  {
    title: "attributes of the repository alone",
    stage: async (to) => (await to.write(".git/info/attributes", "* -diff\n"), await to.stage("a", KEY)),
    keys: ["a:1"],
  },
];

/** Settings of a repository, of which none may run a program (`TRAP`), nor change what is seen. */
const SETTINGS: readonly string[] = [
  "diff.external=TRAP",
  "diff.x.command=TRAP",
  "diff.x.textconv=TRAP",
  "diff.x.cachetextconv=true",
  "diff.x.binary=true",
  "diff.x.xfuncname=.*",
  "diff.x.algorithm=patience",
  "diff.x.wordRegex=.",
  "filter.x.clean=TRAP",
  "filter.x.smudge=TRAP",
  "filter.x.process=TRAP",
  "filter.x.required=true",
  "merge.x.driver=TRAP",
  "core.fsmonitor=TRAP",
  "core.hooksPath=TRAPS",
  "core.pager=TRAP",
  "pager.diff=TRAP",
  "core.editor=TRAP",
  "core.askPass=TRAP",
  "core.sshCommand=TRAP",
  "core.alternateRefsCommand=TRAP",
  "core.gitProxy=TRAP",
  "credential.helper=!TRAP",
  "gpg.program=TRAP",
  "alias.diff=!TRAP",
  "alias.rev-parse=!TRAP",
  "interactive.diffFilter=TRAP",
  "color.ui=always",
  "color.diff=always",
  "diff.colorMoved=zebra",
  "diff.wsErrorHighlight=all",
  "diff.noprefix=true",
  "diff.mnemonicPrefix=true",
  "diff.srcPrefix=x/",
  "diff.dstPrefix=y/",
  "diff.renames=copies",
  "diff.renameLimit=1",
  "diff.algorithm=histogram",
  "diff.context=20",
  "diff.interHunkContext=20",
  "diff.orderFile=nowhere",
  "diff.relative=true",
  "diff.suppressBlankEmpty=true",
  "diff.indentHeuristic=false",
  "diff.ignoreSubmodules=all",
  "diff.submodule=diff",
  "diff.dirstat=lines",
  "diff.statGraphWidth=1",
  "diff.wordRegex=.",
  "diff.tool=x",
  "difftool.x.cmd=TRAP",
  "diff.autoRefreshIndex=true",
  "core.quotePath=false",
  "core.whitespace=trailing-space,cr-at-eol,tab-in-indent",
  "core.attributesFile=ATTRIBUTES",
  "core.bigFileThreshold=1",
  "core.autocrlf=true",
  "core.safecrlf=true",
  "core.eol=crlf",
  "core.ignoreCase=true",
  "core.preloadIndex=false",
  "core.untrackedCache=true",
  "core.splitIndex=true",
  "core.checkStat=minimal",
  "core.trustctime=false",
  "core.filemode=false",
  "core.symlinks=false",
  "core.commitGraph=false",
  "core.precomposeUnicode=true",
  "core.abbrev=40",
  "core.useReplaceRefs=true",
  "index.sparse=true",
  "feature.manyFiles=true",
  "status.showUntrackedFiles=no",
  "advice.statusHints=false",
  "i18n.logOutputEncoding=UTF-16",
  "log.showSignature=true",
  "trace2.eventTarget=TRACES",
  "trace2.normalTarget=TRACES",
];

/** Makes a setting, in the repository or in another file. */
async function set(repository: Repository, setting: string, file?: string): Promise<void> {
  const { folder, trap } = repository;
  const at = setting.indexOf("=");
  const value = setting.slice(at + 1).replace("TRAPS", join(folder, "hooks"))
    .replace("TRACES", join(folder, "traces")).replace("TRAP", trap)
    .replace("ATTRIBUTES", join(folder, "attributes"));
  const where = file === undefined ? [] : ["--file", file];
  await repository.git("config", ...where, setting.slice(0, at), value);
}

/** A repository whose attributes point at every driver, with a key staged in a subfolder and a clean change. */
async function makeHostile(repository: Repository): Promise<void> {
  await Deno.writeTextFile(join(repository.folder, "attributes"), "* -diff\n");
  await Deno.mkdir(join(repository.folder, "hooks"));
  for (const hook of ["post-index-change", "pre-commit", "fsmonitor-watchman", "reference-transaction"]) {
    await Deno.symlink(repository.trap, join(repository.folder, "hooks", hook));
  }
  await repository.stage(".gitattributes", "*.x diff=x merge=x filter=x\n");
  await repository.stage("src/plain", "one\n\ntwo\n");
  await repository.stage("src/a.x", "x\n");
  await repository.commit();
  await repository.stage("src/plain", `one\n\n\ttwo \n${KEY}`);
  await repository.stage("src/a.x", `x\n${KEY}`);
}

for (const flavour of flavours()) {
  if (!flavour.posix) continue;
  const test = (
    title: string,
    check: (repository: Repository) => Promise<void>,
    empty = false,
    ignore = false,
  ) =>
    Deno.test({
      name: `pre-commit (${flavour.name}): ${title}`,
      ignore,
      fn: () =>
        withRepository(async (repository) => {
          await check(repository);
          assertEquals(await repository.traces(), "", "nothing that the repository names is run");
        }, { empty }),
    });

  for (const [at, { title, stage, keys, empty = false }] of scenarios.entries()) {
    const check = async (repository: Repository) => {
      await stage(repository);
      // What was sprung by the preparations does not count.
      await Deno.remove(join(repository.folder, "traces")).catch(() => {});
      assertKeys(await gate(flavour, repository), ...keys);
    };
    test(title, check, empty, leftOut(at));
  }

  const found = ["src/a.x:2", "src/plain:4"];

  test("--dry-run alone does not look at what is staged", async (repository) => {
    await repository.stage("a", KEY);
    assertKeys(await gate(flavour, repository, { args: ["--dry-run"] }));
    assertKeys(await gate(flavour, repository), "a:1");
    // Nor does it need git, or a repository.
    const elsewhere = {
      cwd: join(repository.folder, "home"),
      args: ["--dry-run"],
      env: { PATH: "/nowhere" },
    };
    await Deno.writeTextFile(join(repository.folder, "home", "passed.evidence"), "status=passed\n");
    assertKeys(await gate(flavour, repository, elsewhere));
  });

  test("evidence and what is staged are both told", async (repository) => {
    await repository.stage("a", KEY);
    const outcome = await gate(flavour, repository, { env: { OAIES_TEST_EVIDENCE: "" } });
    assertEquals(outcome.code, 64);
    assertEquals(findings(outcome), ["OAIES_TEST_EVIDENCE is not declared", "a:1: a private key is staged"]);
    assertMatch(outcome.stderr, /To recover: take the key out of what is staged/);
  });

  test("--json and annotations name the file and line of a key", async (repository) => {
    await repository.stage("a,b", `x\n${KEY}`);
    const outcome = await gate(flavour, repository, { args: ["--json"], env: { GITHUB_ACTIONS: "true" } });
    const finding = {
      id: "private-key",
      message: "a private key is staged",
      file: "a,b",
      line: 2,
      declaration: null,
    };
    assertEquals(JSON.parse(outcome.stdout).findings, [finding]);
    assertStringIncludes(
      outcome.stderr,
      "::error file=a%2Cb,line=2,title=pre-commit::a private key is staged\n",
    );
  });

  test("no setting of the repository hides a key or runs a program", async (repository) => {
    await makeHostile(repository);
    for (const setting of SETTINGS) await set(repository, setting);
    await Deno.remove(join(repository.folder, "traces")).catch(() => {});
    const evidence = join(repository.root, "passed.evidence");
    const env = { OAIES_TEST_EVIDENCE: evidence, OAIES_SECRET_SCAN_EVIDENCE: evidence };
    for (const cwd of [repository.root, join(repository.root, "src")]) {
      assertKeys(await gate(flavour, repository, { cwd, env }), ...found);
    }
    // It hides what other settings do.
    await repository.git("config", "--unset", "diff.noprefix");
    assertKeys(await gate(flavour, repository), ...found);
  });

  test("no setting of the user hides a key or runs a program", async (repository) => {
    await makeHostile(repository);
    const home = join(repository.folder, "home", ".gitconfig");
    // To be traced is what its user wants.
    const settings = SETTINGS.filter((setting) => !setting.startsWith("trace2."));
    for (const setting of settings) await set(repository, setting, home);
    await Deno.remove(join(repository.folder, "traces")).catch(() => {});
    assertKeys(await gate(flavour, repository), ...found);
  });

  test("text that only looks like the staged one is not shown in its place", async (repository) => {
    await repository.git("config", "core.checkStat", "minimal");
    await repository.git("config", "core.trustctime", "false");
    // The times of a file count in whole seconds: what follows must happen within one.
    while (Date.now() % 1000 > 500) await new Promise((resolve) => setTimeout(resolve, 10));
    const then = new Date(2020, 0);
    await repository.write("a", KEY);
    await Deno.utime(join(repository.root, "a"), then, then);
    await repository.git("add", "a");
    await repository.write("a", `${"x".repeat(KEY.length - 1)}\n`);
    await Deno.utime(join(repository.root, "a"), then, then);
    assertKeys(await gate(flavour, repository), "a:1");
  });

  test("what a partial clone lacks is not fetched by a program that it names", async (repository) => {
    await repository.stage("a", "x\n");
    const id = await repository.git("rev-parse", ":a");
    await Deno.remove(join(repository.root, ".git/objects", id.slice(0, 2), id.slice(2)));
    await Deno.remove(join(repository.root, "a"));
    await Deno.symlink(repository.trap, join(repository.folder, "git-remote-trap"));
    const settings = [
      ["core.repositoryFormatVersion", "1"],
      ["extensions.partialClone", "origin"],
      ["remote.origin.promisor", "true"],
      ["protocol.allow", "always"],
      ["protocol.ext.allow", "always"],
    ];
    for (const [name = "", value = ""] of settings) await repository.git("config", name, value);
    const remotes: [url: string, ...others: string[]][] = [
      [`ext::${repository.trap} %S`],
      ["trap::x"],
      ["ssh://localhost/x", "core.sshCommand", repository.trap],
      [repository.folder, "remote.origin.uploadpack", repository.trap],
      ["x", "remote.origin.vcs", "trap"],
    ];
    for (const [url, name, value] of remotes) {
      await repository.git("config", "remote.origin.url", url);
      if (name !== undefined && value !== undefined) await repository.git("config", name, value);
      const PATH = `${repository.folder}:${Deno.env.get("PATH")}`;
      const outcome = await gate(flavour, repository, { env: { PATH } });
      assertEquals([outcome.code, findings(outcome)], [65, [`git failed: unable to read ${id}`]], url);
      assertEquals(await repository.traces(), "", url);
    }
  });

  test("no variable of the environment hides a key or runs a program", async (repository) => {
    await makeHostile(repository);
    const { folder, trap } = repository;
    await Deno.writeTextFile(
      join(folder, "config"),
      `[diff]\n\texternal = ${trap}\n[core]\n\tattributesFile = ${folder}/attributes\n`,
    );
    const env = {
      GIT_EXTERNAL_DIFF: trap,
      GIT_PAGER: trap,
      PAGER: trap,
      GIT_EDITOR: trap,
      GIT_ASKPASS: trap,
      GIT_SSH_COMMAND: trap,
      GIT_PROXY_COMMAND: trap,
      GIT_EXEC_PATH: folder,
      GIT_CONFIG: join(folder, "config"),
      GIT_CONFIG_GLOBAL: join(folder, "config"),
      GIT_CONFIG_SYSTEM: join(folder, "config"),
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "diff.external",
      GIT_CONFIG_VALUE_0: trap,
      GIT_CONFIG_KEY_1: "core.attributesFile",
      GIT_CONFIG_VALUE_1: join(folder, "attributes"),
      GIT_CONFIG_PARAMETERS: `'diff.external=${trap}'`,
      GIT_ATTR_SOURCE: "HEAD",
      GIT_DIFF_OPTS: "--unified=3 --no-such-option",
      GIT_OBJECT_DIRECTORY: join(folder, "nowhere"),
      GIT_COMMON_DIR: join(folder, "nowhere"),
      GIT_NAMESPACE: "other",
      GIT_REPLACE_REF_BASE: "refs/heads",
      GIT_CEILING_DIRECTORIES: folder,
      GIT_LITERAL_PATHSPECS: "1",
      GIT_ICASE_PATHSPECS: "1",
      GIT_TRACE: join(folder, "traces"),
      GIT_TRACE2: join(folder, "traces"),
      GIT_TRACE2_EVENT: join(folder, "traces"),
      GIT_TRACE_SETUP: join(folder, "traces"),
      GIT_REDIRECT_STDOUT: join(folder, "traces"),
      GIT_REDIRECT_STDERR: join(folder, "traces"),
      LANG: "de_DE.UTF-8",
      LANGUAGE: "de",
      XDG_CONFIG_HOME: folder,
    };
    assertKeys(await gate(flavour, repository, { env }), ...found);
  });

  test("git gets its variables and fixed arguments, and nothing else", async (repository) => {
    const bin = join(repository.folder, "bin");
    await Deno.mkdir(bin);
    const fake =
      `#!/bin/sh\nfor a in "$@"; do echo "$a"; done > "${repository.folder}/args"\n/usr/bin/env > "${repository.folder}/env"\n`;
    await Deno.writeTextFile(join(bin, "git"), fake);
    await Deno.chmod(join(bin, "git"), 0o755);
    const own = Object.fromEntries(GIT_VARIABLES.map((name) => [name, `${name.toLowerCase()}-value`]));
    const env = { ...own, PATH: `${bin}:/usr/bin:/bin`, GIT_TRACE: "1", GIT_DIFF_OPTS: "-u9", SECRET: "x" };
    assertKeys(await gate(flavour, repository, { env }));
    const got = (await Deno.readTextFile(join(repository.folder, "env"))).trim().split("\n");
    const named = Object.fromEntries(
      got.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    );
    for (const shell of ["PWD", "_", "SHLVL", "OLDPWD"]) delete named[shell];
    const fixed = {
      LC_ALL: "C",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_TERMINAL_PROMPT: "0",
      GIT_ATTR_NOSYSTEM: "1",
      GIT_NO_REPLACE_OBJECTS: "1",
      GIT_NO_LAZY_FETCH: "1",
      GIT_ALLOW_PROTOCOL: ":",
    };
    assertEquals(named, { ...own, PATH: env.PATH, ...fixed });
    const args = (await Deno.readTextFile(join(repository.folder, "args"))).trim().split("\n");
    assertEquals(args.slice(args.indexOf("diff"), args.indexOf("diff") + 2), ["diff", "--cached"]);
    for (const option of ["--no-ext-diff", "--no-textconv", "--no-color", "--text"]) {
      assert(args.includes(option), option);
    }
  });

  test("a git of the repository is not taken for git", async (repository) => {
    await Deno.copyFile(repository.trap, join(repository.root, "git"));
    await Deno.chmod(join(repository.root, "git"), 0o755);
    const tools = join(repository.folder, "tools");
    await Deno.mkdir(tools);
    await Deno.copyFile(repository.trap, join(tools, "git"));
    await Deno.chmod(join(tools, "git"), 0o755);
    await repository.stage("a", KEY);
    for (
      const PATH of [
        `${relative(repository.root, tools)}:${Deno.env.get("PATH")}`,
        `.:${Deno.env.get("PATH")}`,
        `:${Deno.env.get("PATH")}`,
        `${Deno.env.get("PATH")}:.`,
        ".",
      ]
    ) {
      const outcome = await gate(flavour, repository, { env: { PATH } });
      // Deno grants the git that it finds itself, and so none at all.
      assert([65, 70].includes(outcome.code), outcome.stdout);
      assertEquals(await repository.traces(), "");
    }
  });

  test("nor one in a folder of it that PATH names in full, or by another way", async (repository) => {
    const bin = join(repository.root, "node_modules/.bin");
    await Deno.mkdir(bin, { recursive: true });
    await Deno.copyFile(repository.trap, join(bin, "git"));
    await Deno.chmod(join(bin, "git"), 0o755);
    await Deno.symlink(bin, join(repository.folder, "way"));
    await Deno.copyFile(
      join(repository.root, "passed.evidence"),
      join(repository.root, "node_modules/passed.evidence"),
    );
    await repository.stage("a", KEY);
    for (const cwd of [repository.root, join(repository.root, "node_modules")]) {
      for (
        const own of [
          bin,
          join(repository.folder, "way"),
          "/proc/self/cwd/.bin",
          "/proc/self/cwd/node_modules/.bin",
        ]
      ) {
        const outcome = await gate(flavour, repository, {
          cwd,
          env: { PATH: `${own}:${Deno.env.get("PATH")}` },
        });
        assert([65, 70].includes(outcome.code), outcome.stdout);
        assertEquals(await repository.traces(), "", own);
      }
    }
  });

  test("folders of PATH that cannot be looked at are passed over", async (repository) => {
    await repository.stage("a", KEY);
    const loop = join(repository.folder, "loop");
    await Deno.symlink(loop, loop);
    for (
      const folder of [loop, join(repository.folder, "trap"), `/${"x".repeat(300)}`, `/${"x/".repeat(3_000)}`]
    ) {
      const env = { PATH: `${folder}:${Deno.env.get("PATH")}` };
      assertKeys(await gate(flavour, repository, { env }), "a:1");
    }
  });

  test("a git that cannot be started loses none of the other findings", async (repository) => {
    const bin = join(repository.folder, "bin");
    await Deno.mkdir(bin);
    await Deno.writeTextFile(join(bin, "git"), "\x7fELF no program");
    await Deno.chmod(join(bin, "git"), 0o755);
    const env = { PATH: bin, OAIES_TEST_EVIDENCE: "none" };
    const outcome = await gate(flavour, repository, { env });
    assertEquals([outcome.code, findings(outcome)[0], findings(outcome).length], [
      65,
      "none: does not exist",
      2,
    ]);
  });

  test("an expression of a driver that takes for ever is not searched for", async (repository) => {
    await repository.stage("f", `${"a".repeat(48)}!\n`.repeat(40));
    await repository.commit();
    await repository.stage("f", `${"a".repeat(48)}!\n`.repeat(40) + KEY);
    await repository.write(".git/info/attributes", "* diff=d=\u00e9\n");
    await repository.git(
      "config",
      "diff.d=\u00e9.xfuncname",
      String.raw`^(.*)(.*)(.*)(.*)(.*)(.*)\1\2\3\4\5\6x$`,
    );
    assertKeys(await gate(flavour, repository), "f:41");
  });

  test("files in the middle of a merge", async (repository) => {
    await repository.git("checkout", "--quiet", "-b", "other");
    await repository.stage("seed", `other\n${KEY}`);
    await repository.commit();
    await repository.git("checkout", "--quiet", "main");
    await repository.stage("seed", "main\n");
    await repository.commit();
    await repository.tryGit(["merge", "other"]);
    await repository.stage("a", KEY);
    const outcome = await gate(flavour, repository);
    assertEquals(outcome.code, 65);
    const unmerged = "1 staged file(s) unmerged: resolve the merge first";
    assertEquals(findings(outcome), ["a:1: a private key is staged", unmerged]);
  });

  test("no repository", async (repository) => {
    await Deno.writeTextFile(join(repository.folder, "home", "passed.evidence"), "status=passed\n");
    const outcome = await gate(flavour, repository, { cwd: join(repository.folder, "home") });
    assertEquals(outcome.code, 65);
    assertMatch(
      findings(outcome).join("\n"),
      /^git failed: not a git repository \(or any of the parent directories\): \.git$/,
    );
    assertMatch(outcome.stderr, /\nTo recover: let git show what is staged/);
  });

  test("a repository that is damaged", async (repository) => {
    await repository.write(".git/index", "x");
    const outcome = await gate(flavour, repository);
    assertEquals([outcome.code, findings(outcome).length], [65, 1]);
    assertMatch(findings(outcome)[0] ?? "", /^git failed: /);
    await repository.write(".git/config", "[diff\n");
    assertEquals((await gate(flavour, repository)).code, 65);
  });

  test("a setting that git does not understand", async (repository) => {
    await repository.git("config", "diff.indentHeuristic", "perhaps");
    const outcome = await gate(flavour, repository);
    assertEquals([outcome.code, findings(outcome).length], [65, 1]);
  });

  test("git is missing", async (repository) => {
    for (const PATH of ["/nowhere", "", "relative/bin"]) {
      const outcome = await gate(flavour, repository, { env: { PATH } });
      assertEquals([outcome.code, findings(outcome)], [65, ["git is not installed, or not on PATH"]]);
    }
  });

  /** Runs the gate with a script in git's place. */
  const withGit = async (repository: Repository, script: string, options: RunOptions = {}) => {
    const bin = join(repository.folder, "bin");
    await Deno.mkdir(bin, { recursive: true });
    await Deno.writeTextFile(join(bin, "git"), `#!/bin/sh\n${script}\n`);
    await Deno.chmod(join(bin, "git"), 0o755);
    return await gate(flavour, repository, {
      ...options,
      env: { PATH: `${bin}:${Deno.env.get("PATH")}`, ...options.env },
    });
  };
  const diff = (lines: readonly string[]) =>
    [
      "diff --git a/a b/a",
      "index 1..2",
      "--- a/a",
      "+++ b/a",
      `@@ -0,0 +1,${lines.length} @@`,
      ...lines.map((line) => `+${line}`),
    ].join("\n");

  test("git fails, with and without a word", async (repository) => {
    const loud = await withGit(repository, "echo 'fatal: no way' >&2; exit 128");
    assertEquals([loud.code, findings(loud)], [65, ["git failed: no way"]]);
    const mute = await withGit(repository, "exit 3");
    assertEquals([mute.code, findings(mute)], [65, ["git failed: it does not say why"]]);
  });

  test("git is killed, after it has shown a key", async (repository) => {
    const outcome = await withGit(
      repository,
      `[ "$1" = rev-parse ] && exit 0\ncat <<'END'\n${diff([RSA, "x"])}\nEND\nkill -KILL $$`,
    );
    assertEquals([outcome.code, findings(outcome)], [65, [
      "a:1: a private key is staged",
      "git was ended by SIGKILL",
    ]]);
  });

  test("git ends well in the middle of what it says", async (repository) => {
    const outcome = await withGit(repository, `cat <<'END'\n${diff(["x", "y"]).slice(0, -3)}\nEND`);
    assertEquals([outcome.code, findings(outcome)], [65, ["git's diff ends too early"]]);
  });

  test("git says what is no diff", async (repository) => {
    const outcome = await withGit(repository, "echo hello");
    assertEquals([outcome.code, findings(outcome)], [65, [
      "git did not answer with a diff that can be read",
    ]]);
  });

  test("git complains at length", async (repository) => {
    const outcome = await withGit(
      repository,
      "yes 'error: ::error::x ##[error]y' | head -n 100000 >&2; exit 1",
    );
    assertEquals([outcome.code, findings(outcome)], [65, ["git failed: ::error::x #\\u{23}[error]y"]]);
  });

  test("a repository of another owner, and what to do about it", async (repository) => {
    const real = (await run(["sh", "-c", "command -v git"])).stdout.trim();
    const outcome = await withGit(repository, `GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec ${real} "$@"`);
    const advice = `If you trust it, run: git config --global --add safe.directory ${repository.root}`;
    const expected = `git does not read a repository that another user owns. ${advice}`;
    assertEquals([outcome.code, findings(outcome)], [65, [expected]]);
  });

  // An emulator takes more for itself.
  if (flavour.name !== "deno run" && flavour.start("pre-commit").length > 1) continue;

  test("a repository of another user, truly", async (repository) => {
    // To give a file away takes root's rights.
    if (Deno.uid() !== 0) return;
    await repository.stage("a", KEY);
    await run(["chown", "-R", "12345", repository.root]);
    const outcome = await gate(flavour, repository);
    assertEquals([outcome.code, findings(outcome).length], [65, 1]);
    const advice = `git config --global --add safe.directory ${repository.root}`;
    assertStringIncludes(outcome.stderr, advice);
    assertEquals((await run(["sh", "-c", advice], { env: repository.environment })).code, 0);
    assertKeys(await gate(flavour, repository), "a:1");
  });

  test("100 MB of a diff take less than 150 MiB of memory", async (repository) => {
    const lines = 1_000_000;
    const script = `[ "$1" = rev-parse ] && exit 0
echo 'diff --git a/a b/a\nindex 1..2\n--- a/a\n+++ b/a\n@@ -0,0 +1,${lines} @@'
yes '+${"0123456789".repeat(10)}' | head -n ${lines - 1}
echo '+${RSA}'`;
    const bin = join(repository.folder, "bin");
    await Deno.mkdir(bin);
    await Deno.writeTextFile(join(bin, "git"), `#!/bin/sh\n${script}\n`);
    await Deno.chmod(join(bin, "git"), 0o755);
    const measure = [
      "import os,sys",
      "pid=os.posix_spawnp(sys.argv[1],sys.argv[1:],os.environ)",
      "_,status,usage=os.wait4(pid,0)",
      "print(usage.ru_maxrss//1024)",
      "sys.exit(os.waitstatus_to_exitcode(status))",
    ].join("\n");
    const words = ["python3", "-c", measure, ...flavour.start("pre-commit")];
    const env = { ...EVIDENCE, HOME: repository.folder, PATH: `${bin}:${Deno.env.get("PATH")}` };
    const { code, stdout, stderr } = await run(words, { cwd: repository.root, env });
    assertEquals([code, stderr.split("\n")[0]], [70, `pre-commit: a:${lines}: a private key is staged`]);
    assert(Number(stdout) < 150, `${stdout.trim()} MiB`);
  });
}
