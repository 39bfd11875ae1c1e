/** The jobs, hooks and the action that the documents offer are what works. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { parse } from "@std/yaml/parse";
import { gatesTable, list } from "../../lib/cli/list.ts";
import { registry } from "../../toolchain/registry.ts";
import { flavours, type Outcome, ROOT, run, withFolder } from "../black-box.ts";
import { KEY, withRepository } from "./repository.ts";

const docs = Deno.readTextFileSync(join(ROOT, "docs/ci.md"));
/** The executables, where this machine runs them itself. */
const built = flavours().find(({ start, posix }) => posix && start("nonzero").length === 1);

/** The blocks of code in a language under a heading. */
function blocks(language: string, heading: string): string[] {
  const section = docs.split(/^## /m).find((part) => part.startsWith(heading)) ?? "";
  return [...section.matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    .filter((match) => match[1] === language).map((match) => match[2] ?? "");
}

/** A value deep in what YAML holds. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<string | number, unknown> | null)?.[key],
    value,
  );
}

Deno.test("docs/ci.md: the files that it links to are there, and so are the headings", () => {
  const links = [...docs.matchAll(/\]\(([^)#]+)(?:#([^)]+))?\)/g)];
  assert(links.length >= 2);
  for (const [, file = "", heading] of links) {
    const text = Deno.readTextFileSync(join(ROOT, "docs", file));
    if (heading) assert(new RegExp(`^#+ ${heading}$`, "im").test(text), heading);
  }
});

Deno.test("docs/ci.md: names only gates and variables that there are", () => {
  const variables = registry.flatMap(({ unit }) =>
    unit.kind === "gate" ? unit.declarations.map(({ variable }) => variable) : []
  );
  const gates = registry.filter(({ folder }) => folder === "gates").map(({ unit }) => unit.name);
  const action = Deno.readTextFileSync(join(ROOT, "action.yml"));
  for (const [name] of `${docs}${action}`.matchAll(/OAIES_[A-Z_]+/g)) assert(variables.includes(name), name);
  for (const [, name = ""] of docs.matchAll(/nonzero (?:-z )?gate ([a-z][a-z-]+)/g)) {
    assert(gates.includes(name), name);
  }
});

Deno.test("docs/ci.md: lists the ids of findings that there are, with their exit codes", () => {
  const rows = [...docs.matchAll(/^\| (`[^|]+`) +\| (6[45]|70) +\|/gm)];
  const listed = new Map(
    rows.flatMap(([, ids = "", exit]) => [...ids.matchAll(/`([^`]+)`/g)].map(([, id]) => [id, exit])),
  );
  const sources = ["evidence/conditions", "evidence/judge", "run/gate", "run/staged"]
    .map((file) => Deno.readTextFileSync(join(ROOT, "lib", `${file}.ts`))).join("\n");
  const found = [...sources.matchAll(/\bid: [`"]([a-z$-]+)[^\n]*?exit: (\w+)/g)];
  assert(found.length >= 10);
  for (const [, id = "", exit = ""] of found) {
    if (id === "not-$") continue;
    assertEquals(listed.get(id), exit === "BROKEN" ? "70" : exit, id);
  }
  for (const id of ["not-passed", "not-healthy", "not-<an effect>"]) assertEquals(listed.get(id), "70");
});

Deno.test("docs/ci.md: every block of YAML and JSON can be read", () => {
  const found = [...docs.matchAll(/^```(yaml|json)\n([^]*?)^```$/gm)];
  assertEquals(found.length, 6);
  for (const [, language, text = ""] of found) assert(language === "json" ? JSON.parse(text) : parse(text));
});

Deno.test("list: names every hook and gate; with --markdown prints the table of the README", async () => {
  if (!built) return;
  const start = built.start("nonzero");
  assertEquals(await run(start, { args: ["list"] }), { code: 0, stdout: list(registry), stderr: "" });
  const markdown = await run(start, { args: ["list", "--markdown"] });
  assertEquals(markdown, { code: 0, stdout: gatesTable(registry), stderr: "" });
  for (
    const args of [["list", "--json"], ["list", "x"], ["list", "--markdown", "x"], ["list", "--markdown=x"]]
  ) {
    const { code, stdout, stderr } = await run(start, { args });
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(stderr, "unknown argument");
  }
});

/** Takes the place of a project: something to build, and a release in a folder. */
async function withProject(
  use: (job: (script: string) => Promise<Outcome>, folder: string) => Promise<void>,
): Promise<void> {
  const makefile =
    "build:\n\tmkdir -p build && echo x > build/app.tar\ntest: build\n\ttrue\n.PHONY: build test\n";
  await withFolder({ "project/Makefile": makefile, "release/.keep": "" }, async (folder) => {
    const [program = ""] = built?.start("nonzero") ?? [];
    const release = join(folder, "release");
    await run(["sh", "-c", 'ln "$0" nonzero || cp "$0" nonzero', program], { cwd: release });
    await run(["sh", "-c", "mkdir -p plugin hooks && echo x > plugin/nonzero"], { cwd: release });
    await run(["sh", "-c", "sha256sum nonzero plugin/nonzero > SHA256SUMS"], { cwd: release });
    const sums = (await run(["sh", "-c", "sha256sum SHA256SUMS | cut -d ' ' -f 1"], { cwd: release })).stdout
      .trim();
    const env = { NONZERO_FROM: `file://${release}`, NONZERO_SUMS: sums };
    const job = (script: string) => run(["sh", "-c", script], { cwd: join(folder, "project"), env });
    await use(job, folder);
  });
}

/** The scripts of each kind of runner, as it would run them. */
const jobs: Readonly<Record<string, () => string>> = {
  "Any runner with a shell": () => blocks("sh", "Any runner")[0] ?? "",
  "GitHub Actions": () => {
    const job = at(parse(blocks("yaml", "GitHub Actions")[0] ?? ""), "jobs", "verify");
    const steps = at(job, "steps") as { run?: string; env?: Record<string, string> }[];
    const scripts = steps.map(({ run = "", env = {} }) =>
      Object.entries(env).map(([name, value]) => `export ${name}='${value}'\n`).join("") + run
    );
    return `set -e\n${scripts.join("\n")}`;
  },
  "GitLab CI": () => {
    const job = at(parse(blocks("yaml", "GitLab CI")[0] ?? ""), "verify");
    const variables = Object.entries(at(job, "variables") as Record<string, string>);
    const lines = [...at(job, "before_script") as string[], ...at(job, "script") as string[]];
    return ["set -e", ...variables.map(([name, value]) => `export ${name}='${value}'`), ...lines].join("\n");
  },
};

const curl = await run(["curl", "--version"]).then(({ code }) => code === 0, () => false);

for (const [name, script] of Object.entries(jobs)) {
  Deno.test({
    name: `docs/ci.md: the job of "${name}" passes, and fails where the download or the evidence is another`,
    ignore: !built || !curl,
    fn: () =>
      withProject(async (job, folder) => {
        const passed = await job(script());
        assertEquals(passed.code, 0, passed.stderr);
        assertStringIncludes(passed.stdout, "post-code: passed: ");
        const failed = await job(script().replace("status=passed", "status=failed"));
        assertEquals(failed.code, 70, failed.stderr);
        await Deno.writeTextFile(join(folder, "release", "SHA256SUMS"), "\n", { append: true });
        assert((await job(script())).code !== 0, "other digests than the pinned ones");
        await Deno.remove(join(folder, "release", "nonzero"));
        assert((await job(script())).code !== 0, "no program");
      }),
  });
}

Deno.test({
  name: "docs/ci.md: a program that was changed on its way is not run",
  ignore: !built || !curl,
  fn: () =>
    withProject(async (job, folder) => {
      await Deno.remove(join(folder, "release", "nonzero"));
      await Deno.writeTextFile(
        join(folder, "release", "nonzero"),
        "#!/bin/sh\necho post-code: passed: really\n",
      );
      const outcome = await job(jobs["Any runner with a shell"]?.() ?? "");
      assert(outcome.code !== 0 && !outcome.stdout.includes("passed"), outcome.stdout);
    }),
});

Deno.test({
  name: "docs/ci.md: the hook of git holds a commit back",
  ignore: !built,
  fn: () =>
    withRepository(async (repository) => {
      const [program = ""] = built?.start("nonzero") ?? [];
      const hook = join(repository.root, ".git/hooks/pre-commit");
      const text = blocks("sh", "Before a commit")[0] ?? "";
      assert(text.startsWith("#!/bin/sh\n"));
      await Deno.mkdir(join(repository.root, ".git/hooks"), { recursive: true });
      await Deno.writeTextFile(hook, text.replace("/path/to/nonzero", program));
      await Deno.chmod(hook, 0o755);
      await repository.stage("a", "x\n");
      assertEquals((await repository.tryGit(["commit", "-m", "x"])).code, 1, "there is no evidence");
      for (const name of ["test.evidence", "scan.evidence"]) await repository.write(name, "status=passed\n");
      assertEquals((await repository.tryGit(["commit", "-m", "x"])).code, 0);
      await repository.stage("a", KEY);
      assertEquals((await repository.tryGit(["commit", "-m", "x"])).code, 1, "a key is staged");
    }),
});

const action = parse(Deno.readTextFileSync(join(ROOT, "action.yml")));

Deno.test("action.yml: is a composite action whose inputs reach the script by the environment alone", () => {
  assertEquals(Object.keys(action as object), ["name", "description", "inputs", "runs"]);
  assertEquals(at(action, "runs", "using"), "composite");
  const inputs = at(action, "inputs") as Record<
    string,
    { description: string; required: boolean; default?: string }
  >;
  assertEquals(Object.keys(inputs), ["gate", "binary", "dry-run"]);
  for (const [name, { description, required }] of Object.entries(inputs)) {
    assertEquals([typeof description, required], ["string", name !== "dry-run"]);
  }
  const steps = at(action, "runs", "steps") as Record<string, unknown>[];
  assertEquals(steps.map((step) => Object.keys(step)), [["shell", "env", "run"]]);
  assertEquals(at(steps, 0, "shell"), "bash");
  assert(!String(at(steps, 0, "run")).includes("${{"));
  const passed = Object.values(at(steps, 0, "env") as Record<string, string>);
  assertEquals(passed, ["binary", "gate", "dry-run"].map((name) => `\${{ inputs.${name} }}`));
});

Deno.test("action.yml: the documented use names its inputs", () => {
  const [use] = parse(blocks("yaml", "GitHub Actions")[1] ?? "") as { with: Record<string, string> }[];
  const inputs = at(action, "inputs") as Record<string, { required: boolean }>;
  for (const name of Object.keys(use?.with ?? {})) assert(name in inputs, name);
  for (const [name, { required }] of Object.entries(inputs)) {
    assert(!required || name in (use?.with ?? {}), name);
  }
});

Deno.test({
  name: "action.yml: exits as the gate does, and runs nothing that an input says",
  ignore: !built,
  fn: () =>
    withFolder({ good: "status=passed\nartifact=a\n", bad: "status=failed\nartifact=a\n" }, async (cwd) => {
      const [program = ""] = built?.start("nonzero") ?? [];
      const act = (inputs: Record<string, string>, env: Record<string, string>) => {
        const all: Record<string, string> = {
          "dry-run": String(at(action, "inputs", "dry-run", "default")),
          binary: program,
          ...inputs,
        };
        const step = at(action, "runs", "steps", 0);
        const filled = Object.entries(at(step, "env") as Record<string, string>)
          .map((
            [name, value],
          ) => [name, value.replace(/\$\{\{ inputs\.([a-z-]+) \}\}/, (_, input) => all[input] ?? "")]);
        const script = String(at(step, "run"));
        return run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
          cwd,
          env: { ...env, ...Object.fromEntries(filled) },
        });
      };
      const expect = async (
        code: number,
        inputs: Record<string, string>,
        env: Record<string, string> = {},
      ) => {
        const outcome = await act(inputs, env);
        assertEquals(outcome.code, code, JSON.stringify(outcome));
        return outcome;
      };
      assertStringIncludes(
        (await expect(0, { gate: "post-code" }, { OAIES_VERIFY_EVIDENCE: "good" })).stdout,
        "passed",
      );
      await expect(70, { gate: "post-code" }, { OAIES_VERIFY_EVIDENCE: "bad" });
      await expect(65, { gate: "post-code" }, { OAIES_VERIFY_EVIDENCE: "none" });
      await expect(64, { gate: "post-code" });
      for (
        const gate of [
          "",
          "no-such-gate",
          "post-code --help",
          "post-code; touch trace",
          "$(touch trace)",
          "--help",
        ]
      ) {
        await expect(64, { gate }, { OAIES_VERIFY_EVIDENCE: "good" });
      }
      const staged = { OAIES_TEST_EVIDENCE: "good", OAIES_SECRET_SCAN_EVIDENCE: "good" };
      await expect(65, { gate: "pre-commit" }, staged);
      await expect(0, { gate: "pre-commit", "dry-run": "true" }, staged);
      for (const dryRun of ["", "yes", "TRUE", "--help"]) {
        await expect(64, { gate: "pre-commit", "dry-run": dryRun }, staged);
      }
      await expect(127, { gate: "post-code", binary: "./nowhere" });
      assertEquals([...Deno.readDirSync(cwd)].map(({ name }) => name).sort(), ["bad", "good", "home"]);
    }),
});

