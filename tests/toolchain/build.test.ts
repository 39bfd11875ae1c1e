import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { pluginHooks } from "../../lib/cli/list.ts";
import { registry } from "../../toolchain/registry.ts";
import { bundle, bundleInParts, compileWithDeno, makeWorkFolder } from "../../toolchain/compile.ts";
import { digest, pluginFiles } from "../../toolchain/dist.ts";
import { checkExecutable } from "../../toolchain/executable.ts";
import { hardening } from "../../toolchain/harden.ts";
import { locked } from "../../toolchain/runtime.ts";
import { unite } from "../../toolchain/permissions.ts";
import { findTarget, targets } from "../../toolchain/targets.ts";
import { ROOT, run, withFolder } from "../black-box.ts";
import { copyTree, list, runTool } from "./tree.ts";

const HOST = findTarget("host");
const DIST = join(ROOT, "dist/host");
const PROGRAM = join(DIST, `nonzero${HOST.exe}`);
const entryFiles = registry.map(({ folder, unit }) => `${folder}/${unit.name}${HOST.exe}`);

/** The plugin's files, of which its commands are those of the checkout. */
const pluginPaths = async () => {
  const commands = await list(join(ROOT, "commands")).catch(() => []);
  const found = commands.filter((name) => name.endsWith(".md")).map((name) => `commands/${name}`);
  const others = [".claude-plugin/plugin.json", "hooks/hooks.json", `nonzero${HOST.exe}`];
  return [...others, ...found].map((path) => `plugin/${path}`);
};

const read = (path: string) => Deno.readTextFile(join(DIST, path));
const record = async () => JSON.parse(await read("BUILD.json"));

Deno.test("build: two builds from different places give the same bytes, whatever lies above them", async () => {
  await withFolder({
    "one": null,
    "elsewhere/package.json": JSON.stringify({
      type: "commonjs",
      sideEffects: false,
      imports: { "#x": "./x.js" },
    }),
    "elsewhere/tsconfig.json": JSON.stringify({ compilerOptions: { jsx: "react", target: "ES5" } }),
    "elsewhere/bunfig.toml": 'preload = ["./nothing.js"]\n',
    "elsewhere/deeper/down": null,
  }, async (folder) => {
    const trees = [join(folder, "one"), join(folder, "elsewhere/deeper/down/two")];
    const sums: string[] = [];
    for (const tree of trees) {
      await copyTree(tree);
      await Deno.mkdir(join(tree, "commands"), { recursive: true });
      await Deno.writeTextFile(join(tree, "commands/greet.md"), "Say hello.\n");
      await Deno.writeTextFile(join(tree, "commands/notes.txt"), "not a command\n");
      const built = await runTool(tree, "toolchain/build.ts", ["--compiler", "bun"]);
      assertEquals(built.code, 0, built.text);
      const commands = await list(join(tree, "dist/host/plugin/commands"));
      assertEquals([commands.includes("greet.md"), commands.includes("notes.txt")], [true, false]);
      sums.push(await Deno.readTextFile(join(tree, "dist/host/SHA256SUMS")));
      const image = new TextDecoder("latin1").decode(
        await Deno.readFile(join(tree, `dist/host/nonzero${HOST.exe}`)),
      );
      assert(!image.includes(folder), "the executable holds the path that it was built in");
    }
    assertEquals(sums[0], sums[1]);
  });
});

Deno.test("build: one that fails leaves what was there, and nothing beside it", async () => {
  await withFolder({ "tree": null }, async (folder) => {
    const tree = join(folder, "tree");
    const place = join(tree, "dist", HOST.triple);
    await copyTree(tree);
    await Deno.mkdir(place, { recursive: true });
    await Deno.writeTextFile(join(place, "SHA256SUMS"), "an older build");
    await Deno.writeTextFile(join(tree, "toolchain/package-lock.json"), '{ "packages": {} }');
    const { code, text } = await runTool(tree, "toolchain/build.ts", ["--compiler", "bun"]);
    assertEquals([code, text], [
      1,
      `Cannot get ${HOST.bun.package}: toolchain/package-lock.json does not pin it\n`,
    ]);
    assertEquals(await list(join(tree, "dist")), [HOST.triple]);
    assertEquals(await list(place), ["SHA256SUMS"]);
    assertEquals(await list(join(tree, ".cache/build")), []);
  });
});

Deno.test("build: a mistake on its command line is one clear line", async () => {
  const say = async (...args: string[]) =>
    (await runTool(ROOT, "toolchain/build.ts", args)).text.trimEnd().split("\n")[0];
  assertEquals(
    await say("--target", "x86_64-unknown-linux-musl", "--compiler", "deno"),
    "Cannot build for x86_64-unknown-linux-musl with Deno: it has no runtime for musl. Use COMPILER=bun",
  );
  assertEquals(await say("--target", "z80"), 'Cannot build for "z80": no such target. There are:');
  assertEquals(
    await say("--compiler", "tsc"),
    'Cannot build with "tsc": the compilers are auto, bun and deno',
  );
  assertEquals(await say("--fast"), 'Unknown argument "--fast"');
});

