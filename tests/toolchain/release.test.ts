/** `make release`: its archives, as other programs read them, and what is said of what is in them. */
import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { VERSION } from "../../lib/contract/version.ts";
import { parseSums } from "../../lib/release/sums.ts";
import { deflateWithBun, gzip, zip } from "../../toolchain/release/compress.ts";
import {
  importedPackages,
  licensesIn,
  licenseText,
  readPackages,
  readRuntimeParts,
  thirdPartyLicenses,
} from "../../toolchain/release/licenses.ts";
import { archiveEntries, readBuild } from "../../toolchain/release/pack.ts";
import { sbom } from "../../toolchain/release/sbom.ts";
import { type ArchiveEntry, MOMENT, tar } from "../../toolchain/release/tar.ts";
import { locked } from "../../toolchain/runtime.ts";
import { findTarget, targets } from "../../toolchain/targets.ts";
import { ROOT, run, withFolder } from "../black-box.ts";
import { copyTree, list, runTool } from "./tree.ts";

const HOST = findTarget("host");
const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

const FOLDER = "a-folder-whose-name-is-long-enough-to-need-two-fields-when-another-is-below-it";
const LONG = `${FOLDER}/and-a-file-whose-name-is-long-too`;
const ENTRIES: readonly ArchiveEntry[] = [
  { kind: "folder", name: "top" },
  { kind: "file", name: "top/program", bytes: bytesOf("x".repeat(5000)), executable: true },
  { kind: "file", name: "top/text", bytes: bytesOf(""), executable: false },
  { kind: "folder", name: `top/${FOLDER}` },
  { kind: "file", name: `top/${LONG}`, bytes: bytesOf("y".repeat(512)), executable: false },
  { kind: "link", name: "top/other", target: "top/program" },
];

Deno.test("tar: what the system's tar unpacks, with links that are one file", async () => {
  await withFolder({ "a.tar": tar(ENTRIES), out: null }, async (folder) => {
    const unpacked = await run(["tar", "-xpf", "a.tar", "-C", "out"], { cwd: folder });
    assertEquals(unpacked, { code: 0, stdout: "", stderr: "" });
    const out = join(folder, "out/top");
    assertEquals(await list(out), [FOLDER, "other", "program", "text"]);
    assertEquals(await Deno.readTextFile(join(out, "program")), "x".repeat(5000));
    assertEquals(await Deno.readTextFile(join(out, LONG)), "y".repeat(512));
    const stat = (name: string) => Deno.stat(join(out, name));
    assertEquals((await stat("other")).ino, (await stat("program")).ino);
    for (const [name, mode] of [["", 0o755], ["program", 0o755], ["text", 0o644], [LONG, 0o644]] as const) {
      const found = await stat(name);
      if (Deno.build.os !== "windows") assertEquals((found.mode ?? 0) & 0o7777, mode, name);
      assertEquals(found.mtime?.getTime(), MOMENT * 1000, name);
    }
  });
});

Deno.test("tar: owners are 0 and without names; the end is two empty blocks", () => {
  const bytes = tar(ENTRIES.slice(0, 1));
  assertEquals(bytes.length, 3 * 512);
  assertEquals(textOf(bytes.subarray(108, 124)), "0000000\x000000000\x00");
  assert(bytes.subarray(265, 345).every((byte) => byte === 0));
  assert(bytes.subarray(512).every((byte) => byte === 0));
});

Deno.test("tar: refuses a name that no header holds", () => {
  for (const name of ["n".repeat(101), `${"n".repeat(156)}/n`]) {
    assertThrows(() => tar([{ kind: "folder", name }]), Error, "it is too long for a header");
  }
});

/** Bytes of which some repeat. */
const MUCH = bytesOf(Array.from({ length: 20_000 }, (_, at) => `${at * at % 977} `).join(""));

Deno.test("gzip: the same bytes each time, without a time, name or system", async () => {
  const made = await gzip(MUCH, deflateWithBun);
  assertEquals([...made.subarray(0, 10)], [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255]);
  assert(made.length < MUCH.length / 2);
  const stream = new Blob([made]).stream().pipeThrough(new DecompressionStream("gzip"));
  assertEquals(new Uint8Array(await new Response(stream).arrayBuffer()), MUCH);
  assertEquals(await gzip(MUCH, deflateWithBun), made);
});

/** What unzip's list says of each entry: its mode, time, way of compression and name. */
async function listZip(file: string): Promise<string[]> {
  const { code, stdout } = await run(["unzip", "-Z", "-T", file]);
  assertEquals(code, 0);
  return stdout.split("\n").filter((line) => /^[d-]r/.test(line)).map((line) => {
    const words = line.trim().split(/\s+/);
    return [words[0], words[5], words[6], words[7]].join(" ");
  });
}

