/** What a project's own files say of it. Nothing is guessed: a command counts where a manifest declares it. */
import { evaluate, parse as parseJson } from "@humanwhocodes/momoa";
import { parse as parseToml } from "@std/toml/parse";
import { parse as parseYaml } from "@std/yaml/parse";

/** Looks into a project's folder; names are relative to it, with `/` between. */
export interface Project {
  /** What the project's folder is called. */
  readonly name: string;
  /** The text of a file; undefined where there is none that can be read. */
  text(path: string): string | undefined;
  /** The names in a folder, "" for the project's own; none where it cannot be read. */
  names(folder: string): readonly string[];
}

/** A command and what it is for. */
export interface Command {
  readonly what: "test" | "build";
  readonly command: string;
}

/** What was found. */
export interface Detected {
  readonly name: string;
  /** The manifests at the top. */
  readonly manifests: readonly string[];
  readonly commands: readonly Command[];
  /** The libraries for terminal interfaces among the dependencies. */
  readonly tui: readonly string[];
  /** What the project lists as its members, where it is the root of a workspace. */
  readonly workspaces: readonly string[];
}

type Table = Readonly<Record<string, unknown>>;

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands below these keys; undefined where the way is not there. */
function dig(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (found, key) => isTable(found) && Object.hasOwn(found, key) ? found[key] : undefined,
    value,
  );
}

