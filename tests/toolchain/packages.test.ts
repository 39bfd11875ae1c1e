/** The packages of a release: what npm makes of them without a network, and that the program in them is passed through. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { VERSION } from "../../lib/contract/version.ts";
import {
  executableName,
  makePackages,
  packageName,
  platformManifest,
  wrapperManifest,
} from "../../toolchain/packages.ts";
import { findTarget, targets } from "../../toolchain/targets.ts";
import { ROOT, run, withFolder } from "../black-box.ts";
import { sumsOf } from "../install/archive.ts";

const host = findTarget("host");
const windows = Deno.build.os === "windows";

/** Stands in for the program; what it does is its first argument. */
const STAND_IN = `#!/bin/sh
case "$1" in
  --version) echo "nonzero ${VERSION}" ;;
  exit) exit "$2" ;;
  cat) cat; echo done >&2 ;;
  words) shift; for word; do printf '<%s>' "$word"; done ;;
  die) kill -s "$2" $$; sleep 5 ;;
  wait) trap 'echo got it; exit 7' TERM; echo ready; i=0; while [ $i -lt 100 ]; do sleep 0.1; i=$((i + 1)); done ;;
esac
`;

/** A folder with a release of stand-ins, but for files that are given. */
async function makeRelease(folder: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const release = join(folder, "release");
  await Deno.mkdir(release);
  const texts: Record<string, string> = { "THIRD-PARTY-LICENSES": "licences of others\n", ...files };
  for (const target of targets) texts[executableName(target)] ??= `${STAND_IN}# ${target.triple}\n`;
  const bytes = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, new TextEncoder().encode(text)]),
  );
  for (const [name, content] of Object.entries(bytes)) await Deno.writeFile(join(release, name), content);
  await Deno.writeTextFile(join(release, "SHA256SUMS"), sumsOf(bytes));
  return release;
}

Deno.test("packageName: each target has one of its own, which package.json restricts to its system", () => {
  const names = targets.map(packageName);
  assertEquals(new Set(names).size, targets.length);
  assertEquals(names.filter((name) => name.includes("linux")).sort(), [
    "nonzero-hooks-linux-arm64",
    "nonzero-hooks-linux-arm64-musl",
    "nonzero-hooks-linux-x64",
    "nonzero-hooks-linux-x64-musl",
  ]);
  for (const target of targets) {
    const { os, cpu, libc, version } = platformManifest(target, { sha256: "0", size: 1 });
    assertEquals([os, cpu, version], [[target.npm.os], [target.npm.cpu], VERSION]);
    assertEquals(libc, target.npm.libc === undefined ? undefined : [target.npm.libc]);
  }
});

Deno.test("wrapperManifest: pins each package of a target to this very version, and runs nothing at install time", () => {
  const { optionalDependencies, scripts, dependencies, bin } = wrapperManifest();
  assertEquals(
    optionalDependencies,
    Object.fromEntries(targets.map((target) => [packageName(target), VERSION])),
  );
  assertEquals([scripts, dependencies, bin], [undefined, undefined, { nonzero: "nonzero.cjs" }]);
});