Deno.test({
  name: "gates: what is left of a stripped or cut executable passes nothing, called as documented",
  ignore: !built,
  fn: () =>
    withFolder(
      { good: "status=passed\nartifact=a\n", "package.json": '{"scripts":{"gate":"true"}}' },
      async (cwd) => {
        const env = { OAIES_VERIFY_EVIDENCE: "good" };
        for (
          const [name, words] of [["post-code", ["-z"]], ["nonzero", ["-z", "gate", "post-code"]]] as const
        ) {
          const [program = ""] = built?.start(name) ?? [];
          assertEquals((await run([program, ...words], { cwd, env })).code, 0);
          const damaged = join(cwd, name);
          await Deno.copyFile(program, damaged);
          await Deno.truncate(damaged, (await Deno.stat(damaged)).size >> 1);
          await Deno.chmod(damaged, 0o755);
          const cut = await run([damaged, ...words], { cwd, env }).catch(() => undefined);
          assert(cut?.code !== 0, `${name} cut`);
          await Deno.copyFile(program, damaged);
          await Deno.chmod(damaged, 0o755);
          const strip = await run(["strip", damaged], { cwd }).catch(() => undefined);
          if (strip?.code !== 0) continue;
          const outcome = await run([damaged, ...words], { cwd, env });
          assert(outcome.code !== 0 && !outcome.stdout.includes("passed"), JSON.stringify(outcome));
        }
      },
    ),
});
