import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { countLines } from "../../../lib/install/bytes.ts";
import { type Platform, SECTION_RULE } from "../../../lib/install/files.ts";
import { InstallError } from "../../../lib/install/error.ts";
import { formatRecord, parseRecord } from "../../../lib/install/record.ts";
import { BEGIN, END, putSection } from "../../../lib/install/section.ts";
import { readSettings } from "../../../lib/install/settings.ts";
import { verify } from "../../../lib/install/verify.ts";
import { sessionStart } from "../../../hooks/session-start.ts";
import {
  filesOf,
  install,
  type State,
  type Tree,
  tree,
  uninstall,
  type Wanted,
  wanted,
  wiringOf,
} from "./tree.ts";

const fresh = (tree: Tree): State => ({ tree, record: undefined });

/** An install, where the project's memory file is not too long for its platform. */
function installable(tree: Tree, wanted: Wanted): ReturnType<typeof install> | undefined {
  try {
    return install(fresh(tree), wanted);
  } catch (error) {
    assert(error instanceof InstallError && / without the section/.test(error.message), String(error));
    assert(wanted.platform !== "claude-code");
    return undefined;
  }
}

Deno.test("planInstall: uninstalling leaves the very tree", () =>
  fc.assert(
    fc.property(tree, wanted, (tree, wanted) => {
      const installed = installable(tree, wanted);
      if (!installed) return;
      assert(installed.plan.changes.some(({ before, after }) => before !== after));
      const { tree: left, record, plan } = uninstall(installed);
      assertEquals(left, tree);
      assertEquals({ record, kept: plan.kept }, { record: undefined, kept: [] });
    }),
    { numRuns: 150 },
  ));

Deno.test("planInstall: again changes nothing, on the disk or in the record", () =>
  fc.assert(
    fc.property(tree, wanted, (tree, wanted) => {
      const installed = installable(tree, wanted);
      if (!installed) return;
      const again = install(installed, wanted);
      assertEquals(again.tree, installed.tree);
      assertEquals(again.record?.files.toSorted(byPath), installed.record?.files.toSorted(byPath));
    }),
    { numRuns: 100 },
  ));

const byPath = (one: { path: string }, other: { path: string }) => one.path < other.path ? -1 : 1;

Deno.test("planInstall: other options take the place of these, and all of it can be undone", () =>
  fc.assert(
    fc.property(tree, fc.array(wanted, { minLength: 2, maxLength: 3 }), (tree, all) => {
      let state = fresh(tree);
      for (const one of all) {
        try {
          state = install(state, one);
        } catch (error) {
          assert(error instanceof InstallError, String(error));
        }
      }
      assertEquals(uninstall(state).tree, tree);
    }),
    { numRuns: 100 },
  ));

Deno.test("planInstall: what of ours was there before, by whatever other install, is there again afterwards", () =>
  fc.assert(
    fc.property(tree, wanted, wanted, (tree, first, second) => {
      const before = installable(tree, first)?.tree;
      const installed = before && installable(before, second);
      if (!installed) return;
      const { tree: left, plan } = uninstall(installed);
      assertEquals(left, before);
      assert(plan.kept.length > 0);
      assertEquals(uninstall({ tree: left, record: undefined }).plan.kept, []);
    }),
    { numRuns: 150 },
  ));

Deno.test("planInstall: a section and rules that came with the project stay, whatever else was changed meanwhile", () => {
  const { tree: committed } = install(fresh({ "CLAUDE.md": "# Mine\n" }), { settings: undefined });
  const installed = install(fresh(committed));
  const more = `${committed["CLAUDE.md"]}More\n`;
  const { tree, plan } = uninstall({ ...installed, tree: { ...installed.tree, "CLAUDE.md": more } });
  assertEquals(tree, { ...committed, "CLAUDE.md": more });
  assertEquals(plan.kept.map(({ path }) => path).toSorted(), Object.keys(committed).toSorted());
});

