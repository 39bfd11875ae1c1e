/** What data cannot say of `nonzero doctor`: damaged executables, odd files, its words and its options. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { type Outcome, ROOT, run, withFolder } from "../black-box.ts";
import { expand } from "../expand.ts";
import {
  canRun,
  findProgram,
  fromSources,
  hooks,
  nonzero,
  posix,
  type Report,
  runNonzero,
  wiring,
  writeScript,
} from "./wired.ts";

/** A copy of the program under test in `bin`, where it may be damaged. */
async function copyProgram(folder: string): Promise<string> {
  const path = join(folder, "bin", "nonzero");
  await Deno.mkdir(dirname(path));
  await Deno.copyFile(await findProgram(folder), path);
  return path;
}

async function wire(folder: string, settings: unknown): Promise<string> {
  const file = join(folder, "home", ".claude", "settings.json");
  await Deno.mkdir(dirname(file), { recursive: true });
  await Deno.mkdir(join(folder, "project"), { recursive: true });
  await Deno.writeTextFile(file, JSON.stringify(settings));
  return file;
}

async function report(folder: string, args: readonly string[] = []): Promise<Report> {
  const { code, stdout, stderr } = await runNonzero(folder, ["doctor", "--json", ...args]);
  assertEquals(stderr, "");
  const report: Report = JSON.parse(stdout);
  assertEquals(code, report.exit);
  return report;
}

const ids = ({ findings }: Report) =>
  findings.filter(({ level }) => level !== "note").map(({ level, id }) => `${level} ${id}`);
const verdicts = ({ entries }: Report) => entries.map(({ verdict }) => verdict);

/** Installs into the project of the folder, and gives the settings file that was written. */
async function install(folder: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  await Deno.mkdir(join(folder, "project", ".git"), { recursive: true });
  const args = ["install", "--local", "--no-rules", "--program", await findProgram(folder)];
  const { code, stdout, stderr } = await runNonzero(folder, args, { env });
  assertEquals(code, 0, `${stdout}${stderr}`);
  return join(folder, "project", ".claude", "settings.local.json");
}

/** What there is where all hooks are wired: the guard, twice the stop guard, two observers. */
const ALL = ["pre-tool-use", "stop-guard", "stop-guard", "session-start", "instructions-loaded"];

