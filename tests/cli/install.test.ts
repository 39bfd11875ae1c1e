import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import fc from "fast-check";
import { wire } from "../../lib/harness/claude-wiring.ts";
import { toFile } from "../../lib/install/bytes.ts";
import { BEGIN, END } from "../../lib/install/section.ts";
import { pluginHooks } from "../../lib/cli/list.ts";
import { flavours, run } from "../black-box.ts";
import { registry } from "../../toolchain/registry.ts";
import { tree } from "../lib/install/tree.ts";
import {
  CASES,
  type Contents,
  placeProgram,
  POSIX,
  type Scene,
  snapshot,
  STAND_IN,
  startsScripts,
  stateOf,
  withStage,
} from "./installing.ts";

const readCases = (name: string) => JSON.parse(Deno.readTextFileSync(join(CASES, name)));

interface Refused extends Scene {
  readonly name: string;
  readonly args?: readonly string[];
  /** Whether it can be only on POSIX. */
  readonly posix?: boolean;
  readonly stderr: string;
}

interface Usage {
  readonly args: readonly string[];
  readonly stderr: string;
}

const PACKAGE = JSON.stringify({ scripts: { test: "x" }, dependencies: { ink: "6" } });

/** A text file's content. */
const text = (folder: string, path: string) => Deno.readTextFileSync(join(folder, path));