Deno.test("zip: what unzip unpacks; the same bytes each time", async () => {
  const entries: readonly ArchiveEntry[] = [
    { kind: "folder", name: "top" },
    { kind: "file", name: "top/much", bytes: MUCH, executable: true },
    { kind: "file", name: "top/little", bytes: bytesOf("y"), executable: false },
    { kind: "file", name: "top/nothing", bytes: bytesOf(""), executable: false },
  ];
  const made = await zip(entries, deflateWithBun);
  assertEquals(await zip(entries, deflateWithBun), made);
  await withFolder({ "a.zip": made }, async (folder) => {
    const file = join(folder, "a.zip");
    assertEquals(await listZip(file), [
      "drwxr-xr-x stor 19800101.000000 top/",
      "-rwxr-xr-x defN 19800101.000000 top/much",
      "-rw-r--r-- stor 19800101.000000 top/little",
      "-rw-r--r-- stor 19800101.000000 top/nothing",
    ]);
    assertEquals((await run(["unzip", "-q", file, "-d", folder])).code, 0);
    assertEquals(await Deno.readFile(join(folder, "top/much")), MUCH);
    assertEquals(await Deno.readTextFile(join(folder, "top/little")), "y");
  });
});

Deno.test("zip: has no links", async () => {
  const made = await zip(ENTRIES, deflateWithBun).then(() => "made", (error) => error.message);
  assertEquals(made, 'Cannot archive "top/other": zip has no links');
});

/** A folder of dist with one program under all names. */
async function withBuild(exe: "" | ".exe", use: (folder: string) => Promise<void>): Promise<void> {
  const paths = [`nonzero${exe}`, `gates/one${exe}`, `hooks/two${exe}`, `plugin/nonzero${exe}`];
  const files: Record<string, string> = {
    ...Object.fromEntries(paths.map((path) => [path, "a program"])),
    "BUILD.json": "{}",
    "plugin/hooks/hooks.json": "[]",
  };
  await withFolder(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`b/${path}`, text])),
    async (folder) => {
      const lines = await Promise.all(
        Object.entries(files).map(async ([path, text]) => {
          const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(text)));
          return `${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}  ${path}\n`;
        }),
      );
      await Deno.writeTextFile(join(folder, "b/SHA256SUMS"), lines.join(""));
      await use(join(folder, "b"));
    },
  );
}

const MORE = new Map([["LICENSE", bytesOf("MIT")]]);

const describe = (entries: readonly ArchiveEntry[]) =>
  entries.map((entry) =>
    entry.kind === "link"
      ? `${entry.name} -> ${entry.target}`
      : entry.kind === "folder"
      ? `${entry.name}/`
      : entry.name
  );

/** The names in the SHA256SUMS of an archive. */
function listed(entries: readonly ArchiveEntry[]): string[] {
  const sums = entries.find(({ name }) => name === "top/SHA256SUMS");
  return sums?.kind === "file" ? [...parseSums(textOf(sums.bytes)).keys()] : [];
}

Deno.test("archiveEntries: of tar the build as it is, the program once and before its other names", async () => {
  await withBuild("", async (folder) => {
    const entries = archiveEntries("top", await readBuild(folder, { exe: "" }), MORE, { exe: "" });
    assertEquals(describe(entries), [
      "top/",
      "top/nonzero",
      "top/BUILD.json",
      "top/LICENSE",
      "top/SHA256SUMS",
      "top/gates/",
      "top/gates/one -> top/nonzero",
      "top/hooks/",
      "top/hooks/two -> top/nonzero",
      "top/plugin/",
      "top/plugin/hooks/",
      "top/plugin/hooks/hooks.json",
      "top/plugin/nonzero -> top/nonzero",
    ]);
    const paths = ["gates/one", "hooks/two", "nonzero", "plugin/hooks/hooks.json", "plugin/nonzero"];
    assertEquals(listed(entries), ["BUILD.json", "LICENSE", ...paths]);
    assertEquals(entries.flatMap((entry) => entry.kind === "file" && entry.executable ? [entry.name] : []), [
      "top/nonzero",
    ]);
  });
});

Deno.test("archiveEntries: of zip the program once, in the plugin that the folder is", async () => {
  await withBuild(".exe", async (folder) => {
    const entries = archiveEntries("top", await readBuild(folder, { exe: ".exe" }), MORE, { exe: ".exe" });
    assertEquals(describe(entries), [
      "top/",
      "top/nonzero.exe",
      "top/BUILD.json",
      "top/LICENSE",
      "top/SHA256SUMS",
      "top/hooks/",
      "top/hooks/hooks.json",
    ]);
    assertEquals(listed(entries), ["BUILD.json", "LICENSE", "hooks/hooks.json", "nonzero.exe"]);
  });
});