Deno.test("planInstall: hooks that were wired by hand are there again, whatever else was changed meanwhile", () => {
  const path = ".claude/settings.local.json";
  const byHand = `${JSON.stringify({ hooks: wiringOf({ program: "/old/nonzero" }) })}\n`;
  for (const program of ["/old/nonzero", "/new/nonzero"]) {
    const installed = install(fresh({ [path]: byHand }), { program });
    assert(installed.tree[path]?.includes(program));
    const again = install(installed, { program });
    const { tree, plan } = uninstall(again);
    assertEquals([tree[path], plan.kept.map(({ path }) => path)], [byHand, [path]]);
    const edited = {
      ...again,
      tree: { ...again.tree, [path]: again.tree[path]?.replace("{", '{"model":"m",') ?? "" },
    };
    const left = readSettings(uninstall(edited).tree[path] ?? "");
    assertEquals(left, { model: "m", ...readSettings(byHand) });
    assertEquals(uninstall({ tree, record: undefined }).tree, {});
  }
});

Deno.test("planInstall: keeps a section that somebody wrote in, says so, and does not write another one", () => {
  const written = install(fresh({ "CLAUDE.md": "# Mine\n" }));
  const insert = (bytes = "") => bytes.replace(END, `- Mine\n${END}`);
  const long = "line\n".repeat(250);
  const inRule = install(fresh({ "CLAUDE.md": long }));
  const cases: readonly (readonly [State, path: string])[] = [
    [{ ...written, tree: { ...written.tree, "CLAUDE.md": insert(written.tree["CLAUDE.md"]) } }, "CLAUDE.md"],
    [fresh({ "CLAUDE.md": insert(written.tree["CLAUDE.md"]) }), "CLAUDE.md"],
    [fresh({ "CLAUDE.md": long + insert(written.tree["CLAUDE.md"]) }), "CLAUDE.md"],
    [fresh({ "CLAUDE.md": `${BEGIN}\n# Mine\n${END}\n` }), "CLAUDE.md"],
    [
      { ...inRule, tree: { ...inRule.tree, [SECTION_RULE]: insert(inRule.tree[SECTION_RULE]) } },
      SECTION_RULE,
    ],
    [
      {
        ...inRule,
        tree: { ...inRule.tree, "CLAUDE.md": "# Mine\n", [SECTION_RULE]: insert(inRule.tree[SECTION_RULE]) },
      },
      SECTION_RULE,
    ],
  ];
  for (const [state, path] of cases) {
    const installed = install(state);
    const { plan, tree } = installed;
    assertEquals(tree[path], state.tree[path]);
    assertEquals(Object.entries(tree).filter(([, bytes]) => bytes.includes(BEGIN)).length, 1);
    assertEquals(plan.conflicts.map(({ path }) => path), [path]);
    const failed = verify(plan, undefined, filesOf(tree)).filter(({ pass }) => !pass);
    assert(failed.some(({ name }) => name === `${path}: the section is nonzero's own`));
    assert(tree[".claude/settings.local.json"]);
    const out = uninstall(installed);
    assertEquals(out.tree[path], state.tree[path]);
    assertEquals(out.plan.kept.map(({ path }) => path), [path]);
  }
});

Deno.test("planInstall: a section of another form, or of a folder of another name, is renewed", () => {
  const plain = install(fresh({ "CLAUDE.md": "# Mine\n" })).tree["CLAUDE.md"] ?? "";
  const windows = plain.replaceAll("\n", "\r\n");
  for (
    const bytes of [
      plain,
      windows,
      plain.replace(" in app", " in other"),
      windows.replace(" in app", " in \xc3\xa9"),
    ]
  ) {
    const { plan, tree } = install(fresh({ "CLAUDE.md": bytes }));
    assertEquals(plan.conflicts, []);
    assertEquals(tree["CLAUDE.md"], bytes.includes("\r") ? windows : plain);
  }
});

Deno.test("planInstall: what the user took out is not remembered", () => {
  const installed = install(fresh({ "CLAUDE.md": "# Mine\n", ".claude/settings.local.json": "{}" }));
  const tree = { ...installed.tree, "CLAUDE.md": "# Mine\n", ".claude/settings.local.json": "{ }" };
  const { tree: left, record, plan } = uninstall({ ...installed, tree });
  assertEquals({ left, record, kept: plan.kept }, {
    left: { "CLAUDE.md": "# Mine\n", ".claude/settings.local.json": "{ }" },
    record: undefined,
    kept: [],
  });
});