Deno.test("makePackages: a package for each target, with its executable and digest, and the image's folder", () =>
  withFolder({}, async (folder) => {
    const release = await makeRelease(folder);
    const out = join(folder, "packages");
    await makePackages({ release, out, repository: "https://example.com/nonzero" });
    const sums = await Deno.readTextFile(join(release, "SHA256SUMS"));
    for (const target of targets) {
      const at = join(out, "npm", packageName(target));
      const program = await Deno.readTextFile(join(at, "bin", `nonzero${target.exe}`));
      assertStringIncludes(program, `# ${target.triple}\n`);
      const { nonzero, repository } = JSON.parse(await Deno.readTextFile(join(at, "package.json")));
      assertStringIncludes(sums, `${nonzero.sha256}  ${executableName(target)}\n`);
      assertEquals(repository.url, "git+https://example.com/nonzero.git");
      for (const name of ["LICENSE", "THIRD-PARTY-LICENSES"]) {
        assert((await Deno.stat(join(at, name))).size > 10);
      }
    }
    const dockerfile = await Deno.readTextFile(join(out, "docker/Dockerfile"));
    for (
      const [cpu, triple] of [["amd64", "x86_64-unknown-linux-gnu"], ["arm64", "aarch64-unknown-linux-gnu"]]
    ) {
      const program = await Deno.readTextFile(join(out, "docker", cpu ?? "", "nonzero"));
      assertStringIncludes(program, `# ${triple}\n`);
      const digest = new RegExp(`nonzero\\.sha256\\.${cpu}="([0-9a-f]{64})"`).exec(dockerfile)?.[1];
      assertStringIncludes(sums, `${digest}  nonzero-${VERSION}-${triple}\n`);
    }
    assertStringIncludes(dockerfile, `image.version="${VERSION}"`);
    assert(!/\{[a-z]/.test(dockerfile.replaceAll(/\$\{\w+\}/g, "")));
  }));

Deno.test("Dockerfile: its base has no default and nothing is fetched or run in it", async () => {
  const lines = (await Deno.readTextFile(join(ROOT, "packages/docker/Dockerfile"))).split("\n");
  assertEquals(lines.filter((line) => /^(?:FROM|ARG)/.test(line)), [
    "ARG BASE",
    "FROM ${BASE}",
    "ARG TARGETARCH",
  ]);
  assertEquals(lines.filter((line) => /^(?:RUN|ADD)|https?:/.test(line)), []);
  assert(lines.includes('ENTRYPOINT ["/nonzero", "-z"]') && lines.includes("USER 65532:65532"));
});

/** What must not become a package. */
const FAULTS: Readonly<Record<string, (release: string) => Promise<unknown>>> = {
  "its digest is not": (release) => Deno.writeTextFile(join(release, executableName(host)), "altered"),
  "SHA256SUMS does not name it": async (release) => {
    const sums = await Deno.readTextFile(join(release, "SHA256SUMS"));
    const line = new RegExp(`^.*  ${executableName(host)}\n`, "m");
    await Deno.writeTextFile(join(release, "SHA256SUMS"), sums.replace(line, ""));
  },
  "No such file": (release) => Deno.remove(join(release, executableName(host))),
  "Cannot package THIRD-PARTY-LICENSES": (release) =>
    Deno.writeTextFile(join(release, "THIRD-PARTY-LICENSES"), "less"),
};

for (const [says, spoil] of Object.entries(FAULTS)) {
  Deno.test({
    name: `makePackages: makes none where one file is wrong: ${says}`,
    ignore: windows && says === "No such file",
    fn: () =>
      withFolder({}, async (folder) => {
        const release = await makeRelease(folder);
        const out = join(folder, "packages");
        await makePackages({ release, out });
        await spoil(release);
        const said = await makePackages({ release, out }).then(() => "", (error) => String(error));
        assertStringIncludes(said, says);
        assertEquals(await Deno.stat(out).then(() => true, () => false), false);
      }),
  });
}

/** npm, with nothing of this machine's settings and no network. */
function npm(folder: string, cwd: string, ...args: string[]): ReturnType<typeof run> {
  const env = {
    HOME: join(folder, "home"),
    USERPROFILE: join(folder, "home"),
    npm_config_cache: join(folder, "cache"),
    npm_config_registry: "http://127.0.0.1:9/",
    npm_config_offline: "true",
    npm_config_update_notifier: "false",
    npm_config_fund: "false",
    npm_config_audit: "false",
  };
  const [program = "", ...rest] = args;
  return run(windows ? ["cmd", "/c", program, ...rest] : [program, ...rest], { cwd, env });
}

/** Packs the packages that are named and installs them into an empty folder, which is returned. */
async function installPacked(folder: string, out: string, names: readonly string[]): Promise<string> {
  const project = join(folder, "project");
  await Deno.mkdir(project);
  await Deno.writeTextFile(join(project, "package.json"), "{}\n");
  const folders = names.map((name) => join(out, "npm", name));
  const packed = await npm(
    folder,
    project,
    "npm",
    "pack",
    "--silent",
    "--pack-destination",
    project,
    ...folders,
  );
  assertEquals([packed.code, packed.stdout], [0, names.map((name) => `${name}-${VERSION}.tgz\n`).join("")]);
  const archives = names.map((name) => `./${name}-${VERSION}.tgz`);
  const installed = await npm(folder, project, "npm", "install", ...archives);
  assertEquals(installed.code, 0, installed.stderr);
  return project;
}

const shim = (project: string) => join(project, "node_modules/.bin/nonzero");

Deno.test({
  name: "npm: packed and installed offline, the program's input, words, output and exit codes pass through",
  ignore: windows,
  fn: () =>
    withFolder({}, async (folder) => {
      const out = join(folder, "packages");
      await makePackages({ release: await makeRelease(folder), out });
      const project = await installPacked(folder, out, ["nonzero-hooks", packageName(host)]);

      const npx = await npm(folder, project, "npx", "nonzero", "--version");
      assertEquals(npx, { code: 0, stdout: `nonzero ${VERSION}\n`, stderr: "" });

      for (const code of [0, 1, 2, 64, 65, 70, 255]) {
        assertEquals((await run([shim(project), "exit", `${code}`])).code, code);
      }
      const input = new Uint8Array(2 * 1024 * 1024).map((_, at) => 32 + at % 90);
      const { code, stdout, stderr } = await run([shim(project), "cat"], { stdin: input });
      assertEquals([code, stderr, stdout === new TextDecoder().decode(input)], [0, "done\n", true]);
      const words = ["", "two words", "$HOME", "'\"", "--", "-z"];
      const told = await run([shim(project), "words", ...words]);
      assertEquals(told.stdout, words.map((word) => `<${word}>`).join(""));
    }),
});

Deno.test({
  name: "npm: a signal reaches the program, and one that ends it ends what npm started",
  ignore: windows,
  fn: () =>
    withFolder({}, async (folder) => {
      const out = join(folder, "packages");
      await makePackages({ release: await makeRelease(folder), out });
      const project = await installPacked(folder, out, ["nonzero-hooks", packageName(host)]);
      const command = new Deno.Command(shim(project), { args: ["wait"], stdout: "piped", stderr: "null" });
      const child = command.spawn();
      const reader = child.stdout.getReader();
      const read = async () => new TextDecoder().decode((await reader.read()).value);
      assertEquals(await read(), "ready\n");
      child.kill("SIGTERM");
      assertEquals(await read(), "got it\n");
      assertEquals((await child.status).code, 7);
      await reader.cancel();
      for (const name of ["TERM", "KILL", "HUP"]) {
        const { signal } = await new Deno.Command(shim(project), { args: ["die", name], stderr: "null" })
          .output();
        assertEquals(signal, `SIG${name}`);
      }
    }),
});

Deno.test({
  name: "npm: without the package of this system, or with one of another version, it refuses with 2",
  ignore: windows,
  fn: () =>
    withFolder({}, async (folder) => {
      const out = join(folder, "packages");
      await makePackages({ release: await makeRelease(folder), out });
      const project = await installPacked(folder, out, ["nonzero-hooks"]);
      const none = await run([shim(project), "--version"]);
      assertEquals([none.code, none.stdout], [2, ""]);
      assertStringIncludes(none.stderr, packageName(host));

      const place = join(project, "node_modules", packageName(host));
      await Deno.mkdir(join(place, "bin"), { recursive: true });
      await Deno.writeTextFile(join(place, "package.json"), JSON.stringify({ version: "0.0.0" }));
      const other = await run([shim(project), "--version"]);
      assertEquals([other.code, other.stdout], [2, ""]);
      assertStringIncludes(other.stderr, "of version 0.0.0");

      // A file that is no program would be run by a shell; where it is empty, with success.
      const manifest = JSON.stringify({ version: VERSION, nonzero: { size: STAND_IN.length } });
      await Deno.writeTextFile(join(place, "package.json"), manifest);
      for (const program of [undefined, "", STAND_IN.slice(0, -1)]) {
        if (program !== undefined) {
          await Deno.writeTextFile(join(place, "bin/nonzero"), program, { mode: 0o755 });
        }
        const broken = await run([shim(project), "--version"]);
        assertEquals([broken.code, broken.stdout], [2, ""]);
        assertStringIncludes(broken.stderr, program === undefined ? "cannot start" : "is not whole");
      }
      await Deno.writeTextFile(join(place, "bin/nonzero"), STAND_IN);
      await Deno.chmod(join(place, "bin/nonzero"), 0o644);
      const locked = await run([shim(project), "--version"]);
      assertEquals([locked.code, locked.stdout], [2, ""]);
      assertStringIncludes(locked.stderr, "cannot start");
    }),
});

const real = join(ROOT, "dist/host", `nonzero${host.exe}`);

Deno.test("npm: the real executable's gates end with 0, 64, 65 and 70 by npx", () =>
  withFolder({}, async (folder) => {
    const release = join(folder, "release");
    await Deno.mkdir(release);
    await Deno.writeTextFile(join(release, "THIRD-PARTY-LICENSES"), "licences of others\n");
    await Deno.copyFile(real, join(release, executableName(host)));
    const names = ["THIRD-PARTY-LICENSES", executableName(host)];
    const files: Record<string, Uint8Array> = {};
    for (const name of names) files[name] = await Deno.readFile(join(release, name));
    await Deno.writeTextFile(join(release, "SHA256SUMS"), sumsOf(files));
    const out = join(folder, "packages");
    await makePackages({ release, out, targets: [host] });
    const project = await installPacked(folder, out, ["nonzero-hooks", packageName(host)]);
    const version = await npm(folder, project, "npx", "nonzero", "--version");
    assertEquals(version, { code: 0, stdout: `nonzero ${VERSION}\n`, stderr: "" });

    const evidence = join(project, "verify.evidence");
    const gate = async (text: string | undefined) => {
      if (text !== undefined) await Deno.writeTextFile(evidence, text);
      const env: Record<string, string> = text === undefined ? {} : { OAIES_VERIFY_EVIDENCE: evidence };
      const words = [
        "node",
        join(project, "node_modules/nonzero-hooks/nonzero.cjs"),
        "-z",
        "gate",
        "post-code",
      ];
      return (await run(words, { cwd: project, env })).code;
    };
    assertEquals(await gate("status=passed\nartifact=sha256:abc\n"), 0);
    assertEquals(await gate(undefined), 64);
    assertEquals(await gate("status\n"), 65);
    assertEquals(await gate("status=failed\nartifact=sha256:abc\n"), 70);
  }));
