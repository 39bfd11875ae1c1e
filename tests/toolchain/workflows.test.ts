/** The workflows: valid to GitHub's own parser, and with no more rights and no looser ends than they need. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { parse } from "@std/yaml/parse";
import { bundle } from "../../toolchain/compile.ts";
import { targets } from "../../toolchain/targets.ts";
import { ROOT, run, withFolder } from "../black-box.ts";

const FOLDER = join(ROOT, ".github/workflows");
const NAMES = ["ci.yml", "release.yml"];
const read = (name: string) => Deno.readTextFileSync(join(FOLDER, name));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly needs?: string | readonly string[];
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions?: unknown;
  readonly defaults?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const load = (text: string) => parse(text) as Workflow;

/** What a job may write, by the name of the job; any other may write nothing. */
const WRITES: Readonly<Record<string, readonly string[]>> = {
  publish: ["attestations", "contents", "id-token"],
  image: ["attestations", "id-token", "packages"],
};

/** What is loose in a workflow; one line each. */
function looseEnds(text: string): string[] {
  const { permissions, defaults, jobs } = load(text);
  const found: string[] = [];
  // Otherwise what fails within a pipeline goes unseen.
  if (JSON.stringify(defaults) !== '{"run":{"shell":"bash"}}') {
    found.push("the shell is not bash with its options");
  }
  if (JSON.stringify(permissions) !== "{}") found.push("the workflow itself has permissions");
  for (const line of text.split("\n")) {
    const uses = /^\s*(?:- )?uses: *(.*)$/.exec(line)?.[1];
    if (uses !== undefined && !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(uses)) {
      found.push(`not pinned: ${uses}`);
    }
  }
  for (const [name, job] of Object.entries(jobs)) {
    if (job.permissions === undefined) found.push(`${name}: no permissions`);
    if (job["timeout-minutes"] === undefined) found.push(`${name}: no timeout`);
    const writes = Object.entries(job.permissions ?? {}).filter(([, value]) => value !== "read").map((
      [key],
    ) => key);
    const more = writes.filter((key) => !WRITES[name]?.includes(key));
    if (more.length > 0) found.push(`${name}: may write ${more}`);
    for (const step of job.steps) {
      if (/\$\{\{/.test(step.run ?? "")) found.push(`${name}: an expression in a script`);
      if (step.uses?.startsWith("actions/checkout@") && step.with?.["persist-credentials"] !== false) {
        found.push(`${name}: a checkout that keeps its credentials`);
      }
    }
  }
  return found;
}

for (const name of NAMES) {
  Deno.test(`${name}: pinned, without rights it does not need, and nothing of an event in a script`, () =>
    assertEquals(looseEnds(read(name)), []));
}

Deno.test("workflows: there is no other", () =>
  assertEquals([...Deno.readDirSync(FOLDER)].map(({ name }) => name).sort(), NAMES));

/** Changes to a workflow that must be noticed, and as what. */
const LOOSENED: readonly (readonly [string, RegExp, string])[] = [
  ["not pinned: actions/checkout@v5", /actions\/checkout@[0-9a-f]{40} # v5\.0\.0/, "actions/checkout@v5"],
  ["not pinned", /(actions\/setup-node@[0-9a-f]{40}) # v[\d.]+/, "$1"],
  ["the workflow itself has permissions", /^permissions: \{\}$/m, "permissions: write-all"],
  ["the workflow itself has permissions", /^permissions: \{\}\n/m, ""],
  ["may write contents", /contents: read/, "contents: write"],
  ["no permissions", / {4}permissions:\n {6}contents: read\n/, ""],
  ["no timeout", / {4}timeout-minutes: \d+\n/, ""],
  ["keeps its credentials", /persist-credentials: false/, "persist-credentials: true"],
  ["the shell is not bash", /shell: bash/, "shell: sh"],
  ["an expression in a script", /- run: make.*/, "- run: echo ${{ github.event.pull_request.title }}"],
];

for (const name of NAMES) {
  for (const [says, pattern, replacement] of LOOSENED) {
    Deno.test(`${name}: a change of it would be noticed: ${says} (${pattern})`, () => {
      const changed = read(name).replace(pattern, replacement);
      assert(changed !== read(name));
      assertStringIncludes(looseEnds(changed).join("\n"), says);
    });
  }
}

Deno.test("workflows: one version of each action", () => {
  const uses = NAMES.flatMap((name) => [...read(name).matchAll(/uses: (\S+)@(\S+) # (\S+)/g)]);
  const versions = new Map<string, string>();
  for (const [, action = "", commit, version] of uses) {
    assertEquals(versions.get(action) ?? `${commit} ${version}`, `${commit} ${version}`, action);
    versions.set(action, `${commit} ${version}`);
  }
  assert(versions.size >= 5);
});

const matrix = (job: string) => load(read("release.yml")).jobs[job]?.strategy?.matrix ?? {};

Deno.test("release.yml: executables by Deno for each target that it has a runtime for", () => {
  const wanted = targets.filter(({ deno }) => deno).map(({ triple }) => triple);
  assertEquals(matrix("executables")["target"]?.toSorted(), wanted.toSorted());
});

Deno.test("release.yml: what was built is tried out on every system and processor before it is published", () => {
  const { jobs } = load(read("release.yml"));
  const tried = (matrix("smoke")["include"] ?? []).map((row) => (row as { target: string }).target);
  const wanted = targets.filter(({ triple }) => !triple.endsWith("musl")).map(({ triple }) => triple);
  assertEquals(tried.toSorted(), wanted.toSorted());
  assertEquals(jobs["publish"]?.needs, ["archives", "executables", "smoke"]);
});

Deno.test("release.yml: provenance of every file and of the image", () => {
  const { jobs } = load(read("release.yml"));
  const attested = (job: string) =>
    jobs[job]?.steps.filter(({ uses }) => uses?.startsWith("actions/attest-build-provenance@"))
      .map((step) => Object.keys(step.with ?? {}).sort());
  assertEquals(attested("publish"), [["subject-checksums"]]);
  assertEquals(attested("image"), [["push-to-registry", "subject-digest", "subject-name"]]);
});

Deno.test("ci.yml: the same tests and the same trial on Linux, macOS and Windows", () => {
  const { test } = load(read("ci.yml")).jobs;
  const runners = (test?.strategy?.matrix["runner"] ?? []).map((runner) => `${runner}`.replace(/-.*/, ""));
  assertEquals(runners.toSorted(), ["macos", "ubuntu", "windows"]);
  const scripts = test?.steps.map((step) => step.run) ?? [];
  for (const script of ["make", "make smoke", "make test"]) assert(scripts.includes(script), script);
  assertEquals(test?.steps.filter((step) => step.if !== undefined), []);
});

const scripts = NAMES.flatMap((name) =>
  Object.entries(load(read(name)).jobs).flatMap(([job, { steps }]) =>
    steps.flatMap(({ run, shell }) =>
      run !== undefined && shell !== "pwsh" ? [{ at: `${name} ${job}`, run }] : []
    )
  )
);

Deno.test("workflows: they call make for what it has", async () => {
  const makefile = await Deno.readTextFile(join(ROOT, "Makefile"));
  const called = scripts.flatMap(({ run }) =>
    [...run.matchAll(/(?:^|\s)make ([a-z-]+)/g)].map((match) => match[1])
  );
  assert(called.length >= 8);
  for (const target of called) assert(new RegExp(`^${target}:`, "m").test(makefile), target);
});

const shellcheck = await run(["shellcheck", "--version"]).then(({ code }) => code === 0, () => false);

Deno.test({
  name: "workflows: their scripts are clean to shellcheck",
  ignore: !shellcheck,
  fn: async () => {
    for (const { at, run: script } of scripts) {
      const { code, stdout } = await run(["shellcheck", "--shell=bash", "-"], {
        stdin: `set -eo pipefail\n${script}`,
      });
      assertEquals({ code, stdout }, { code: 0, stdout: "" }, `${at}: ${script}`);
    }
  },
});

Deno.test("workflows: GitHub's own parser takes them, and would not take others", () =>
  withFolder({}, async (folder) => {
    const program = join(folder, "parser.js");
    await bundle("tests/toolchain/workflow-parser.ts", program);
    const errors = async (...paths: string[]): Promise<string[]> => {
      const words = [Deno.execPath(), "run", "--no-config", "--allow-read", "--allow-env", program, ...paths];
      const { code, stdout, stderr } = await run(words);
      assertEquals(code, 0, stderr);
      return JSON.parse(stdout);
    };
    assertEquals(await errors(...NAMES.map((name) => join(FOLDER, name))), []);
    const broken: Readonly<Record<string, readonly [RegExp, string]>> = {
      "Unexpected value 'runs_on'": [/runs-on/, "runs_on"],
      "Unexpected value 'conents'": [/contents: read/, "conents: read"],
      "Unrecognized named-value: 'matrx'": [/\$\{\{ matrix/, "${{ matrx"],
      "depends on unknown job": [/needs: archives/, "needs: archive"],
    };
    for (const [says, [pattern, replacement]] of Object.entries(broken)) {
      const path = join(folder, "broken.yml");
      await Deno.writeTextFile(path, read("release.yml").replace(pattern, replacement));
      assertStringIncludes((await errors(path)).join("\n"), says);
    }
  }));