if (canRun && posix) {
  const test = (name: string, check: (folder: string) => Promise<void>) =>
    Deno.test(`doctor: ${name}`, () => withFolder({}, check));

  test("a sound install is told in a table", async (folder) => {
    const program = await copyProgram(folder);
    const file = await wire(folder, { hooks: wiring(program) });
    const { code, stdout, stderr } = await runNonzero(folder, ["doctor"]);
    assertEquals([code, stderr], [0, ""], stdout);
    const [head = "", ...rows] = stdout.split("\n\n")[0]?.split("\n") ?? [];
    assertMatch(head, /^PLACE {2}EVENT +HOOK +HARMLESS +MUST REFUSE +VERDICT$/);
    assertEquals(rows.length, 5);
    const column = head.indexOf("VERDICT");
    for (const row of rows) assertEquals(row.slice(column), "sound", row);
    assertMatch(rows[0] ?? "", /^user +PreToolUse +pre-tool-use +exit 0, \d+ ms +exit 2, \d+ ms +sound$/);
    assertMatch(rows[1] ?? "", /^user +Stop +stop-guard +exit 0, \d+ ms +exit 0, \d+ ms +sound$/);
    assertMatch(rows[3] ?? "", /^user +SessionStart +session-start +exit 0, \d+ ms +- +sound$/);
    assertMatch(stdout, /\nSound: 5 hooks asked\.\n$/);
    const { entries, ...rest } = await report(folder);
    assertEquals([rest.ok, entries.map(({ hook }) => hook)], [true, ALL]);
    for (const { place, file: named, command, harmless } of entries) {
      assertEquals([place, named, harmless?.code], ["user", file, 0]);
      assert(command.startsWith(`${program} -z hook `), command);
      assert((harmless?.ms ?? 0) > 0);
    }
  });

  test("the executable is removed", async (folder) => {
    const program = await copyProgram(folder);
    await wire(folder, { hooks: wiring(program) });
    await Deno.remove(program);
    const removed = await report(folder);
    assertEquals([removed.exit, ids(removed)], [1, ALL.slice(1).map(() => "warning program-missing")]);
    assertEquals(verdicts(removed), ALL.map(() => "missing"));
  });

  test("the executable may not be executed", async (folder) => {
    const program = await copyProgram(folder);
    await wire(folder, { hooks: wiring(program, { guardOnly: true }) });
    await Deno.chmod(program, 0o644);
    const open = await report(folder);
    assertEquals([open.exit, ids(open), verdicts(open)], [1, ["warning not-executable"], ["not executable"]]);
    assertStringIncludes(open.findings[0]?.fix ?? "", "chmod +x");
  });

  test("the executable may not be executed, and the tools run", async (folder) => {
    const program = await copyProgram(folder);
    const { onFailure: _, ...handler } = {
      type: "command",
      command: program,
      args: ["-z", "hook", "pre-tool-use", "--harness", "claude"],
      onFailure: "block",
    };
    await wire(folder, { hooks: { PreToolUse: [{ hooks: [handler] }] } });
    await Deno.chmod(program, 0o644);
    const open = await report(folder);
    assertEquals([open.exit, ids(open)], [2, ["error not-executable", "warning no-on-failure"]]);
  });

  test("the executable is replaced by true", async (folder) => {
    const program = await copyProgram(folder);
    await wire(folder, { hooks: wiring(program) });
    await Deno.copyFile("/bin/true", program);
    const replaced = await report(folder);
    assertEquals(replaced.exit, 2);
    assertEquals(verdicts(replaced), [
      "does not refuse",
      "does not refuse",
      "does not refuse",
      "does nothing",
      "does nothing",
    ]);
    assertEquals(ids(replaced), [
      ...ALL.slice(0, 3).map(() => "error does-not-refuse"),
      ...ALL.slice(3).map(() => "warning does-nothing"),
    ]);
  });

  test("the executable is cut short", async (folder) => {
    const program = await copyProgram(folder);
    await wire(folder, { hooks: wiring(program, { guardOnly: true }) });
    await Deno.truncate(program, 100);
    const cut = await report(folder);
    assertEquals(cut.exit, 1, JSON.stringify(cut));
    assertEquals(
      cut.findings[0]?.id === "does-not-judge" || cut.findings[0]?.id === "refuses-harmless",
      true,
    );
  });

  test("a program that never ends is given up, and all that it has started", async (folder) => {
    const program = join(folder, "bin", "nonzero");
    await Deno.mkdir(dirname(program));
    // What it starts in turn is known by its name.
    await writeScript(program, `sh -c 'sleep 60; exit' '${program}-inner' | cat`);
    await wire(folder, { hooks: wiring(program) });
    const start = performance.now();
    const hanging = await report(folder);
    const seconds = (performance.now() - start) / 1000;
    assertEquals([hanging.exit, ids(hanging)], [1, ALL.map(() => "warning hangs")]);
    assertEquals(verdicts(hanging), ["hangs", ...ALL.slice(1).map(() => "not asked")]);
    assertEquals(hanging.entries[0]?.mustRefuse?.code, null);
    assert(seconds > 9 && seconds < 20, `${seconds} s`);
    const { stdout } = await run(["ps", "-A", "-o", "args"]);
    assert(!stdout.split("\n").some((line) => line.includes(program)), stdout);
  });

  test("a program that never ends, and the tools run", async (folder) => {
    const program = join(folder, "bin", "nonzero");
    await Deno.mkdir(dirname(program));
    await writeScript(program, "exec sleep 60");
    const handler = { type: "command", command: program, args: ["-z", "hook", "pre-tool-use"] };
    await wire(folder, { hooks: { PreToolUse: [{ hooks: [handler] }] } });
    const hanging = await report(folder);
    assertEquals([hanging.exit, verdicts(hanging)], [2, ["hangs"]]);
    assertEquals(ids(hanging), ["error does-not-refuse", "warning no-on-failure"]);
    assertStringIncludes(hanging.findings[0]?.message ?? "", "took too long");
  });

  test("checksums that have the executable are no finding", async (folder) => {
    const program = await copyProgram(folder);
    await wire(folder, { hooks: wiring(program, { guardOnly: true }) });
    const before = await report(folder);
    assertEquals(before.findings.map(({ level, id }) => `${level} ${id}`), ["note no-checksums"]);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await Deno.readFile(program)));
    const hex = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    for (const at of ["bin/SHA256SUMS", "SHA256SUMS"]) {
      await Deno.writeTextFile(join(folder, at), `${"0".repeat(64)}  other\n${hex} *nonzero\n`);
      assertEquals((await report(folder)).findings, [], at);
      await Deno.remove(join(folder, at));
    }
  });

  test("the hook's own executable by its name", async (folder) => {
    if (fromSources) return;
    const program = join(dirname(nonzero[0] ?? ""), "hooks", "pre-tool-use");
    const handler = { type: "command", command: program, onFailure: "block" };
    const wired = async (args: readonly string[]) => {
      await wire(folder, { hooks: { PreToolUse: [{ hooks: [{ ...handler, args }] }] } });
      return await report(folder);
    };
    const sound = await wired(["-z", "--harness", "claude"]);
    assertEquals([ids(sound), verdicts(sound)], [[], ["sound"]]);
    const bare = await wired([]);
    assertEquals([ids(bare), bare.exit], [["warning no-arguments", "warning no-denial"], 1]);
  });

  test("a home that a variable alone calls so is a project as any other", async (folder) => {
    const home = join(folder, "home");
    await Deno.mkdir(join(home, "bin"));
    await writeScript(join(home, "bin", "nonzero"), `touch '${folder}/ran'`);
    const outside = join(folder, "bin", "nonzero");
    await Deno.mkdir(dirname(outside));
    await writeScript(outside, `touch '${folder}/ran'`);
    for (const program of [join(home, "bin", "nonzero"), outside]) {
      await wire(folder, { hooks: wiring(program, { guardOnly: true }) });
      const odd = await report(folder, ["--project-dir", home]);
      assertEquals(verdicts(odd), ["not run"]);
      await Deno.lstat(join(folder, "ran")).then(() => assert(false), () => {});
    }
  });

  test("variables that lead into the repository have nothing of it run", async (folder) => {
    const program = join(folder, "bin", "nonzero");
    await Deno.mkdir(dirname(program));
    await writeScript(program, `touch '${folder}/ran'`);
    const inProject = join(folder, "project", "agent");
    await Deno.mkdir(join(inProject, "plugins"), { recursive: true });
    const wired = JSON.stringify({ hooks: wiring(program, { guardOnly: true }) });
    await Deno.writeTextFile(join(inProject, "settings.json"), wired);
    const run = async (env: Readonly<Record<string, string>>): Promise<Report> => {
      const { stdout } = await runNonzero(folder, ["doctor", "--json"], { env });
      await Deno.lstat(join(folder, "ran")).then(() => assert(false, stdout), () => {});
      return JSON.parse(stdout);
    };
    const agent = await run({ CLAUDE_CONFIG_DIR: inProject });
    assertEquals([verdicts(agent), ids(agent)], [["not run"], ["warning not-run"]]);
    const home = join(folder, "project", "home");
    await Deno.mkdir(join(home, ".claude"), { recursive: true });
    await Deno.writeTextFile(join(home, ".claude", "settings.json"), wired);
    assertEquals(verdicts(await run({ HOME: home })), ["not run"]);
  });

  test("a hook is told nothing of where the repository is", async (folder) => {
    const program = join(folder, "bin", "nonzero");
    await Deno.mkdir(dirname(program));
    await writeScript(program, `{ env; pwd; cat; } >> '${folder}/told'; exit 0`);
    await wire(folder, { hooks: wiring(program, { guardOnly: true }) });
    const env = { OLDPWD: join(folder, "project"), LD_AUDIT: join(folder, "project", "x.so") };
    const { code } = await runNonzero(folder, ["doctor"], { env });
    assertEquals(code, 2);
    const told = await Deno.readTextFile(join(folder, "told"));
    assertStringIncludes(told, "CLAUDECODE=1");
    assert(!told.includes(join(folder, "project")), told);
  });

  test("no folder for temporary files", async (folder) => {
    await wire(folder, { hooks: wiring(await findProgram(folder), { guardOnly: true }) });
    const { code, stdout } = await runNonzero(folder, ["doctor", "--json"], {
      env: { TMPDIR: join(folder, "missing") },
    });
    assertEquals([code, ids(JSON.parse(stdout))], [2, ["error no-temporary-folder"]]);
  });

  test("nothing that is no file is waited for", async (folder) => {
    const program = await findProgram(folder);
    await wire(folder, { hooks: wiring(program, { guardOnly: true }) });
    await Deno.mkdir(join(folder, "project", ".claude"));
    await run(["mkfifo", join(folder, "project", ".claude", "settings.json")]);
    const odd = await report(folder);
    // As a settings file and as one that may switch hooks off.
    assertEquals([...new Set(ids(odd))], ["warning file-unread"]);
    assertEquals(verdicts(odd), ["sound"]);
  });

  test("neither control characters nor secrets of a file are printed", async (folder) => {
    const token = expand("gh{|}p_{alnum:36}");
    const command = `/no/such/\u001b[31m${token}/nonzero`;
    await wire(folder, {
      env: { LD_PRELOAD: token },
      hooks: { ...wiring(command, { guardOnly: true }), [`\u001b]0;x\u0007${token}`]: [] },
    });
    const outcomes: Outcome[] = [
      await runNonzero(folder, ["doctor"]),
      await runNonzero(folder, ["doctor", "--json"]),
    ];
    for (const { code, stdout, stderr } of outcomes) {
      assertEquals(code, 1, stdout);
      assert(!`${stdout}${stderr}`.includes(token), stdout);
      // deno-lint-ignore no-control-regex -- what a terminal obeys
      assert(!/[\x00-\x09\x0b-\x1f\x7f]/.test(stdout), stdout);
      assertStringIncludes(stdout, "unknown-event");
      assertStringIncludes(stdout, "program-missing");
    }
  });

  test("mistakes on the command line", async (folder) => {
    await Deno.mkdir(join(folder, "project"));
    await Deno.writeTextFile(join(folder, "project", "file"), "");
    const mistakes = [
      ["--colour"],
      ["here"],
      ["--project-dir", "missing"],
      ["--project-dir", "file"],
      ["--project-dir", ""],
    ];
    for (const args of mistakes) {
      const { code, stdout, stderr } = await runNonzero(folder, ["doctor", ...args]);
      assertEquals([code, stdout], [64, ""], args.join(" "));
      assertMatch(stderr, /^nonzero: .+\nRun nonzero --help for what there is\.\n$/);
    }
  });

  test("--help says what the exit codes mean", async (folder) => {
    await Deno.mkdir(join(folder, "project"));
    const { code, stdout } = await runNonzero(folder, ["doctor", "--help"]);
    assertEquals(code, 0);
    for (const part of ["--json", "--client", "--project-dir", "64", "2 a guard does not refuse"]) {
      assertStringIncludes(stdout, part);
    }
  });

  test("no home at all", async (folder) => {
    await Deno.mkdir(join(folder, "project"));
    const { code, stdout } = await runNonzero(folder, ["doctor", "--json"], { env: { HOME: "" } });
    assertEquals(code, 2);
    assertStringIncludes(stdout, "no-wiring");
  });

  test("every hook is told of by its own name", () => {
    assertEquals(hooks.map(({ name }) => name).filter((name) => !ALL.includes(name)), ["evidence-guard"]);
    return Promise.resolve();
  });

  test("the evidence guard alone", async (folder) => {
    const program = await findProgram(folder);
    const handler = {
      type: "command",
      command: program,
      args: ["-z", "hook", "evidence-guard", "--harness", "claude"],
      onFailure: "block",
    };
    await wire(folder, { hooks: { PreToolUse: [{ hooks: [handler] }] } });
    const alone = await report(folder);
    assertEquals([ids(alone), verdicts(alone), alone.entries[0]?.hook], [[], ["sound"], "evidence-guard"]);
  });

  test("what the user has installed into the project is run", async (folder) => {
    const file = await install(folder);
    const installed = await report(folder);
    assertEquals([ids(installed), verdicts(installed)], [[], ALL.map(() => "sound")]);
    for (const entry of installed.entries) assertEquals([entry.place, entry.file], ["local", file]);
  });

  test("what the repository makes of an install is not run", async (folder) => {
    const file = await install(folder);
    const text = await Deno.readTextFile(file);
    const program = await findProgram(folder);
    const script = join(folder, "bin", "nonzero");
    await Deno.mkdir(dirname(script));
    await writeScript(script, `touch '${folder}/ran'`);
    const other = text.replaceAll(JSON.stringify(program), JSON.stringify(script));
    assert(other !== text);
    const settings = join(folder, "home", ".claude", "settings.json");
    const words = (...args: string[]) =>
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: "command", command: program, args }] }] } });
    for (const changed of [other, words("install", "--user"), words("-z", "install", "--user")]) {
      await Deno.writeTextFile(file, changed);
      const report_ = await report(folder);
      assertEquals([...new Set(verdicts(report_))], ["not run"], changed);
      assert(ids(report_).includes("warning not-run"), JSON.stringify(report_));
      for (const path of [settings, join(folder, "ran")]) {
        await Deno.lstat(path).then(() => assert(false, path), () => {});
      }
    }
  });

  test("a record that comes with the repository counts for nothing", async (folder) => {
    const env = { XDG_STATE_HOME: join(folder, "project", "state") };
    await install(folder, env);
    const { stdout } = await runNonzero(folder, ["doctor", "--json"], { env });
    assertEquals([...new Set(verdicts(JSON.parse(stdout)))], ["not run"]);
  });

  test("settings of whoever manages the machine", async (folder) => {
    const program = await findProgram(folder);
    const user = await wire(folder, { hooks: wiring(program, { guardOnly: true }) });
    const managed = join(folder, "managed.json");
    const examined = async (settings: unknown): Promise<Report> => {
      await Deno.writeTextFile(managed, JSON.stringify(settings));
      const words = [
        Deno.execPath(),
        "run",
        "--quiet",
        "--no-check",
        "-A",
        "--config",
        join(ROOT, "deno.json"),
      ];
      const { stdout, stderr } = await run(
        [...words, join(ROOT, "tests", "entries", "examined.ts"), `managed=${managed}`, `user=${user}`],
        { cwd: join(folder, "project"), env: { HOME: join(folder, "home") } },
      );
      assertEquals(stderr, "");
      return JSON.parse(stdout);
    };
    const wired = wiring(program, { guardOnly: true });
    const plain = await examined({});
    assertEquals([ids(plain), verdicts(plain)], [[], ["sound"]]);
    const both = await examined({ hooks: wired });
    assertEquals([ids(both), verdicts(both)], [["warning wired-twice"], ["sound", "sound"]]);
    assertEquals(both.entries.map(({ place }) => place), ["managed", "user"]);
    assertEquals(ids(await examined({ allowManagedHooksOnly: true })), ["error managed-only"]);
    assertEquals(ids(await examined({ allowManagedHooksOnly: true, hooks: wired })), ["warning wired-twice"]);
    for (const strictPluginOnlyCustomization of [true, ["hooks"], ["skills", "hooks"]]) {
      const alone = await examined({ strictPluginOnlyCustomization });
      assertEquals(ids(alone), ["error managed-only"], JSON.stringify(strictPluginOnlyCustomization));
      const beside = await examined({ strictPluginOnlyCustomization, hooks: wired });
      assertEquals(ids(beside), ["warning wired-twice"]);
    }
    assertEquals(ids(await examined({ strictPluginOnlyCustomization: ["skills"] })), []);
    const safe = await examined({ env: { CLAUDE_CODE_SAFE_MODE: "1" } });
    assertEquals(ids(safe), ["error hooks-switched-off"]);
    assertEquals(ids(await examined({ disableAllHooks: true })), ["error hooks-switched-off"]);
    assertEquals(ids(await examined({ env: { BUN_BE_BUN: "1" } })), ["warning environment"]);
  });
}