Deno.test("readBuild: refuses what is not as its SHA256SUMS says", async () => {
  for (const path of ["nonzero", "gates/one", "plugin/hooks/hooks.json"]) {
    await withBuild("", async (folder) => {
      await Deno.writeTextFile(join(folder, path), "altered");
      const said = await readBuild(folder, { exe: "" }).then(() => "read", (error) => error.message);
      assertEquals(said, `Cannot pack ${folder}: ${path} is not what SHA256SUMS says`);
    });
  }
});

Deno.test("licensesIn: the texts that an expression needs", () => {
  assertEquals(licensesIn("MIT"), ["MIT"]);
  assertEquals(licensesIn("(LGPL-2.0-or-later AND BSD-2-Clause) OR Apache-2.0 WITH LLVM-exception"), [
    "LGPL-2.0",
    "BSD-2-Clause",
    "Apache-2.0",
    "LLVM-exception",
  ]);
});

Deno.test("licenseText: refuses a licence whose text is not here", async () => {
  const said = await licenseText("GPL-9.0").then(() => "read", (error) => error.message);
  assertStringIncludes(said, "licenses/texts has no GPL-9.0.txt");
});

Deno.test("importedPackages: what the program imports and what that depends on, and no more", () => {
  const one = (name: string, ...dependencies: string[]) => ({
    name,
    version: "1.0.0",
    dependencies,
    localPath: "",
  });
  const found = importedPackages({
    modules: [
      { kind: "npm", specifier: "npm:/@scope/a@1.0.0/deep/file.js" },
      { kind: "npm", specifier: "npm:/b@1.0.0" },
      { kind: "esm", specifier: "file:///npm:/c@1.0.0" },
    ],
    npmPackages: {
      "@scope/a@1.0.0": one("@scope/a", "d@1.0.0"),
      "b@1.0.0": one("b"),
      "c@1.0.0": one("c"),
      "d@1.0.0": one("d", "@scope/a@1.0.0"),
    },
  });
  assertEquals(found, ["@scope/a@1.0.0", "b@1.0.0", "d@1.0.0"]);
});

Deno.test("readPackages: those in the program, each with a licence and whose it is, and none of the tests", async () => {
  const packages = await readPackages();
  const names = packages.map(({ name }) => name);
  for (const name of ["zod", "deno-std", "@humanwhocodes/momoa"]) assert(names.includes(name), name);
  for (const name of ["fast-check", "@secretlint/core", "resedit"]) assert(!names.includes(name), name);
  const lock = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.lock")));
  for (const { name, version, integrity, license, text } of packages) {
    assertEquals(integrity, lock.npm[`${name}@${version}`].integrity);
    assertMatch(license, /^[A-Za-z0-9.-]+$/);
    assertMatch(text, /copyright/i, name);
    assert(text.length > 500, name);
  }
});

Deno.test("THIRD-PARTY-LICENSES: names every part, and has the text of every licence once", async () => {
  const [packages, parts] = [await readPackages(), await readRuntimeParts()];
  const text = await thirdPartyLicenses(packages, parts, "1.2.3");
  assertStringIncludes(text, "\nBun 1.2.3\n");
  for (const { name, version, license } of packages) {
    assertStringIncludes(text, `\n${name} ${version} (${license})\n`);
  }
  for (const { name, license, url } of parts.components) {
    assertStringIncludes(text, `\n${name}\n    ${license}\n    ${url}\n`);
  }
  const ids = new Set(parts.components.flatMap(({ license }) => licensesIn(license)));
  for (const id of ids) {
    assertEquals(text.split(`${"=".repeat(80)}\n${id}\n\n${await licenseText(id)}`).length, 2, id);
  }
  assert(parts.components.some(({ license }) => license.startsWith("LGPL-2.0")));
});

