/** What gates do with streams, files and permissions that misbehave, and what they say in each form. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { VERSION } from "../../lib/contract/version.ts";
import { registry } from "../../toolchain/registry.ts";
import { denoFlags } from "../../toolchain/permissions.ts";
import { type Flavour, flavours, intoFullPipe, type Outcome, ROOT, run, withFolder } from "../black-box.ts";
import { contentOf, findGate, readCases } from "./cases.ts";

const NAME = "post-code";
const VARIABLE = "OAIES_VERIFY_EVIDENCE";
const GOOD = { good: "status=passed\nartifact=a\n", bad: "status=failed\nartifact=a\n" };

/** Starts a gate with what a shell does to its standard streams. */
function shell(flavour: Flavour, redirections: string): readonly string[] {
  return ["sh", "-c", `"$@" ${redirections}`, "sh", ...flavour.start(NAME)];
}

function assertNoTrace({ stdout, stderr }: Outcome): void {
  assert(!/\n\s+at |\bat [^ ]+ \(|file:\/\//.test(stdout + stderr), `a stack trace: ${stderr}`);
}

for (const flavour of flavours()) {
  const test = (title: string, check: (folder: string) => Promise<void>) =>
    Deno.test(`gates (${flavour.name}) robust: ${title}`, () => withFolder(GOOD, check));
  const gate = (cwd: string, file: string, options: Parameters<typeof run>[1] = {}, name = NAME) =>
    run(flavour.start(name), { cwd, ...options, env: { [VARIABLE]: file, ...options.env } });

  test("--help tells what is declared, and exits 0 whatever is", async (folder) => {
    for (const { folder: kind, unit } of registry) {
      if (kind !== "gates" || unit.kind !== "gate") continue;
      const outcome = await run(flavour.start(unit.name), { args: ["--help"], cwd: folder });
      assertEquals([outcome.code, outcome.stderr], [0, ""]);
      for (const { variable } of unit.declarations) assertStringIncludes(outcome.stdout, `  ${variable}  `);
      assertStringIncludes(outcome.stdout, unit.summary);
    }
  });

  test("--version", async (folder) => {
    const outcome = await gate(folder, "bad", { args: ["--version"] });
    assertEquals(outcome, { code: 0, stdout: `${NAME} ${VERSION}\n`, stderr: "" });
  });

  test("--json: the verdict alone on standard output", async (folder) => {
    const head = { gate: NAME, version: VERSION };
    const line = (verdict: unknown) => `${JSON.stringify(verdict)}\n`;
    const passed = { ...head, exit: 0, decision: "pass", dryRun: false, findings: [] };
    assertEquals(await gate(folder, "good", { args: ["--json"] }), {
      code: 0,
      stdout: line(passed),
      stderr: "",
    });
    const message = 'status is "failed", not "passed"';
    const finding = { id: "not-passed", message, file: "bad", line: 1, declaration: VARIABLE };
    const failed = { ...head, exit: 70, decision: "fail", dryRun: true, findings: [finding] };
    const outcome = await gate(folder, "bad", { args: ["--json", "--dry-run"] });
    assertEquals([outcome.code, outcome.stdout], [70, line(failed)]);
    assertMatch(outcome.stderr, /^post-code: bad:1: status is "failed", not "passed"\nTo recover: /);
  });

  test("--json: of a gate that is called wrongly, too", async (folder) => {
    const { code, stdout } = await gate(folder, "good", { args: ["--json", "--bogus"] });
    const finding = {
      id: "usage",
      message: 'unknown argument "--bogus"',
      file: null,
      line: null,
      declaration: null,
    };
    const verdict = {
      gate: NAME,
      version: VERSION,
      exit: 64,
      decision: "fail",
      dryRun: false,
      findings: [finding],
    };
    assertEquals([code, JSON.parse(stdout)], [64, verdict]);
  });

  test("in GitHub Actions each finding is annotated, and in no other place", async (folder) => {
    const { code, stderr, stdout } = await gate(folder, "bad", { env: { GITHUB_ACTIONS: "true" } });
    assertEquals([code, stdout], [70, ""]);
    const note = '::error file=bad,line=1,title=post-code::status is "failed", not "passed"';
    assertEquals(stderr.split("\n").filter((line) => line.startsWith("::")), [note]);
    for (const value of ["false", "1", "TRUE", ""]) {
      const outcome = await gate(folder, "bad", { env: { GITHUB_ACTIONS: value } });
      assert(!outcome.stderr.includes("::error"), value);
    }
    assertEquals((await gate(folder, "good", { env: { GITHUB_ACTIONS: "true" } })).stderr, "");
  });

  test("a file's name and value cannot give a runner commands", async (folder) => {
    await Deno.writeTextFile(join(folder, "bad"), "status=::error::x\nartifact=##[add-mask]y\n");
    const names = flavour.posix ? ["bad", "::stop-commands::x", "a\n::error::b", "##[add-mask]z"] : ["bad"];
    for (const file of names) {
      for (const args of [[], ["--json"]]) {
        const { stdout, stderr } = await gate(folder, file, { args });
        for (const line of `${stdout}\n${stderr}`.split("\n")) {
          assert(!/^\s*::|##\[/.test(line), `${JSON.stringify(file)}: ${line}`);
        }
      }
    }
  });

  test("what stands on standard input is not read", async (folder) => {
    assertEquals((await gate(folder, "good", { stdin: "x".repeat(1_000_000) })).code, 0);
    assertEquals(
      (await run(shell(flavour, "</dev/zero"), { cwd: folder, env: { [VARIABLE]: "good" } })).code,
      0,
    );
  });

  test("a variable that is set to nothing is not declared", async (folder) => {
    assertEquals((await gate(folder, "")).code, 64);
  });

  test("nothing is run, written or fetched", async (folder) => {
    const before = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    for (
      const file of [
        "$(touch trace)",
        "`touch trace`",
        "good;touch trace",
        "|touch trace",
        "http://127.0.0.1:9/",
      ]
    ) {
      assertEquals((await gate(folder, file)).code, 65);
    }
    await Deno.writeTextFile(join(folder, "bad"), "status=$(touch trace)\nartifact=`touch trace`\n");
    assertEquals((await gate(folder, "bad")).code, 70);
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), before);
  });

  if (!flavour.posix) continue;

  test("a full disk under the verdict is a failure", async (folder) => {
    const env = { [VARIABLE]: "good" };
    for (const args of [[], ["--json"], ["--help"], ["--version"]]) {
      const outcome = await run(shell(flavour, ">/dev/full"), { args, cwd: folder, env });
      assertEquals(outcome.code, 70, args.join());
      assertMatch(outcome.stderr, /^post-code: the gate itself failed: .*\nTo recover: /);
      assertNoTrace(outcome);
    }
    assertEquals((await run(shell(flavour, ">/dev/full 2>/dev/full"), { cwd: folder, env })).code, 70);
  });

  test("a reader that has gone is a failure", async (folder) => {
    const words = ["bash", "-c", `"$@" > >(exec true); echo "exit $?" >&2`, "bash", ...flavour.start(NAME)];
    const slow = [
      "bash",
      "-c",
      `exec 3> >(exec true); sleep 0.3; "$@" >&3; echo "exit $?" >&2`,
      ...words.slice(3),
    ];
    const outcome = await run(slow, { cwd: folder, env: { [VARIABLE]: "good" } });
    assertMatch(outcome.stderr, /exit 70\n$/);
    assertNoTrace(outcome);
  });

  test("streams that are full or closed change no failure", async (folder) => {
    for (const [file, code] of [["bad", 70], ["none", 65], ["", 64]] as const) {
      for (
        const streams of [
          "2>/dev/full",
          ">/dev/full",
          ">/dev/full 2>/dev/full",
          ">&-",
          "2>&-",
          "<&- >&- 2>&-",
        ]
      ) {
        for (const args of [[], ["--json"]]) {
          const outcome = await run(shell(flavour, streams), {
            args,
            cwd: folder,
            env: { [VARIABLE]: file },
          });
          assertEquals(outcome.code, code, `${file} ${streams}`);
        }
      }
    }
  });

  test("standard error that cannot be written leaves the JSON whole", async (folder) => {
    const outcome = await run(shell(flavour, "2>/dev/full"), {
      args: ["--json"],
      cwd: folder,
      env: { [VARIABLE]: "bad" },
    });
    assertEquals(JSON.parse(outcome.stdout).exit, 70);
  });

  test("a very long report is written whole through a slow pipe", async (folder) => {
    await Deno.writeTextFile(join(folder, "bad"), `${"x".repeat(1_900)}\n`.repeat(500));
    const words = ["bash", "-c", `"$@" 2>&1 | { sleep 0.3; cat; }`, "bash", ...flavour.start(NAME)];
    const { stdout } = await run(words, { cwd: folder, env: { [VARIABLE]: "bad", GITHUB_ACTIONS: "true" } });
    assertEquals(stdout.match(/^post-code: bad/gm)?.length, 101);
    assertEquals(stdout.match(/^::error /gm)?.length, 101);
  });

  test("a reader that does not block and comes late is waited for, however long it takes", async (folder) => {
    // The pipe is full until seven seconds after the start, longer than a hook may take.
    const words = intoFullPipe(flavour.start(NAME), 7);
    const outcome = await run(words, { cwd: folder, env: { [VARIABLE]: "good" } });
    assertEquals([outcome.code, outcome.stdout.split(": ")[1]], [0, "passed"], outcome.stderr);
  });

  test("a file that may not be read", async (folder) => {
    const file = join(folder, "good");
    await Deno.chmod(file, 0o000);
    // To root every file is readable: as another user, where there is the means to become one.
    const other = Deno.uid() === 0
      ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"]
      : [];
    await Deno.chmod(folder, 0o755);
    if (other.length > 0) {
      // Not all that the gate itself needs need be open to others.
      const able = await run([...other, ...flavour.start(NAME)], { args: ["--version"] }).catch(() =>
        undefined
      );
      if (able?.code !== 0) return;
    }
    const outcome = await run([...other, ...flavour.start(NAME)], {
      cwd: folder,
      env: { [VARIABLE]: "good" },
    });
    assertEquals([outcome.code, outcome.stderr.split("\n")[0]], [65, "post-code: good: cannot be read"]);
  });
}

// Deno holds a gate to its permissions, compiled or run; Bun knows none.
const DENO = Deno.execPath();
const gates = registry.flatMap(({ unit, permissions }) =>
  unit.kind === "gate" ? [{ gate: unit, permissions }] : []
);

function underDeno(name: string, flags: readonly string[]): readonly string[] {
  return [DENO, "run", "--cached-only", ...flags, join(ROOT, "gates", `${name}.ts`)];
}

/** A repository in which nothing is staged, with what lets a gate pass. */
async function withPassing(
  name: string,
  use: (folder: string, env: Record<string, string>) => Promise<void>,
): Promise<void> {
  const passing = readCases().find((cases) => cases.name === name)?.passing;
  if (!passing) throw new Error(`There are no cases of ${name}`);
  const files = Object.entries(passing.files).map(([path, file]) => [path, contentOf(file) ?? ""] as const);
  await withFolder(Object.fromEntries(files), async (folder) => {
    await run(["git", "init", "--quiet"], { cwd: folder, env: { HOME: folder } });
    await use(folder, { ...passing.env, HOME: folder });
  });
}

if (!Deno.env.get("NONZERO_DIST")) {
  for (const { gate, permissions } of gates) {
    Deno.test(`gates: ${gate.name} passes with its permissions, and not with any of them taken away`, () =>
      withPassing(gate.name, async (folder, env) => {
        const start = (flags: readonly string[]) => run(underDeno(gate.name, flags), { cwd: folder, env });
        const whole = await start(denoFlags(permissions));
        assertEquals(
          [whole.code, whole.stdout],
          [0, `${gate.name}: passed: ${gate.summary}\n`],
          whole.stderr,
        );
        const { env: variables = [], ...others } = permissions;
        const lesser = [
          ...variables.map((name) => ({ ...others, env: variables.filter((other) => other !== name) })),
          // A gate that reads no file has nothing to lose there.
          ...gate.declarations.every(({ kind }) => kind === "word") ? [] : [{ ...permissions, read: [] }],
          ...permissions.run ? [{ ...permissions, run: [] }] : [],
        ];
        for (const some of lesser) {
          const outcome = await start(denoFlags(some));
          assert([65, 70].includes(outcome.code), `${denoFlags(some)}: ${JSON.stringify(outcome)}`);
          assertMatch(outcome.stderr, new RegExp(`^(?:${gate.name}: .*\\n)+To recover: `));
          assertEquals(outcome.stdout, "");
          assertNoTrace(outcome);
        }
      }));

    Deno.test(`gates: ${gate.name} asks for nothing but to read, and its variables`, () =>
      withPassing(gate.name, async (folder, passing) => {
        const log = join(folder, "asked.jsonl");
        const env = { ...passing, DENO_AUDIT_PERMISSIONS: log };
        const { code } = await run(underDeno(gate.name, denoFlags(permissions)), { cwd: folder, env });
        assertEquals(code, 0);
        const asked: { permission: string; value: string }[] = (await Deno.readTextFile(log)).trim().split(
          "\n",
        )
          .map((line) => JSON.parse(line));
        // Deno does not note what is run. Of a file that is opened to be read it also notes that it looked whether it
        // may be written, and does without.
        const opened = new Set(
          asked.filter(({ permission }) => permission === "read").map(({ value }) => value),
        );
        const kinds = new Set<string>();
        for (const { permission, value } of asked) {
          if (permission === "write" && opened.has(value)) continue;
          kinds.add(permission);
          const allowed = permissions[permission as keyof typeof permissions];
          const fits = allowed === true || Array.isArray(allowed) && allowed.includes(value);
          assert(fits, `${gate.name} asks for ${permission} of ${value}`);
        }
        const files = gate.declarations.some(({ kind }) => kind !== "word");
        assertEquals([...kinds].sort(), ["env", ...files ? ["read"] : []]);
      }));
  }

  Deno.test("gates: may read, and look at their own variables; pre-commit alone may run git", () => {
    for (const { gate, permissions: { read, env = [], run: programs, ...others } } of gates) {
      assertEquals([read, others], [true, {}], gate.name);
      assertEquals(programs, gate.name === "pre-commit" ? ["git"] : undefined);
      const own = [...gate.declarations.map(({ variable }) => variable), "GITHUB_ACTIONS"];
      assertEquals(env.slice(0, own.length), own);
      if (!gate.staged) assertEquals(env.length, own.length);
    }
    assertEquals(gates.length, 12);
    assertEquals(findGate("pre-commit").staged, true);
  });
}