Deno.test("build: what does not run as nonzero is not taken for a runtime", async () => {
  await withFolder({ "tree": null }, async (folder) => {
    const tree = join(folder, "tree");
    await copyTree(tree);
    const { code, text } = await runTool(tree, "toolchain/build.ts", [], { DENORT_BIN: Deno.execPath() });
    assertEquals(code, 1);
    assertStringIncludes(text, "it does not run as nonzero");
    assertEquals(await list(join(tree, "dist")), []);
  });
});

/** The parts that a part of a program begins with, itself among them, and those that it may load later. */
async function readParts(work: string, first: string): Promise<{ begins: Set<string>; all: Set<string> }> {
  const [begins, all] = [new Set([first]), new Set([first])];
  const texts = new Map<string, string>();
  for (const name of all) {
    const text = await Deno.readTextFile(join(work, name));
    texts.set(name, text);
    for (const [, other = ""] of text.matchAll(/"\.\/([^"]+\.js)"/g)) all.add(other);
  }
  for (const name of begins) {
    const text = texts.get(name) ?? "";
    for (const [, other = ""] of text.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)) begins.add(other);
  }
  return { begins, all };
}

Deno.test("bundleInParts: the program begins without what its hooks, gates and commands need", async () => {
  const work = await makeWorkFolder();
  try {
    await bundleInParts("nonzero.ts", "nonzero", work);
    const written = (await list(work)).filter((name) => name.endsWith(".js"));
    const { begins, all } = await readParts(work, "nonzero.js");
    assertEquals([...all].sort(), written);
    const sizeOf = async (names: Iterable<string>) => {
      const sizes = [...names].map(async (name) => (await Deno.stat(join(work, name))).size);
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    };
    const [start, whole] = [await sizeOf(begins), await sizeOf(all)];
    assert(start < whole / 20, `${start} of ${whole} bytes are loaded at the start`);
    // What the executable does not hold would be looked for in the file system.
    for (const name of all) {
      const text = await Deno.readTextFile(join(work, name));
      const loaded = [...text.matchAll(/(?:[} ]from|\bimport\(?)"([\w@./:-]+)"/g)].map(([, other = ""]) =>
        other
      );
      for (const other of loaded) {
        assert(other.startsWith("node:") || all.has(other.slice(2)), `${name}: ${other}`);
      }
    }
  } finally {
    await Deno.remove(work, { recursive: true });
  }
});

/** What Deno wrote into an executable of what it may do, in the words of our permissions. */
async function embeddedPermissions(path: string): Promise<Record<string, unknown>> {
  // Behind the runtime, before the program.
  const end = (await Deno.readFile(path)).subarray(-4_000_000);
  const [, json = ""] =
    new TextDecoder("latin1").decode(end).match(/"permissions":(\{"allow_env":[^}]*\})/) ?? [];
  const { allow_import: _, prompt, ...kinds } = JSON.parse(json);
  assertEquals(prompt, false);
  return Object.fromEntries(
    Object.entries<string[] | null>(kinds).flatMap(([kind, scope]) =>
      scope === null ? [] : [[kind.replace("allow_", ""), scope.length === 0 ? true : scope]]
    ),
  );
}

Deno.test("compileWithDeno: every entry compiles, with its own permissions and no other", async () => {
  const work = await makeWorkFolder();
  try {
    for (const { folder, unit: { name }, permissions } of registry) {
      await bundle(`${folder}/${name}.ts`, join(work, `${name}.js`), join(work, "source"));
      const made = await compileWithDeno({ work, name, target: HOST, permissions, denort: Deno.execPath() });
      await checkExecutable(made, HOST);
      assertEquals(await embeddedPermissions(made), { ...permissions });
      await Deno.remove(made);
    }
  } finally {
    await Deno.remove(work, { recursive: true });
  }
});

Deno.test("compileWithDeno: two builds give the same bytes", async () => {
  const [entry] = registry;
  assert(entry);
  const { folder, unit: { name }, permissions } = entry;
  const sums: string[] = [];
  for (let round = 0; round < 2; round++) {
    const work = await makeWorkFolder();
    try {
      await bundle(`${folder}/${name}.ts`, join(work, `${name}.js`), join(work, "source"));
      sums.push(
        await digest(
          await compileWithDeno({ work, name, target: HOST, permissions, denort: Deno.execPath() }),
        ),
      );
    } finally {
      await Deno.remove(work, { recursive: true });
    }
  }
  assertEquals(sums[0], sums[1]);
});