Deno.test("sbom: CycloneDX 1.6 with the packages and runtimes by their digests, the same each time", async () => {
  const lock = await Deno.readTextFile(join(ROOT, "toolchain/package-lock.json"));
  const runtimes = targets.map((target) => locked(lock, target, "bun"));
  const [packages, parts] = [await readPackages(), await readRuntimeParts()];
  const make = (version: string) => sbom({ version, packages, runtimes, parts });
  const made = make("1.2.3");
  assertEquals(make("1.2.3"), made);
  const { bomFormat, specVersion, serialNumber, metadata, components, dependencies } = JSON.parse(made);
  assertEquals([bomFormat, specVersion, metadata.component.version], ["CycloneDX", "1.6", "1.2.3"]);
  assertMatch(serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  assert(serialNumber !== JSON.parse(make("1.2.4")).serialNumber);

  type Component = {
    name: string;
    purl?: string;
    "bom-ref": string;
    hashes?: { content: string }[];
    licenses: unknown[];
  };
  const all: Component[] = components;
  assertEquals(all.length, packages.length + targets.length + 1);
  for (const { package: name, version, integrity } of runtimes) {
    const found = all.find((component) => component.name === name);
    assertEquals(found?.purl, `pkg:npm/${name.replace("@", "%40")}@${version}`);
    const wanted = [...atob(integrity.slice(7))].map((c) => c.charCodeAt(0).toString(16).padStart(2, "0"))
      .join("");
    assertEquals(found?.hashes?.[0]?.content, wanted);
  }
  for (const component of all) assertEquals(component.licenses.length, 1);
  const engine = components.at(-1);
  assertEquals(engine.components.length, parts.components.length);
  // Whatever is depended on is there.
  const known = new Set([metadata.component["bom-ref"], ...all.map((component) => component["bom-ref"])]);
  for (const { ref, dependsOn } of dependencies) {
    for (const one of [ref, ...dependsOn]) assert(known.has(one), one);
  }
});

Deno.test("release: two from different checkouts are the same, byte for byte, and whole", async () => {
  await withFolder({ one: null, "further/two": null }, async (folder) => {
    const trees = [join(folder, "one"), join(folder, "further/two")];
    const args = ["--version", VERSION, "--allow-dirty", "--targets", HOST.triple];
    const made = await Promise.all(trees.map(async (tree) => {
      await copyTree(tree);
      const { code, text } = await runTool(tree, "toolchain/release.ts", args);
      assertEquals(code, 0, text);
      return { text, sums: await Deno.readTextFile(join(tree, "dist/release/SHA256SUMS")) };
    }));
    assertEquals(made[0]?.sums, made[1]?.sums);

    const name = `nonzero-${VERSION}-${HOST.triple}`;
    const archive = `${name}${HOST.exe ? ".zip" : ".tar.gz"}`;
    const out = join(folder, "one/dist/release");
    const files = ["LICENSE", "THIRD-PARTY-LICENSES", archive, name + HOST.exe, "sbom.cdx.json"];
    assertEquals(await list(out), [...files, "SHA256SUMS"].sort());
    assertEquals([...parseSums(made[0]?.sums ?? "").keys()], files.sort());
    // The table: an archive in megabytes, the program, its runtime, and the rest.
    assertMatch(
      made[0]?.text ?? "",
      new RegExp(`^${archive} +\\d+\\.\\d +\\d+\\.\\d +\\d+\\.\\d +\\d+\\.\\d$`, "m"),
    );

    const program = join(out, name + HOST.exe);
    assertEquals((await run([program, "--version"])).stdout, `nonzero ${VERSION}\n`);
    assertEquals((await run([program, "verify-release", out])).code, 0);
    const unpacked = await run(HOST.exe ? ["unzip", "-q", archive] : ["tar", "-xzf", archive], { cwd: out });
    assertEquals(unpacked.code, 0, unpacked.stderr);
    assertEquals((await run([program, "verify-release", join(out, `nonzero-${VERSION}`)])).code, 0);
  });
});

Deno.test("release: refuses another version, changed sources and what is no checkout, before it builds", async () => {
  await withFolder({ tree: null }, async (folder) => {
    const tree = join(folder, "tree");
    await copyTree(tree);
    const refuse = async (message: string, ...args: string[]) =>
      assertEquals(await runTool(tree, "toolchain/release.ts", args), { code: 1, text: `${message}\n` });
    await refuse(`Cannot release "": lib/contract/version.ts says ${VERSION}`);
    await refuse(
      `Cannot release "": lib/contract/version.ts says ${VERSION}`,
      "--version",
      "",
      "--compiler",
      "auto",
    );
    await refuse(`Cannot release "9.9.9": lib/contract/version.ts says ${VERSION}`, "--version", "9.9.9");
    await refuse('Unknown argument "--fast"', "--fast");
    await refuse(
      'Cannot build with "tsc": the compilers are auto, bun and deno',
      ...["--version", VERSION, "--compiler", "tsc"],
    );
    await refuse("Cannot release: this folder is no checkout", "--version", VERSION);
    const git = (...args: string[]) =>
      run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { cwd: tree });
    await git("init", "-q");
    await git("add", ".");
    await git("commit", "-q", "-m", "all");
    await Deno.writeTextFile(join(tree, "lib/more.ts"), "");
    await refuse("Cannot release: git status is not clean", "--version", VERSION);
    const manifest = join(tree, "deno.json");
    const other = (await Deno.readTextFile(manifest)).replace(
      `"version": "${VERSION}"`,
      '"version": "9.9.9"',
    );
    await Deno.writeTextFile(manifest, other);
    await refuse(`Cannot release ${VERSION}: deno.json says 9.9.9`, "--version", VERSION, "--allow-dirty");
    assertEquals(await Deno.stat(join(tree, "dist")).catch(() => "none"), "none");
  });
});