Deno.test("planInstall: settings that are too large for the client, or would be, are refused", () => {
  const path = ".claude/settings.local.json";
  const most = 4 * 1024 * 1024;
  for (const length of [most, most - 1000]) {
    const settings = JSON.stringify({ model: "m".repeat(length) });
    assertThrows(() => install(fresh({ [path]: settings })), InstallError, `${path}: larger than 4 MiB`);
  }
  const { plan, tree } = install(fresh({}));
  const grown = tree[path]?.replace("{", `{${" ".repeat(most)}`) ?? "";
  const verified = verify(plan, { path, wiring: wiringOf() }, filesOf({ ...tree, [path]: grown }));
  assertEquals(verified.filter(({ pass }) => !pass).map(({ name }) => name), [`${path}: hooks there`]);
});

Deno.test("planInstall: settings that nest too deep are not called invalid", () => {
  const path = ".claude/settings.local.json";
  const deep = (depth: number) => `{"x":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  assertThrows(() => install(fresh({ [path]: deep(100_000) })), InstallError, `${path}: nests too deep`);
  const installed = install(fresh({ [path]: deep(150) }));
  assertEquals(uninstall(installed).tree, { [path]: deep(150) });
});

Deno.test("planInstall: a program whose hooks would not be known again is not wired", () => {
  assertThrows(() => install(fresh({}), { program: "/bin/true" }), InstallError, "would not know its hooks");
});

Deno.test("planInstall: all criteria hold afterwards, and none before", () =>
  fc.assert(
    fc.property(tree, (tree) => {
      const settings = ".claude/settings.json";
      const { plan, tree: after } = install(fresh(tree), { settings });
      const hooks = { path: settings, wiring: wiringOf() };
      const passed = (tree: Tree) => verify(plan, hooks, filesOf(tree)).map(({ pass }) => pass);
      assertEquals(passed(after), plan.rules.length > 0 ? [true, true, true, true] : [true, true, true]);
      assertEquals(passed({}).includes(true), false);
      assert("says" in sessionStart);
      assertEquals(sessionStart.says([after[plan.memory] ?? ""]), undefined);
    }),
    { numRuns: 60 },
  ));

Deno.test("planUninstall: after the user's edits, theirs stay and ours go", () => {
  const settings = '{\n  "model": "m"\n}\n';
  const installed = install(fresh({ "CLAUDE.md": "# Mine\n", ".claude/settings.local.json": settings }));
  const edited = {
    ...installed.tree,
    "CLAUDE.md": `Top\n${installed.tree["CLAUDE.md"]}More\n`,
    ".claude/settings.local.json": installed.tree[".claude/settings.local.json"]?.replace('"m"', '"n"') ?? "",
  };
  const { tree, plan } = uninstall({ ...installed, tree: edited });
  assertEquals(tree, {
    "CLAUDE.md": "Top\n# Mine\nMore\n",
    ".claude/settings.local.json": '{\n  "model": "n"\n}\n',
  });
  assertEquals(plan.kept, []);
});

Deno.test("planUninstall: a created file in which the user wrote stays, without our part", () => {
  const installed = install(fresh({}));
  const tree = {
    ...installed.tree,
    "CLAUDE.md": `${installed.tree["CLAUDE.md"]}\nMine\n`,
    ".claude/settings.local.json": installed.tree[".claude/settings.local.json"]?.replace(
      "{",
      '{\n  "model": "m",',
    ) ?? "",
  };
  const left = uninstall({ ...installed, tree }).tree;
  assertEquals(Object.keys(left).toSorted(), [".claude/settings.local.json", "CLAUDE.md"]);
  assertEquals(left["CLAUDE.md"], "\nMine\n");
  assertEquals(readSettings(left[".claude/settings.local.json"] ?? ""), { model: "m" });
});

Deno.test("planUninstall: keeps what the user changed of ours, and says so", () => {
  const installed = install(fresh({}));
  const rule = ".claude/rules/proof-obligations.md";
  const tree: Tree = {
    ...installed.tree,
    [rule]: `${installed.tree[rule]}- Mine\n`,
    "CLAUDE.md": installed.tree["CLAUDE.md"]?.replace(END, `- Mine\n${END}`) ?? "",
    ".claude/settings.local.json": installed.tree[".claude/settings.local.json"]?.replace("{", "{,") ?? "",
  };
  const { tree: left, plan } = uninstall({ ...installed, tree });
  assertEquals(Object.keys(left).toSorted(), [rule, ".claude/settings.local.json", "CLAUDE.md"].toSorted());
  assertEquals(plan.kept.map(({ path }) => path).toSorted(), Object.keys(left).toSorted());
  assertEquals(left, Object.fromEntries(Object.keys(left).map((path) => [path, tree[path] ?? ""])));
});

Deno.test("planUninstall: line ends that a checkout changed are no edit", () => {
  const installed = install(fresh({}));
  const tree = Object.fromEntries(
    Object.entries(installed.tree).map(([path, bytes]) => [path, bytes.replaceAll("\n", "\r\n")]),
  );
  assertEquals(uninstall({ ...installed, tree }).tree, {});
  const again = install({ ...installed, tree });
  assertEquals(again.tree, tree);
  assertEquals(again.plan.conflicts, []);
});

Deno.test("planUninstall: without a record, by the marks alone", () =>
  fc.assert(
    fc.property(tree, wanted, (tree, wanted) => {
      const installed = installable(tree, wanted);
      if (!installed) return;
      const left = uninstall({ tree: installed.tree, record: undefined }).tree;
      const bare = (tree: Tree) =>
        Object.fromEntries(
          Object.entries(tree).filter(([path]) => !/settings/.test(path))
            .filter(([, bytes]) => bytes.replace("\xef\xbb\xbf", "").trim() !== ""),
        );
      assertEquals(bare(left), bare(tree));
      assert(!JSON.stringify(left).includes("/opt/"));
    }),
    { numRuns: 100 },
  ));

Deno.test("planUninstall: nothing of ours, nothing changed", () =>
  fc.assert(fc.property(tree, (tree) => {
    assertEquals(uninstall(fresh(tree)).plan, { changes: [], kept: [] });
  })));

Deno.test("planUninstall: unreadable settings without a word of ours are no matter, with one are kept", () => {
  const settings = (text: string) => uninstall(fresh({ ".claude/settings.json": text })).plan.kept.length;
  assertEquals(settings("{ // mine\n}"), 0);
  assertEquals(settings('{ "hooks": "nonzero", }'), 1);
});

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`).join("");

Deno.test("planInstall: a section is cut to its core where that keeps the file within 200 lines", () => {
  const short = install(fresh({ "CLAUDE.md": lines(150) }));
  assertEquals(short.plan.warnings, []);
  const { plan, tree } = install(fresh({ "CLAUDE.md": lines(186) }));
  assertEquals([plan.memory, plan.warnings.length], ["CLAUDE.md", 1]);
  assert(countLines(tree["CLAUDE.md"] ?? "") <= 200 && tree["CLAUDE.md"]?.includes(BEGIN));
});

Deno.test("planInstall: where the user's own text fills the file, the section is a rule", () => {
  const own = lines(201);
  const { plan, tree, ...rest } = install(fresh({ "CLAUDE.md": own }));
  assertEquals([plan.memory, tree["CLAUDE.md"]], [".claude/rules/nonzero.md", own]);
  assert(tree[".claude/rules/nonzero.md"]?.startsWith(BEGIN));
  assert(plan.warnings[0]?.startsWith("CLAUDE.md has 201 lines without the section"), plan.warnings[0]);
  // The file was cleared, so the section moves into it.
  const cleared = install({ ...rest, tree: { ...tree, "CLAUDE.md": "# Short\n" } });
  assertEquals([cleared.plan.memory, cleared.tree[".claude/rules/nonzero.md"]], ["CLAUDE.md", undefined]);
  assertEquals(uninstall(cleared).tree, { "CLAUDE.md": "# Short\n" });
  // It grew again.
  const grown = install({
    ...cleared,
    tree: { ...cleared.tree, "CLAUDE.md": own + cleared.tree["CLAUDE.md"] },
  });
  assert(!grown.tree["CLAUDE.md"]?.includes(BEGIN));
  assert(grown.tree[".claude/rules/nonzero.md"]?.includes(BEGIN));
});

Deno.test("planInstall: other agents have no folder of rules, so there a long file is refused", () => {
  assertThrows(
    () => install(fresh({ "AGENTS.md": lines(201) }), { platform: "agents" }),
    InstallError,
    "AGENTS.md has 201 lines without the section",
  );
});

const PLACES: readonly (readonly [have: readonly string[], platform: Platform, place: string])[] = [
  [[], "claude-code", "CLAUDE.md"],
  [["AGENTS.md"], "claude-code", "AGENTS.md"],
  [["AGENTS.md", "CLAUDE.md"], "claude-code", "CLAUDE.md"],
  [["AGENTS.md", "CLAUDE.local.md"], "claude-code", "CLAUDE.md"],
  [["AGENTS.md", ".claude/CLAUDE.md"], "claude-code", ".claude/CLAUDE.md"],
  [["CLAUDE.md"], "opencode", "AGENTS.md"],
  [["CLAUDE.md"], "agents", "AGENTS.md"],
];

for (const [have, platform, place] of PLACES) {
  Deno.test(`planInstall: with ${have.join(" and ") || "nothing"} there, ${platform} gets ${place}`, () => {
    const tree = Object.fromEntries(have.map((path) => [path, "# Mine\n"]));
    const installed = install(fresh(tree), { platform, settings: undefined });
    assertEquals(installed.plan.memory, place);
    const holding = Object.entries(installed.tree).filter(([, bytes]) => bytes.includes(BEGIN));
    assertEquals(holding.map(([path]) => path), [place]);
  });
}

Deno.test("planInstall: elsewhere than in Claude Code the rules stand in the section", () => {
  const { tree, plan } = install(fresh({ "package.json": '{"dependencies":{"ink":"6"}}' }), {
    platform: "opencode",
    settings: undefined,
  });
  assertEquals(plan.rules, []);
  assertEquals(Object.keys(tree), ["package.json", "AGENTS.md"]);
  assert(/Evidence:[^]*Terminal interface:/.test(tree["AGENTS.md"] ?? ""));
  assert(countLines(tree["AGENTS.md"] ?? "") <= 42);
});

Deno.test("planInstall: a rule of the same name that is not ours is kept, and ours stands beside it", () => {
  const path = ".claude/rules/evidence-contract.md";
  const beside = ".claude/rules/evidence-contract.nonzero.md";
  const installed = install(fresh({ [path]: "# Mine\n" }));
  assertEquals(installed.tree[path], "# Mine\n");
  assertEquals(installed.plan.conflicts.map(({ path }) => path), [path]);
  assert(installed.plan.rules.includes(beside));
  const both = install(fresh({ [path]: "# Mine\n", [beside]: "# Mine too\n" }));
  assertEquals([both.tree[path], both.tree[beside]], ["# Mine\n", "# Mine too\n"]);
  assertEquals(both.plan.conflicts.map(({ path }) => path), [path, beside]);
});

Deno.test("planInstall: an older rule of ours, as it was written, is replaced", () => {
  const path = ".claude/rules/proof-obligations.md";
  const installed = install(fresh({}));
  const old = { path, kind: "rule" as const, before: undefined, after: "# Older\n" };
  const record = installed.record && {
    ...installed.record,
    files: installed.record.files.map((file) =>
      file.path === path ? { ...file, after: `digest of ${old.after}` } : file
    ),
  };
  const again = install({ tree: { ...installed.tree, [path]: old.after }, record });
  assertEquals([again.tree[path], again.plan.conflicts], [installed.tree[path], []]);
});

Deno.test("planInstall: what it cannot edit is named, with file and line", () => {
  const refused = (tree: Tree, message: string) =>
    assertThrows(() => install(fresh(tree)), InstallError, message);
  refused({ "CLAUDE.md": `a\n${END}\n` }, "CLAUDE.md: line 2: ");
  refused(
    { ".claude/settings.local.json": "{\n// x\n}" },
    ".claude/settings.local.json: line 2, column 1: a comment",
  );
});

Deno.test("planInstall: the section is within 40 lines beside the commands, with rules in it or not", () => {
  const all = '{"dependencies":{"ink":"6"},"scripts":{"test":"x","build":"y"}}';
  for (const platform of ["claude-code", "agents"] as const) {
    const { tree, plan } = install(fresh({ "package.json": all }), { platform });
    const section = tree[plan.memory] ?? "";
    assert(section.includes("- test: `npm run test`\n- build: `npm run build`\n"));
    assert(countLines(section) - 5 <= 40, `${countLines(section)} lines`);
  }
});

Deno.test("record: comes back as it was written; what is none is none", () =>
  fc.assert(
    fc.property(tree, (tree) => {
      const { record } = install(fresh(tree));
      assert(record);
      assertEquals(parseRecord(formatRecord(record)), record);
      assertEquals(parseRecord(formatRecord(record).slice(1)), undefined);
      assertEquals(parseRecord(putSection("", [])), undefined);
      assertEquals(parseRecord('{"schema":2}'), undefined);
    }),
    { numRuns: 20 },
  ));