Deno.test("BUILD.json: says what was built, from what, by what, on what", async () => {
  const build = await record();
  const { version } = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));
  assertEquals([build.name, build.version, build.target], ["nonzero", version, Deno.build.target]);
  assertEquals(
    build.entries,
    registry.map(({ permissions }, index) => ({ path: entryFiles[index], permissions })),
  );
  assertEquals(build.plugin, {
    path: `plugin/nonzero${HOST.exe}`,
    permissions: unite(registry.map(({ permissions }) => permissions)),
  });
  if (build.source !== null) assertMatch(build.source.commit, /^[0-9a-f]{40}$/);
  assertEquals(build.sandboxed, build.compiler.name === "deno");
  if (build.compiler.name === "bun") {
    const lock = await Deno.readTextFile(join(ROOT, "toolchain/package-lock.json"));
    const pinned = locked(lock, HOST, "bun");
    assertEquals(build.compiler.version, pinned.version);
    assertEquals(build.runtime, {
      from: `npm:${pinned.package}@${pinned.version}`,
      integrity: pinned.integrity,
    });
    assertEquals(build.hardening, hardening);
  }
});

Deno.test("BUILD.json: holds no path, no time and no name of the machine", async () => {
  const text = await read("BUILD.json");
  assert(
    !text.includes(ROOT) && !text.includes(Deno.hostname()) && !/\b20\d\d-\d\d|\b1[67]\d{8}\b/.test(text),
  );
});

Deno.test("SHA256SUMS: every file of the build once, sorted, with its true digest", async () => {
  const lines = (await read("SHA256SUMS")).trimEnd().split("\n");
  const files = [...entryFiles, "BUILD.json", `nonzero${HOST.exe}`, ...await pluginPaths()].sort();
  assertEquals(lines.map((line) => line.slice(66)), files);
  const sums = new Map<string, string>();
  for (const line of lines) {
    assertMatch(line, /^[0-9a-f]{64} {2}\S+$/);
    const path = join(DIST, line.slice(66));
    const { ino } = await Deno.stat(path);
    const key = String(ino ?? path);
    const sum = sums.get(key) ?? await digest(path);
    sums.set(key, sum);
    assertEquals(line.slice(0, 64), sum, path);
  }
});

Deno.test("dist: holds the program, hooks, gates, the plugin and the two records, and nothing else", async () => {
  const names = ["BUILD.json", "SHA256SUMS", "gates", "hooks", `nonzero${HOST.exe}`, "plugin"];
  assertEquals(await list(DIST), names.sort());
  for (const folder of ["hooks", "gates"]) {
    const wanted = entryFiles.filter((path) => dirname(path) === folder).map((path) =>
      path.slice(folder.length + 1)
    );
    assertEquals(await list(join(DIST, folder)), wanted.sort());
  }
});

Deno.test("dist: a Bun build is one file under every name", async () => {
  if ((await record()).compiler.name !== "bun") return;
  const { ino, nlink } = await Deno.stat(PROGRAM);
  const others = [...entryFiles, `plugin/nonzero${HOST.exe}`];
  for (const path of others) assertEquals((await Deno.stat(join(DIST, path))).ino, ino, path);
  assertEquals(nlink, 1 + others.length);
});

Deno.test("plugin: its hooks are those of the registry, and its program is nonzero", async () => {
  assertEquals(await read("plugin/hooks/hooks.json"), pluginHooks(registry, HOST.exe));
  const manifest = JSON.parse(await read("plugin/.claude-plugin/plugin.json"));
  const { version } = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));
  assertEquals([manifest.name, manifest.version, manifest.license], ["nonzero", version, "MIT"]);
  // The client reads that file of itself, and takes a second mention for a mistake.
  assertEquals(manifest.hooks, undefined);
  const program = join(DIST, `plugin/nonzero${HOST.exe}`);
  assertEquals(await digest(program), await digest(PROGRAM));
  const { code, stderr } = await run([program], {
    args: ["-z", "hook", "pre-tool-use", "--harness", "claude"],
    stdin: "{}",
  });
  assertEquals(code, 2);
  assertStringIncludes(stderr, "DENY  ");
});

Deno.test("pluginFiles: the hooks start the very file that the target's plugin holds", () => {
  for (const target of targets) {
    const text = pluginFiles(target, registry)["hooks/hooks.json"] ?? "";
    const commands = [...text.matchAll(/"command": "(\S+)"/g)].map((match) => match[1]);
    assert(commands.length >= 5);
    assertEquals([...new Set(commands)], [`\${CLAUDE_PLUGIN_ROOT}/nonzero${target.exe}`]);
  }
});

Deno.test("nonzero: under a name that it does not know it is nonzero, and refuses what it is not told", async () => {
  await withFolder({}, async (folder) => {
    const other = join(folder, `pre-tool-use-2${HOST.exe}`);
    await Deno.copyFile(PROGRAM, other);
    const event = JSON.stringify({ target: "a.txt", cwd: folder, payload: {} });
    const refused = await run([other], { stdin: event });
    assertEquals([refused.code, refused.stdout], [2, ""]);
    assertStringIncludes(refused.stderr, "no command given");
    const version = await run([other, "--version"]);
    assertEquals([version.code, version.stdout], [0, (await run([PROGRAM, "--version"])).stdout]);
  });
});