function keys(value: unknown): string[] {
  return isTable(value) ? Object.keys(value) : [];
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** What a file says; undefined where there is none, or none that its reader takes. */
function read(project: Project, path: string, parse: (text: string) => unknown): unknown {
  const text = project.text(path);
  try {
    return text === undefined ? undefined : parse(text);
  } catch {
    return undefined;
  }
}

function json(text: string): unknown {
  return evaluate(parseJson(text.replace(/^\uFEFF/, ""), { mode: "jsonc", allowTrailingCommas: true }));
}

/** The folders of a project's members, and of the project itself, as far as a pattern names or lists them. */
function folders(project: Project, patterns: readonly string[]): string[] {
  const found = patterns.flatMap((pattern) => {
    const path = pattern.replace(/^\.\//, "").replace(/\/+$/, "");
    if (!path.endsWith("/*")) return path.includes("*") ? [] : [path];
    const parent = path.slice(0, -2);
    return parent.includes("*") ? [] : project.names(parent).map((name) => `${parent}/${name}`);
  });
  return [...new Set(found)].filter((path) => !path.split("/").includes("..")).slice(0, 200);
}

/** One kind of manifest: what it declares. */
interface Manifest {
  readonly file: RegExp;
  /** The scripts of a project, each as the command that runs it. */
  readonly commands?: (project: Project, file: string) => readonly Command[];
  /** The libraries that it depends on. */
  readonly dependencies?: (project: Project, file: string) => readonly string[];
  readonly members?: (project: Project, file: string) => readonly string[];
}

/** The commands for those of `test` and `build` that are declared. */
function scripts(names: readonly string[], run: string): Command[] {
  return (["test", "build"] as const).filter((what) => names.includes(what))
    .map((what) => ({ what, command: `${run} ${what}` }));
}

/** Which program runs the scripts of a package.json: the one it names, else that of its lock file. */
function packageManager(project: Project, manifest: unknown): string {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(String(dig(manifest, "packageManager")))?.[1];
  if (named !== undefined) return named;
  const names = project.names("");
  const byLock = { "pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun" };
  return Object.entries(byLock).find(([lock]) => names.includes(lock))?.[1] ?? "npm";
}

/** What npm writes into a new package.json. */
const NO_TEST = /no test specified/;

function packageScripts(project: Project, file: string): Command[] {
  const manifest = read(project, file, json);
  const names = keys(dig(manifest, "scripts"))
    .filter((name) => !NO_TEST.test(String(dig(manifest, "scripts", name))));
  return scripts(names, `${packageManager(project, manifest)} run`);
}

/** The tables of a pyproject.toml whose keys are commands, and what runs them. */
const PYTHON_RUNNERS: readonly { readonly table: readonly string[]; readonly run: string }[] = [
  { table: ["tool", "poe", "tasks"], run: "poe" },
  { table: ["tool", "pdm", "scripts"], run: "pdm run" },
  { table: ["tool", "taskipy", "tasks"], run: "task" },
  { table: ["tool", "rye", "scripts"], run: "rye run" },
  { table: ["tool", "hatch", "envs", "default", "scripts"], run: "hatch run" },
];

/** The name of a Python requirement such as `Textual[syntax]>=1`. */
function requirement(text: string): string {
  return /^[\w.-]+/.exec(text.trim())?.[0].toLowerCase() ?? "";
}

function pythonDependencies(project: Project, file: string): string[] {
  const manifest = read(project, file, parseToml);
  const groups = [dig(manifest, "project", "optional-dependencies"), dig(manifest, "dependency-groups")];
  const lists = [
    dig(manifest, "project", "dependencies"),
    ...groups.flatMap((group) => Object.values(group ?? {})),
  ];
  return [
    ...lists.flatMap(strings).map(requirement),
    ...keys(dig(manifest, "tool", "poetry", "dependencies")),
  ];
}

/** The targets of a Makefile. */
function makeTargets(text: string): string[] {
  return [...text.matchAll(/^([A-Za-z0-9_./ -]+?)[ \t]*::?(?!=)/gm)].flatMap((match) =>
    (match[1] ?? "").split(/\s+/)
  );
}

/** The paths in a go.mod's `require` or a go.work's `use`. */
function goPaths(text: string, word: string): string[] {
  const blocks = [...text.matchAll(new RegExp(`^${word}\\s*\\(([^)]*)\\)`, "gm"))].map((match) =>
    match[1] ?? ""
  );
  const lines = [...text.matchAll(new RegExp(`^${word}[ \\t]+([^(\\s]+)`, "gm"))].map((match) =>
    match[1] ?? ""
  );
  const listed = blocks.flatMap((block) => block.split("\n"))
    .map((line) => line.replace(/\/\/.*/, "").trim().split(/\s/)[0] ?? "");
  return [...lines, ...listed].filter((path) => path !== "");
}

const DEPENDENCIES = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

const MANIFESTS: readonly Manifest[] = [
  {
    file: /^package\.json$/,
    commands: packageScripts,
    dependencies(project, file) {
      const manifest = read(project, file, json);
      return DEPENDENCIES.flatMap((kind) => keys(dig(manifest, kind)));
    },
    members(project, file) {
      const manifest = read(project, file, json);
      const pnpm = read(project, "pnpm-workspace.yaml", parseYaml);
      return [
        ...strings(dig(manifest, "workspaces")),
        ...strings(dig(manifest, "workspaces", "packages")),
        ...strings(dig(pnpm, "packages")),
      ];
    },
  },
  {
    file: /^deno\.jsonc?$/,
    commands: (project, file) => scripts(keys(dig(read(project, file, json), "tasks")), "deno task"),
    dependencies(project, file) {
      const imports = dig(read(project, file, json), "imports");
      return strings(Object.values(imports ?? {}))
        .flatMap((specifier) => /^(?:npm|jsr):\/?(@?[^@]+)/.exec(specifier)?.[1] ?? []);
    },
    members(project, file) {
      const manifest = read(project, file, json);
      return [...strings(dig(manifest, "workspace")), ...strings(dig(manifest, "workspace", "members"))];
    },
  },
  {
    file: /^pyproject\.toml$/,
    commands(project, file) {
      const manifest = read(project, file, parseToml);
      return PYTHON_RUNNERS.flatMap(({ table, run }) => scripts(keys(dig(manifest, ...table)), run));
    },
    dependencies: pythonDependencies,
    members: (project, file) =>
      strings(dig(read(project, file, parseToml), "tool", "uv", "workspace", "members")),
  },
  {
    file: /^go\.mod$/,
    dependencies: (project, file) => goPaths(project.text(file) ?? "", "require"),
  },
  {
    file: /^go\.work$/,
    members: (project, file) => goPaths(project.text(file) ?? "", "use"),
  },
  {
    file: /^Cargo\.toml$/,
    dependencies(project, file) {
      const manifest = read(project, file, parseToml);
      const tables = [dig(manifest, "dependencies"), dig(manifest, "workspace", "dependencies")];
      return tables.flatMap(keys);
    },
    members: (project, file) => strings(dig(read(project, file, parseToml), "workspace", "members")),
  },
  { file: /^pom\.xml$/ },
  { file: /^build\.gradle(?:\.kts)?$/ },
  { file: /\.csproj$/i },
  {
    file: /^(?:GNUm|[Mm])akefile$/,
    commands: (project, file) => scripts(makeTargets(project.text(file) ?? ""), "make"),
  },
];

/** The libraries for terminal interfaces, as each language's manifest names them. */
const TUI: readonly { readonly name: string; readonly is: RegExp }[] = [
  { name: "ink", is: /^ink$/ },
  { name: "textual", is: /^textual$/ },
  { name: "ratatui", is: /^ratatui$/ },
  { name: "bubbletea", is: /^(?:github\.com\/charmbracelet|charm\.land)\/bubbletea(?:\/v\d+)?$/ },
];

/** A name or pattern of the project as it may stand in a file for an agent: nothing that reads as Markdown or more. */
function plain(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,@+*\/_-]/gu, "_").slice(0, 80).trim();
}

/** Looks at a project's manifests, and at those of its members for what they depend on. */
export function detect(project: Project): Detected {
  const at = (folder: string) =>
    project.names(folder).flatMap((name) => {
      const manifest = MANIFESTS.find(({ file }) => file.test(name));
      return manifest ? [{ manifest, name, file: folder === "" ? name : `${folder}/${name}` }] : [];
    }).sort((one, other) => one.name < other.name ? -1 : 1);
  const top = at("");
  const members = top.flatMap(({ manifest, file }) => manifest.members?.(project, file) ?? []);
  const all = [...top, ...folders(project, members).flatMap(at)];
  const dependencies = new Set(
    all.flatMap(({ manifest, file }) => manifest.dependencies?.(project, file) ?? []),
  );
  const commands = top.flatMap(({ manifest, file }) => manifest.commands?.(project, file) ?? []);
  return {
    name: plain(project.name) || "this project",
    manifests: top.map(({ name }) => name),
    commands: (["test", "build"] as const).flatMap((what) => commands.filter((one) => one.what === what)),
    tui: TUI.filter(({ is }) => [...dependencies].some((name) => is.test(name))).map(({ name }) => name),
    workspaces: [...new Set(members.filter((member) => member !== ".").map(plain))].slice(0, 8),
  };
}