for (const flavour of flavours()) {
  const STATE = stateOf(flavour);
  const title = (what: string) => `install, ${flavour.name}: ${what}`;

  Deno.test(
    title("writes all of it, reads it back, and can be undone to the byte"),
    () =>
      withStage(
        flavour,
        { files: { "package.json": PACKAGE, "CLAUDE.md": "# Mine\r\nend" } },
        async (stage) => {
          const before = snapshot(stage.project);
          const { code, stdout, stderr } = await stage.install();
          assertEquals({ code, stderr }, { code: 0, stderr: "" });
          const RULES = ["evidence-contract", "proof-obligations", "tui-driving"].map((name) =>
            `.claude/rules/${name}.md`
          );
          const after = snapshot(stage.project);
          assertEquals(
            Object.keys(after),
            [...Object.keys(before), ".claude", ".claude/rules", ...RULES, ".claude/settings.local.json"]
              .toSorted(),
          );
          assert(text(stage.project, "CLAUDE.md").startsWith(`# Mine\r\nend\r\n\r\n${BEGIN}\r\n`));
          assertStringIncludes(text(stage.project, "CLAUDE.md"), "- test: `npm run test`\r\n");
          assertMatch(stdout, /^file +action +lines\nCLAUDE\.md +changed +\d+\n/);
          assertEquals([...stdout.matchAll(/^PASS {2}/gm)].length, 4);
          assertStringIncludes(stdout, "LOAD  no load yet\n");
          assertStringIncludes(
            stdout,
            "\nFOUND package.json, npm run test, ink for a terminal interface\nPASS",
          );
          const again = await stage.install();
          assertEquals(again.code, 0);
          assertEquals(snapshot(stage.project), after);
          assertEquals([...again.stdout.matchAll(/ unchanged /g)].length, 5);
          assertEquals((await stage.uninstall()).code, 0);
          assertEquals(snapshot(stage.project), before);
          assertEquals(Object.keys(snapshot(stage.home)).filter((path) => path.endsWith(".json")), []);
        },
      ),
  );

  Deno.test(
    title("the report as JSON"),
    () =>
      withStage(flavour, { files: { ".claude/rules/proof-obligations.md": "# Mine\n" } }, async (stage) => {
        const { code, stdout } = await stage.install("--json");
        const report = JSON.parse(stdout);
        assertEquals(code, 0);
        assertEquals(Object.keys(report).slice(0, 6), [
          "schema",
          "ok",
          "files",
          "criteria",
          "warnings",
          "conflicts",
        ]);
        assertEquals([report.schema, report.ok], [1, true]);
        assertEquals(report.files[0], { path: "CLAUDE.md", action: "created", lines: report.files[0].lines });
        assertEquals(report.files.map(({ path }: { path: string }) => path), [
          "CLAUDE.md",
          ".claude/rules/proof-obligations.nonzero.md",
          ".claude/rules/evidence-contract.md",
          ".claude/settings.local.json",
        ]);
        assertEquals(report.criteria.map(({ pass }: { pass: boolean }) => pass), [true, true, true, true]);
        assertEquals(report.conflicts.map(({ path }: { path: string }) => path), [
          ".claude/rules/proof-obligations.md",
        ]);
        const out = JSON.parse((await stage.uninstall("--json")).stdout);
        assertEquals([out.schema, out.ok, out.conflicts], [1, true, []]);
        assertEquals(
          snapshot(stage.project)[".claude/rules/proof-obligations.md"]?.endsWith("# Mine\n"),
          true,
        );
      }),
  );

  Deno.test(
    title("--dry-run shows a diff and writes nothing at all"),
    () =>
      withStage(flavour, { files: { "CLAUDE.md": "# Mine\n\x1b[31mred\n" } }, async (stage) => {
        const before = [snapshot(stage.project), snapshot(stage.home)];
        const { code, stdout } = await stage.install("--dry-run");
        assertEquals(code, 0);
        assertStringIncludes(stdout, `--- a/CLAUDE.md\n+++ b/CLAUDE.md\n@@ -1,2 +1,`);
        assertStringIncludes(stdout, `--- /dev/null\n+++ b/.claude/settings.local.json\n@@ -0,0 +1,`);
        assertStringIncludes(stdout, `\n+${BEGIN}\n`);
        assert(!stdout.includes("\x1b"));
        assertEquals([snapshot(stage.project), snapshot(stage.home)], before);
        assertEquals((await stage.install()).code, 0);
        const installed = [snapshot(stage.project), snapshot(stage.home)];
        const out = await stage.uninstall("--dry-run");
        assertStringIncludes(out.stdout, `\n-${BEGIN}\n`);
        assertStringIncludes(out.stdout, "+++ /dev/null\n");
        assertEquals([snapshot(stage.project), snapshot(stage.home)], installed);
      }),
  );

  for (const { name, args = [], stderr, posix = false, ...scene } of readCases("refused.json") as Refused[]) {
    if ((posix || scene.links) && !(POSIX && flavour.posix)) continue;
    Deno.test(
      title(`refuses ${name}, and changes nothing`),
      () =>
        withStage(flavour, scene, async (stage) => {
          const before = [snapshot(stage.project), snapshot(stage.home, STATE)];
          for (const json of [[], ["--json"]]) {
            const outcome = await stage.install(...args, ...json);
            assertEquals(outcome.code, 1, outcome.stdout);
            assertStringIncludes(outcome.stderr, stderr);
            assertStringIncludes(outcome.stderr, "\nNothing was changed.\n");
            if (json.length === 0) assertEquals(outcome.stdout, "");
            else assertStringIncludes(JSON.parse(outcome.stdout).error, stderr);
          }
          assertEquals([snapshot(stage.project), snapshot(stage.home, STATE)], before);
          assertEquals(
            Object.keys(snapshot(stage.home)).filter((path) => /\.(?:json|lock)$/.test(path)),
            Object.keys(scene.home ?? {}).filter((path) => path.endsWith(".json")),
          );
        }),
    );
  }

  for (const { args, stderr } of readCases("usage.json") as Usage[]) {
    Deno.test(
      title(`usage: ${args.join(" ")}`),
      () =>
        withStage(flavour, { files: { file: "" } }, async (stage) => {
          const before = [snapshot(stage.project), snapshot(stage.home)];
          const outcome = await stage.nonzero(args);
          assertEquals({ code: outcome.code, stdout: outcome.stdout }, { code: 64, stdout: "" });
          assertStringIncludes(outcome.stderr, stderr);
          assertEquals([snapshot(stage.project), snapshot(stage.home)], before);
        }),
    );
  }

  Deno.test(title("--help tells the options"), () =>
    withStage(flavour, {}, async (stage) => {
      for (const command of ["install", "uninstall"]) {
        const { code, stdout } = await stage.nonzero([command, "--help"]);
        assertEquals(code, 0);
        assertStringIncludes(stdout, `Usage: nonzero ${command} [options]`);
      }
    }));

  Deno.test(title("any project comes back as it was, byte for byte"), async () => {
    await fc.assert(
      fc.asyncProperty(
        tree,
        fc.constantFrom("--local", "--project", "--platform=opencode"),
        async (tree, arg) => {
          const files: Contents = Object.fromEntries(
            Object.entries(tree).map(([path, bytes]) => [path, toFile(bytes)]),
          );
          await withStage(flavour, { files }, async (stage) => {
            const before = snapshot(stage.project);
            const first = await stage.install(arg);
            if (first.code === 1) assertStringIncludes(first.stderr, "without the section");
            else assertEquals(first.code, 0, first.stdout + first.stderr);
            const after = snapshot(stage.project);
            assertEquals((await stage.install(arg)).code, first.code);
            assertEquals(snapshot(stage.project), after);
            assertEquals((await stage.uninstall()).code, 0);
            assertEquals(snapshot(stage.project), before);
          });
        },
      ),
      { numRuns: flavour.name === "built" ? 12 : 4 },
    );
  });

  Deno.test(title("a large memory file, and one that is no UTF-8, keep their bytes"), async () => {
    const large = new Uint8Array(5 * 1024 * 1024).fill(120);
    for (const content of [large, toFile("caf\xe9 \xff\xfe\n\xa4")]) {
      await withStage(flavour, { files: { "CLAUDE.md": content } }, async (stage) => {
        assertEquals((await stage.install()).code, 0);
        const installed = Deno.readFileSync(join(stage.project, "CLAUDE.md"));
        assertEquals(installed.length > content.length, true);
        assert(content.every((byte, at) => installed[at] === byte));
        assertEquals((await stage.uninstall()).code, 0);
        assertEquals(Deno.readFileSync(join(stage.project, "CLAUDE.md")), content);
      });
    }
  });

  Deno.test(
    title("a long memory file gets its section as a rule"),
    () =>
      withStage(flavour, { files: { "CLAUDE.md": "line\n".repeat(250) } }, async (stage) => {
        const { code, stdout } = await stage.install();
        assertEquals(code, 0);
        assertStringIncludes(stdout, "WARN  CLAUDE.md has 250 lines without the section");
        assertEquals(text(stage.project, "CLAUDE.md"), "line\n".repeat(250));
        assertStringIncludes(text(stage.project, ".claude/rules/nonzero.md"), BEGIN);
      }),
  );

  if (flavour.posix && POSIX) {
    Deno.test(title("a linked file stays a link, a mode stays the mode"), () =>
      withStage(
        flavour,
        { files: { "docs/memory.md": "# Mine\n" }, links: { "CLAUDE.md": "docs/memory.md" } },
        async (stage) => {
          await Deno.chmod(join(stage.project, "docs/memory.md"), 0o660);
          const before = snapshot(stage.project);
          assertEquals((await stage.install()).code, 0);
          const after = snapshot(stage.project);
          assertEquals(after["CLAUDE.md"], "-> docs/memory.md");
          assertMatch(after["docs/memory.md"] ?? "", /^100660 # Mine\n\n<!-- nonzero:begin -->/);
          assertEquals((await stage.uninstall()).code, 0);
          assertEquals(snapshot(stage.project), before);
        },
      ));

    Deno.test(
      title("what is wired through a link within the project is known to be recorded"),
      () =>
        withStage(flavour, { files: { "conf": null }, links: { ".claude": "conf" } }, async (stage) => {
          assertEquals((await stage.install()).code, 0);
          assertStringIncludes(text(stage.project, "conf/settings.local.json"), '"pre-tool-use"');
          const { stdout } = await stage.nonzero(["doctor", "--json"]);
          assertStringIncludes(stdout, '"pre-tool-use"');
          assert(!stdout.includes("not-run"), stdout);
          assertEquals((await stage.uninstall()).code, 0);
          assertEquals(snapshot(stage.project)[".claude"], "-> conf");
        }),
    );

    Deno.test(title("two names of one file are one file"), () =>
      withStage(
        flavour,
        { files: { "AGENTS.md": "# Mine\n" }, links: { "CLAUDE.md": "AGENTS.md" } },
        async (stage) => {
          const before = snapshot(stage.project);
          assertEquals((await stage.install()).code, 0);
          assertEquals((await stage.install("--platform", "agents")).code, 0);
          assertEquals(text(stage.project, "AGENTS.md").split(BEGIN).length, 2);
          assertEquals((await stage.uninstall()).code, 0);
          assertEquals(snapshot(stage.project), before);
        },
      ));

    Deno.test(
      title("a project of any name, and one that is named from elsewhere"),
      () =>
        withStage(flavour, {}, async (stage) => {
          for (const name of ["a b'\"$(x)`é", "-dash", "line\nbreak", "*"]) {
            const folder = join(stage.project, name);
            await Deno.mkdir(join(folder, ".git"), { recursive: true });
            const outcome = await stage.install(`--project-dir=${name}`);
            assertEquals(outcome.code, 0, outcome.stderr);
            const section = text(folder, "CLAUDE.md");
            assertEquals(section.split("\n").filter((line) => line.startsWith("## ")).length, 1);
            assert(!/[`"$(]x|line\nbreak/.test(section));
            assertEquals((await stage.uninstall("--project-dir", flavour.path(`${folder}/`))).code, 0);
            assertEquals(Object.keys(snapshot(folder)), [".git"]);
          }
        }),
    );

    Deno.test(
      title("a file system that is read-only"),
      () =>
        withStage(flavour, { files: { "CLAUDE.md": "# Mine\n" } }, async (stage) => {
          const script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
          const mounted = ["unshare", "--mount", "sh", "-c", script, stage.project];
          // Only root may.
          if ((await run([...mounted, "true"]).catch(() => undefined))?.code !== 0) return;
          const before = [snapshot(stage.project), snapshot(stage.home, STATE)];
          const args = ["install", "--program", stage.program];
          const env = flavour.home(flavour.path(stage.home));
          const words = [...mounted, ...flavour.start("nonzero")];
          const { code, stderr } = await run(words, { args, cwd: stage.project, env });
          assertEquals(code, 1);
          assertMatch(stderr, /^nonzero install: .*cannot be written: .*(?:EROFS|[Rr]ead-only)/);
          assertEquals([snapshot(stage.project), snapshot(stage.home, STATE)], before);
          assertEquals(Object.keys(snapshot(stage.home)).filter((path) => /\.json/.test(path)), []);
        }),
    );

    Deno.test(title("without a home folder"), () =>
      withStage(flavour, {}, async (stage) => {
        const args = ["install", "--program", stage.program];
        const env = {
          XDG_STATE_HOME: flavour.path(join(stage.home, "state")),
          CLAUDE_CONFIG_DIR: flavour.path(join(stage.home, "agent")),
        };
        const before = snapshot(stage.project);
        assertEquals((await stage.nonzero(args, { env })).code, 0);
        assertEquals(Object.keys(snapshot(stage.home)).filter((path) => !path.startsWith("state")), []);
        assertEquals((await stage.nonzero(["uninstall"], { env })).code, 0);
        assertEquals(snapshot(stage.project), before);
      }));

    Deno.test(title("the home folder is no project"), () =>
      withStage(flavour, {}, async (stage) => {
        const { code, stderr } = await stage.install("--project-dir", flavour.path(stage.home));
        assertEquals(code, 1);
        assertStringIncludes(stderr, "is the home folder");
        assertEquals(snapshot(stage.home), {});
      }));

    for (
      const [what, name, script, why] of [
        ["a program of another name", "true", STAND_IN, "are told by a name that begins with nonzero"],
        ["a program that does nothing", "nonzero", "#!/bin/sh\n", "asked for its version it does not answer"],
        ["a program that cannot be started", "nonzero", "#!/nowhere\n", "(cannot start)"],
        [
          "a program that allows",
          "nonzero",
          STAND_IN.replace("exit 2", "exit 0"),
          "it does not refuse a write",
        ],
        [
          "a program that only fails",
          "nonzero",
          STAND_IN.replace("DENY", "no"),
          "it does not refuse a write",
        ],
      ] as const
    ) {
      if (!startsScripts(flavour)) continue;
      Deno.test(
        title(`${what} does not take the place of what is wired`),
        () =>
          withStage(flavour, {}, async (stage) => {
            assertEquals((await stage.install()).code, 0);
            const before = [snapshot(stage.project), snapshot(stage.home)];
            const path = join(stage.home, "..", "other", name);
            await placeProgram(flavour, path, script);
            for (const more of [[], ["--dry-run"]]) {
              const outcome = await stage.install("--program", path, ...more);
              assertEquals([outcome.code, outcome.stdout], [1, ""]);
              assertStringIncludes(outcome.stderr, why);
              assertStringIncludes(outcome.stderr, "\nNothing was changed.\n");
            }
            assertEquals([snapshot(stage.project), snapshot(stage.home)], before);
          }),
      );
    }

    Deno.test(
      title("a file with two names is named, and the other one keeps what it held"),
      () =>
        withStage(flavour, { files: { "CLAUDE.md": "# Mine\n" } }, async (stage) => {
          const other = join(stage.project, "other.md");
          await Deno.link(join(stage.project, "CLAUDE.md"), other);
          const WARNING = /^WARN {2}CLAUDE\.md has other names \(hard links\)/m;
          assertMatch((await stage.install("--dry-run")).stdout, WARNING);
          assertMatch((await stage.install()).stdout, WARNING);
          assertEquals(text(stage.project, "other.md"), "# Mine\n");
          assert(!(await stage.install()).stdout.includes("hard links"));
          await Deno.remove(other);
          await Deno.link(join(stage.project, "CLAUDE.md"), other);
          assertMatch((await stage.uninstall()).stdout, WARNING);
          assertEquals(text(stage.project, "CLAUDE.md"), "# Mine\n");
          assertStringIncludes(text(stage.project, "other.md"), BEGIN);
        }),
    );

    Deno.test(
      title("what a killed install left is cleared away, and nothing else"),
      () =>
        withStage(flavour, { files: { "CLAUDE.md": "# Mine\n" } }, async (stage) => {
          const ended = new Deno.Command("true").spawn();
          await ended.status;
          const before = snapshot(stage.project);
          assertEquals((await stage.install()).code, 0);
          const record = Object.keys(snapshot(stage.home)).find((path) => path.endsWith(".json")) ?? "";
          const kept = [
            `.CLAUDE.md.${Deno.pid}.old`,
            ".CLAUDE.md.x.old",
            `.CLAUDE.md.${ended.pid}.bak`,
            `.CLAUDE.md.${ended.pid}.old.md`,
            `.README.md.${ended.pid}.old`,
            `CLAUDE.md.${ended.pid}.old`,
          ].map((name) => join(stage.project, name));
          const left = () => [
            join(stage.project, `.CLAUDE.md.${ended.pid}.new`),
            join(stage.project, `.CLAUDE.md.${ended.pid}.old`),
            join(stage.project, `.claude/rules/.proof-obligations.md.${ended.pid}.new`),
            join(stage.home, record.replace(/([^/]+)$/, `.$1.${ended.pid}.old`)),
          ];
          for (const path of kept) await Deno.writeTextFile(path, "");
          const plant = async () => {
            for (const path of left()) await Deno.writeTextFile(path, "");
          };
          const there = () =>
            [...kept, ...left()].filter((path) => {
              try {
                return Deno.lstatSync(path).isFile;
              } catch {
                return false;
              }
            });
          await plant();
          assertEquals((await stage.install("--dry-run")).code, 0);
          assertEquals(there(), [...kept, ...left()]);
          assertEquals((await stage.install()).code, 0);
          assertEquals(there(), kept);
          await plant();
          assertEquals((await stage.uninstall()).code, 0);
          assertEquals(there(), kept);
          for (const path of kept) await Deno.remove(path);
          assertEquals(snapshot(stage.project), before);
        }),
    );

    Deno.test(
      title("a folder whose name is not UTF-8 is called so"),
      () =>
        withStage(flavour, {}, async (stage) => {
          const script = 'd=$(printf "odd\\377name"); mkdir -p "$d" && cd "$d" && exec "$@"';
          for (const command of ["install", "uninstall"]) {
            const words = ["sh", "-c", script, "sh", ...flavour.start("nonzero"), command];
            const env = flavour.home(flavour.path(stage.home));
            const { code, stderr } = await run(words, { cwd: stage.project, env });
            assertEquals(code, 64);
            assertStringIncludes(stderr, "a name that is not UTF-8");
          }
        }),
    );

    Deno.test(title("while another process is at work"), () =>
      withStage(flavour, {}, async (stage) => {
        assertEquals((await stage.install()).code, 0);
        const record = Object.keys(snapshot(stage.home)).find((path) => path.endsWith(".json")) ?? "";
        const lock = join(stage.home, `${record}.lock`);
        await Deno.writeTextFile(lock, `${Deno.pid}\n`);
        const before = [snapshot(stage.project), snapshot(stage.home)];
        for (const act of [stage.install, stage.uninstall]) {
          const { code, stderr } = await act("--json");
          assertEquals(code, 1);
          assertStringIncludes(stderr, `another install is at work here (process ${Deno.pid} has `);
        }
        assertEquals([snapshot(stage.project), snapshot(stage.home)], before);
        await Deno.remove(lock);
        assertEquals((await stage.uninstall()).code, 0);
      }));
  }

  Deno.test(
    title("many at once leave what one leaves"),
    () =>
      withStage(flavour, { files: { "CLAUDE.md": "# Mine\n" } }, async (stage) => {
        const before = snapshot(stage.project);
        const outcomes = await Promise.all(Array.from({ length: 6 }, () => stage.install()));
        assert(outcomes.some(({ code }) => code === 0));
        for (const { code, stderr } of outcomes) {
          if (code !== 0) assertStringIncludes(stderr, "another install is at work here");
        }
        assertEquals(text(stage.project, "CLAUDE.md").split(BEGIN).length, 2);
        const after = snapshot(stage.project);
        assertEquals(Object.keys(after).filter((path) => /\.(?:old|new|lock)$/.test(path)), []);
        assertEquals((await stage.install()).code, 0);
        assertEquals(snapshot(stage.project), after);
        assertEquals((await stage.uninstall()).code, 0);
        assertEquals(snapshot(stage.project), before);
      }),
  );

  Deno.test(
    title("--user wires the user's settings, which go only when asked for"),
    () =>
      withStage(flavour, { home: { ".claude/settings.json": '{"model":"m"}' } }, async (stage) => {
        const before = [snapshot(stage.project), snapshot(stage.home, STATE)];
        assertEquals((await stage.install("--user")).code, 0);
        assertStringIncludes(text(stage.home, ".claude/settings.json"), '"pre-tool-use"');
        const left = await stage.uninstall();
        assertEquals(left.code, 0);
        assertStringIncludes(left.stdout, "--user takes them out");
        assertStringIncludes(text(stage.home, ".claude/settings.json"), '"pre-tool-use"');
        assertEquals((await stage.uninstall("--user")).code, 0);
        assertEquals([snapshot(stage.project), snapshot(stage.home, STATE)], before);
      }),
  );

  Deno.test(
    title("CLAUDE_CONFIG_DIR says where the user's settings and the log of loads are"),
    () =>
      withStage(flavour, {}, async (stage) => {
        const agent = join(stage.home, "agent");
        const env = flavour.home(flavour.path(stage.home), { CLAUDE_CONFIG_DIR: flavour.path(agent) });
        await Deno.mkdir(agent);
        const load = (filePath: string) =>
          `${JSON.stringify({ ts: "t", filePath, loadReason: "session_start", cwd: "/" })}\n`;
        const memory = flavour.path(join(stage.project, "CLAUDE.md"));
        await Deno.writeTextFile(
          join(agent, "proofpunk-loads.jsonl"),
          load(flavour.path(join(stage.home, "other.md"))) + load(memory) + "{broken\n",
        );
        const args = ["install", "--user", "--json", "--program", stage.program];
        const { code, stdout } = await stage.nonzero(args, { env });
        assertEquals(code, 0);
        assertEquals(JSON.parse(stdout).loads, [
          JSON.stringify({ ts: "t", filePath: memory, loadReason: "session_start" }),
        ]);
        assertStringIncludes(text(agent, "settings.json"), '"stop-guard"');
      }),
  );

  Deno.test(
    title("--project says what it costs, and --no-judge leaves the question out"),
    () =>
      withStage(flavour, {}, async (stage) => {
        const { code, stdout } = await stage.install("--project", "--no-judge");
        assertEquals(code, 0);
        assertMatch(stdout, /^WARN {2}\.claude\/settings\.json comes with the project: whoever clones it/m);
        assert(!text(stage.project, ".claude/settings.json").includes('"prompt"'));
        assertEquals((await stage.install("--project")).code, 0);
        assertStringIncludes(text(stage.project, ".claude/settings.json"), '"prompt"');
        const local = await stage.install();
        assertMatch(local.stdout, /^WARN {2}\.claude\/settings\.json wires hooks of nonzero, too$/m);
        assertEquals((await stage.uninstall()).code, 0);
        assertEquals(Object.keys(snapshot(stage.project)), [".git"]);
      }),
  );

  Deno.test(
    title("warns of a program that will move, and of hooks that are switched off"),
    () =>
      withStage(flavour, {
        files: { ".claude/settings.json": '{"disableAllHooks": true}' },
      }, async (stage) => {
        const path = join(stage.project, "tools", "v1.2.3", flavour.posix ? "nonzero" : "nonzero.exe");
        await placeProgram(flavour, path);
        const { code, stdout } = await stage.install("--program", flavour.path(path));
        assertEquals(code, 0);
        assertMatch(stdout, /^WARN .* (?:lies in a temporary folder|has a version in its path)/m);
        assertMatch(stdout, /^WARN {2}\.claude\/settings\.json switches all hooks off/m);
        assertMatch(stdout, /^WARN .* lies in the project, where the agent can write/m);
        assert(!(await stage.install()).stdout.includes("lies in the project"));
      }),
  );

  Deno.test(title("--no-hooks and --no-rules leave them out"), () =>
    withStage(flavour, {}, async (stage) => {
      const { code, stdout } = await stage.nonzero(["install", "--no-hooks", "--no-rules"]);
      assertEquals(code, 0);
      assertMatch(stdout, /^NOTE {2}no hooks, as asked$/m);
      assertEquals(Object.keys(snapshot(stage.project)), [".git", "CLAUDE.md"]);
    }));

  const ENABLED = '{"enabledPlugins": {"nonzero@tools": true}}';
  const EXE = flavour.posix ? "" : ".exe";

  /** Puts a plugin into the home as the client does. */
  const addPlugin = async (
    { home, project }: { readonly home: string; readonly project: string },
    {
      hooks = pluginHooks(registry, EXE),
      here = false,
      folder = join(home, ".claude/plugins/cache/nonzero"),
    } = {},
  ) => {
    await Deno.mkdir(join(folder, "hooks"), { recursive: true });
    await Deno.writeTextFile(join(folder, "hooks", "hooks.json"), hooks);
    await placeProgram(flavour, join(folder, `nonzero${EXE}`));
    const install = {
      installPath: flavour.path(folder),
      ...here ? { scope: "project", projectPath: flavour.path(project) } : { scope: "user" },
    };
    await Deno.mkdir(join(home, ".claude/plugins"), { recursive: true });
    await Deno.writeTextFile(
      join(home, ".claude/plugins/installed_plugins.json"),
      JSON.stringify({ version: 2, plugins: { "nonzero@tools": [install] } }),
    );
  };

  Deno.test(
    title("what an installed plugin wires is not wired again"),
    () =>
      withStage(flavour, { home: { ".claude/settings.json": ENABLED } }, async (stage) => {
        await addPlugin(stage);
        for (const args of [[], ["--user"]]) {
          const { code, stdout } = await stage.install(...args);
          assertEquals(code, 0);
          assertMatch(stdout, /^NOTE {2}no hooks: the plugin nonzero@tools wires them already$/m);
          assertEquals(Object.keys(snapshot(stage.project)).filter((path) => path.includes("settings")), []);
          assertEquals(text(stage.home, ".claude/settings.json"), ENABLED);
        }
        await addPlugin(stage, { hooks: pluginHooks(registry, EXE, false), here: true });
        assertStringIncludes((await stage.install()).stdout, "NOTE  no hooks: ");
        await Deno.mkdir(join(stage.project, ".claude"), { recursive: true });
        await Deno.writeTextFile(
          join(stage.project, ".claude/settings.json"),
          '{"enabledPlugins": {"nonzero@tools": false}}',
        );
        assertEquals((await stage.install()).code, 0);
        assertStringIncludes(text(stage.project, ".claude/settings.local.json"), '"pre-tool-use"');
      }),
  );

  Deno.test(
    title("a plugin that is not there, or not ours, or the project's, does not keep hooks from being wired"),
    () =>
      withStage(flavour, { files: { ".claude/settings.json": ENABLED } }, async (stage) => {
        const wires = async (level: string, folder: string, settings: string) => {
          const { code, stdout } = await stage.install(level);
          assertEquals(code, 0, stdout);
          assert(!stdout.includes("wires them already"), stdout);
          assertStringIncludes(text(folder, settings), '"pre-tool-use"');
          assertEquals((await stage.uninstall("--user")).code, 0);
        };
        const local = () => wires("--local", stage.project, ".claude/settings.local.json");
        const user = () => wires("--user", stage.home, ".claude/settings.json");
        await local();
        await user();
        await addPlugin(stage);
        // It is on for this project alone.
        await user();
        await Deno.writeTextFile(join(stage.home, ".claude/settings.json"), ENABLED);
        await addPlugin(stage, { here: true });
        await user();
        await addPlugin(stage, { hooks: '{"hooks":{}}' });
        await local();
        await addPlugin(stage, { hooks: pluginHooks(registry, EXE).replace("-z", "-y") });
        await local();
        await addPlugin(stage, { folder: join(stage.project, "plugin") });
        await local();
        await addPlugin(stage);
        await Deno.remove(join(stage.home, ".claude/plugins/cache/nonzero", `nonzero${EXE}`));
        await local();
      }),
  );

  for (const [platform, name] of [["opencode", "OpenCode"], ["agents", "other agents"]] as const) {
    Deno.test(
      title(`--platform ${platform} writes AGENTS.md, and says that there are no hooks`),
      () =>
        withStage(flavour, { files: { "CLAUDE.md": "# Mine\n" } }, async (stage) => {
          const { code, stdout } = await stage.install("--platform", platform);
          assertEquals(code, 0);
          assertStringIncludes(stdout, `NOTE  no hooks: for ${name} there are none yet`);
          assertEquals(Object.keys(snapshot(stage.project)), [".git", "AGENTS.md", "CLAUDE.md"]);
          assertStringIncludes(text(stage.project, "AGENTS.md"), "Evidence:");
          assertEquals((await stage.uninstall()).code, 0);
          assertEquals(Object.keys(snapshot(stage.project)), [".git", "CLAUDE.md"]);
        }),
    );
  }

  Deno.test(
    title("uninstall keeps what was edited, says so, and takes the rest"),
    () =>
      withStage(flavour, {}, async (stage) => {
        assertEquals((await stage.install()).code, 0);
        const rule = join(stage.project, ".claude/rules/proof-obligations.md");
        await Deno.writeTextFile(rule, "- Mine\n", { append: true });
        const memory = join(stage.project, "CLAUDE.md");
        const section = Deno.readTextFileSync(memory);
        await Deno.writeTextFile(memory, section.replace(END, `- Mine\n${END}`));
        const { code, stdout } = await stage.uninstall();
        assertEquals(code, 1);
        assertMatch(stdout, /^KEPT {2}\.claude\/rules\/proof-obligations\.md: it was edited since$/m);
        assertMatch(stdout, /^KEPT {2}CLAUDE\.md: what stands between the markers was edited$/m);
        assertEquals(Object.keys(snapshot(stage.project)), [
          ".claude",
          ".claude/rules",
          ".claude/rules/proof-obligations.md",
          ".git",
          "CLAUDE.md",
        ]);
        await Deno.remove(rule);
        await Deno.writeTextFile(memory, `# Mine\n\n${section}`);
        assertEquals((await stage.uninstall()).code, 0);
        assertEquals(Object.keys(snapshot(stage.project)), [".git", "CLAUDE.md"]);
        assertEquals(text(stage.project, "CLAUDE.md"), "# Mine\n");
      }),
  );

  Deno.test(
    title("a section that somebody wrote in stays, and is named"),
    () =>
      withStage(flavour, {}, async (stage) => {
        assertEquals((await stage.install()).code, 0);
        const memory = join(stage.project, "CLAUDE.md");
        const written = Deno.readTextFileSync(memory);
        const edited = written.replace("\n\n", "\n\nMINE. ");
        await Deno.writeTextFile(memory, edited);
        const { code, stdout } = await stage.install();
        assertEquals(code, 1);
        assertMatch(stdout, /^CLAUDE\.md +kept +\d+$/m);
        assertMatch(stdout, /^FAIL {2}CLAUDE\.md: the section is nonzero's own$/m);
        assertMatch(stdout, /^KEPT {2}CLAUDE\.md: its section is not as nonzero wrote it/m);
        assertEquals(text(stage.project, "CLAUDE.md"), edited);
        await Deno.writeTextFile(memory, "MINE.\n");
        assertEquals((await stage.install()).code, 0);
        assertEquals(text(stage.project, "CLAUDE.md"), `MINE.\n\n${written}`);
        assertEquals((await stage.uninstall()).code, 0);
        assertEquals(text(stage.project, "CLAUDE.md"), "MINE.\n");
      }),
  );

  Deno.test(
    title("what was wired by hand is wired as before after an uninstall, and goes with the next"),
    () =>
      withStage(flavour, {}, async (stage) => {
        const hooks = wire(registry.flatMap(({ folder, unit }) => folder === "hooks" ? [unit] : []), {
          program: stage.program,
          judge: true,
        });
        const byHand = `${JSON.stringify({ hooks }, null, 2)}\n\n`;
        const path = join(stage.home, ".claude", "settings.json");
        await Deno.mkdir(join(path, ".."));
        await Deno.writeTextFile(path, byHand);
        for (const args of [["--user"], ["--user", "--no-judge"]]) {
          assertEquals((await stage.install(...args)).code, 0);
          const { code, stdout } = await stage.uninstall("--user");
          assertEquals(code, 1);
          assertMatch(stdout, /^KEPT .*settings\.json: held what is nonzero's before the first install/m);
          assertEquals(Deno.readTextFileSync(path), byHand);
        }
        assertEquals((await stage.uninstall("--user")).code, 0);
        assertEquals(Object.keys(snapshot(stage.home)).filter((path) => path.endsWith("settings.json")), []);
      }),
  );

  Deno.test(
    title("uninstall in a folder of an installed project says where that is"),
    () =>
      withStage(flavour, { files: { "sub/deep": null } }, async (stage) => {
        const cwd = join(stage.project, "sub", "deep");
        assertEquals((await stage.nonzero(["uninstall"], { cwd })).stdout, "Nothing of nonzero is here.\n");
        assertEquals((await stage.install()).code, 0);
        const before = snapshot(stage.project);
        const { code, stdout } = await stage.nonzero(["uninstall"], { cwd });
        assertEquals(code, 0);
        assertStringIncludes(stdout, "Nothing of nonzero is here.\n\nNOTE  nonzero is installed in ");
        assertMatch(stdout, /[\\/]project: uninstall it there, or with --project-dir$/m);
        assertEquals(snapshot(stage.project), before);
      }),
  );

  Deno.test(
    title("uninstall without a record goes by the marks, and says so"),
    () =>
      withStage(flavour, {
        files: { "CLAUDE.md": "# Mine", ".claude/settings.local.json": '{\n  "model": "m"\n}\n' },
      }, async (stage) => {
        const before = snapshot(stage.project);
        assertEquals((await stage.install()).code, 0);
        const record = Object.keys(snapshot(stage.home)).find((path) => path.endsWith(".json")) ?? "";
        await Deno.remove(join(stage.home, record));
        const { code, stdout } = await stage.uninstall();
        assertEquals(code, 0);
        assertMatch(stdout, /^NOTE {2}no record of an install/m);
        assertEquals(snapshot(stage.project), before);
        const nothing = await stage.uninstall();
        assertEquals([nothing.code, nothing.stdout], [0, "Nothing of nonzero is here.\n"]);
      }),
  );

  Deno.test(
    title("uninstall without a record keeps what somebody wrote between the markers"),
    () =>
      withStage(
        flavour,
        { files: { "CLAUDE.md": `${BEGIN}\nmine\n<!-- nonzero:end -->\n` } },
        async (stage) => {
          const before = snapshot(stage.project);
          assertEquals((await stage.install()).code, 1);
          for (let time = 0; time < 2; time++) {
            const { code, stdout } = await stage.uninstall();
            assertEquals(code, 1);
            assertMatch(stdout, /^KEPT {2}CLAUDE\.md: /m);
            assertEquals(snapshot(stage.project), before);
          }
        },
      ),
  );

  Deno.test(title("a record that is broken is none"), () =>
    withStage(flavour, {}, async (stage) => {
      assertEquals((await stage.install()).code, 0);
      const record = join(
        stage.home,
        Object.keys(snapshot(stage.home)).find((path) => path.endsWith(".json")) ?? "",
      );
      await Deno.writeTextFile(record, "{");
      const { code, stdout } = await stage.uninstall();
      assertEquals(code, 0);
      assertMatch(stdout, /^NOTE {2}no record of an install/m);
      assertEquals(Object.keys(snapshot(stage.project)), [".git"]);
    }));

  if (flavour.posix && flavour.start("nonzero").length === 1) {
    Deno.test(
      title("the hooks that it wires refuse, by the program itself"),
      () =>
        withStage(flavour, {}, async (stage) => {
          assertEquals((await stage.nonzero(["install"])).code, 0);
          const { hooks } = JSON.parse(text(stage.project, ".claude/settings.local.json"));
          const { command, args } = hooks.PreToolUse[0].hooks[0];
          assertEquals(await Deno.realPath(command), await Deno.realPath(flavour.start("nonzero")[0] ?? ""));
          const event = (file_path: string) =>
            JSON.stringify({
              hook_event_name: "PreToolUse",
              cwd: stage.project,
              tool_name: "Write",
              tool_input: { file_path, content: "x" },
            });
          const env = flavour.home(flavour.path(stage.home));
          const refused = await run([command], { args, stdin: event("/elsewhere/x"), env });
          const allowed = await run([command], { args, stdin: event(join(stage.project, "x")), env });
          assertEquals([refused.code, allowed.code], [2, 0]);
        }),
    );
  } else if (flavour.name === "deno run") {
    Deno.test(
      title("a runtime is not wired in the place of the program"),
      () =>
        withStage(flavour, {}, async (stage) => {
          const { code, stderr } = await stage.nonzero(["install"]);
          assertEquals(code, 1);
          assertStringIncludes(stderr, "is no executable of nonzero");
        }),
    );
  }
}
