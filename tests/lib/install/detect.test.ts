import { assertEquals } from "@std/assert";
import { detect, type Project } from "../../../lib/install/detect.ts";

/** A project of these files. */
function project(files: Readonly<Record<string, string>>, name = "app"): Project {
  const below = (folder: string) =>
    Object.keys(files).filter((path) => folder === "" || path.startsWith(`${folder}/`));
  return {
    name,
    text: (path) => files[path],
    names: (folder) => [
      ...new Set(
        below(folder).map((path) => path.slice(folder === "" ? 0 : folder.length + 1).split("/")[0] ?? ""),
      ),
    ],
  };
}

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly test?: readonly string[];
  readonly build?: readonly string[];
  readonly tui?: readonly string[];
  readonly workspaces?: readonly string[];
}

const json = JSON.stringify;

const CASES: readonly Case[] = [
  { name: "nothing", files: { "README.md": "npm test" } },
  {
    name: "package.json, by npm",
    files: { "package.json": json({ scripts: { test: "x", build: "y", lint: "z" } }) },
    test: ["npm run test"],
    build: ["npm run build"],
  },
  {
    name: "the script that npm itself writes",
    files: { "package.json": json({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }) },
  },
  { name: "no scripts", files: { "package.json": "{}", "package-lock.json": "" } },
  {
    name: "the lock file of pnpm",
    files: { "package.json": json({ scripts: { test: "x" } }), "pnpm-lock.yaml": "" },
    test: ["pnpm run test"],
  },
  {
    name: "the package manager that is named, over a lock file",
    files: { "package.json": json({ packageManager: "yarn@4.1.0", scripts: { test: "x" } }), "bun.lock": "" },
    test: ["yarn run test"],
  },
  {
    name: "a package manager that is a command is none",
    files: { "package.json": json({ packageManager: "rm -rf / #@1", scripts: { test: "x" } }) },
    test: ["npm run test"],
  },
  {
    name: "deno.jsonc, with comments and a comma",
    files: { "deno.jsonc": '{ // tasks\n "tasks": { "build": "x", "test": { "command": "y" }, } }' },
    test: ["deno task test"],
    build: ["deno task build"],
  },
  {
    name: "pyproject.toml, by the tables of its runners",
    files: {
      "pyproject.toml":
        '[project]\nname = "p"\n[tool.poe.tasks]\ntest = "pytest"\n[tool.pdm.scripts]\nbuild = "b"\n',
    },
    test: ["poe test"],
    build: ["pdm run build"],
  },
  {
    name: "what only could be run is not guessed",
    files: {
      "pyproject.toml": '[project]\nname = "p"\n',
      "go.mod": "module x\n",
      "Cargo.toml": '[package]\nname = "x"\n',
      "pom.xml": "<project/>",
      "build.gradle": "",
      "App.csproj": "<Project/>",
    },
  },
  {
    name: "Makefile",
    files: {
      "Makefile": "test := no\nCC = x\n.PHONY: build\nall: test\n\nbuild install: all\n\tmake test:\n",
    },
    build: ["make build"],
  },
  {
    name: "Makefile with a test",
    files: { "Makefile": "test: all\n\t./run\n" },
    test: ["make test"],
  },
  {
    name: "several manifests",
    files: { "Makefile": "test:\n", "package.json": json({ scripts: { test: "x" } }) },
    test: ["make test", "npm run test"],
  },
  {
    name: "manifests that are broken",
    files: { "package.json": "{", "pyproject.toml": "[", "deno.json": "\0" },
  },
  {
    name: "keys of Object.prototype",
    files: { "package.json": '{"__proto__": {"scripts": {"test": "x"}}}' },
  },
  { name: "ink", files: { "package.json": json({ dependencies: { ink: "6", react: "19" } }) }, tui: ["ink"] },
  { name: "ink of Deno", files: { "deno.json": json({ imports: { ui: "npm:ink@6" } }) }, tui: ["ink"] },
  { name: "no ink", files: { "package.json": json({ dependencies: { "ink-docstrap": "1" }, name: "ink" }) } },
  {
    name: "textual",
    files: { "pyproject.toml": '[project]\ndependencies = ["Textual[syntax]>=1", "rich"]\n' },
    tui: ["textual"],
  },
  {
    name: "textual of poetry",
    files: { "pyproject.toml": '[tool.poetry.dependencies]\ntextual = "^1"\n' },
    tui: ["textual"],
  },
  { name: "ratatui", files: { "Cargo.toml": '[dependencies]\nratatui = "0.29"\n' }, tui: ["ratatui"] },
  {
    name: "bubbletea",
    files: {
      "go.mod": "module x\n\nrequire (\n\tgithub.com/charmbracelet/bubbletea v1.2.4 // indirect\n)\n",
    },
    tui: ["bubbletea"],
  },
  {
    name: "bubbletea in one line",
    files: { "go.mod": "module x\nrequire charm.land/bubbletea/v2 v2.0.0\n" },
    tui: ["bubbletea"],
  },
  {
    name: "members of a workspace, and what they depend on",
    files: {
      "package.json": json({ workspaces: ["packages/*", "../outside"] }),
      "packages/a/package.json": json({ dependencies: { ink: "6" }, scripts: { test: "x" } }),
    },
    tui: ["ink"],
    workspaces: ["packages/*", "../outside"],
  },
  {
    name: "workspaces of each kind",
    files: {
      "package.json": json({ workspaces: { packages: ["a"] } }),
      "pnpm-workspace.yaml": "packages:\n  - b/*\n",
      "deno.json": json({ workspace: ["./c"] }),
      "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n',
      "crates/tui/Cargo.toml": '[dependencies]\nratatui = "1"\n',
      "go.work": "go 1.24\n\nuse (\n\t./d\n\t./e\n)\nuse ./f\n",
      "pyproject.toml": '[tool.uv.workspace]\nmembers = ["g"]\n',
    },
    tui: ["ratatui"],
    workspaces: ["crates/*", "./c", "./f", "./d", "./e", "a", "b/*", "g"],
  },
];

for (const { name, files, test = [], build = [], tui = [], workspaces = [] } of CASES) {
  Deno.test(`detect: ${name}`, () => {
    const found = detect(project(files));
    const of = (what: string) =>
      found.commands.filter((one) => one.what === what).map(({ command }) => command);
    assertEquals({ test: of("test"), build: of("build"), tui: found.tui, workspaces: found.workspaces }, {
      test,
      build,
      tui,
      workspaces,
    });
  });
}

Deno.test("detect: the manifests at the top", () =>
  assertEquals(
    detect(
      project({
        "pom.xml": "",
        "a/go.mod": "",
        "X.csproj": "",
        "build.gradle.kts": "",
        "package.json.bak": "",
      }),
    )
      .manifests,
    ["X.csproj", "build.gradle.kts", "pom.xml"],
  ));

Deno.test("detect: a name stays one line and reads as nothing but a name", () => {
  assertEquals(detect(project({}, "my app-2 é")).name, "my app-2 é");
  assertEquals(detect(project({}, "a\n<!-- nonzero:end -->`$(x)`")).name, "a___-- nonzero_end --____x__");
  assertEquals(detect(project({}, " ")).name, "this project");
});
