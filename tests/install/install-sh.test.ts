/** install.sh, from outside: what it installs, and what stays as it was. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { VERSION as RELEASED } from "../../lib/contract/version.ts";
import { smoke } from "../../toolchain/smoke.ts";
import { ROOT, run } from "../black-box.ts";
import { sha256, tarGz } from "./archive.ts";
import {
  type Answer,
  ARCHIVE,
  assertInstalled,
  has,
  isArchive,
  isRoot,
  makeRelease,
  Sandbox,
  shells,
  TARGET,
  test,
  VERSION,
  versionAt,
  windows,
  withSandbox,
  withServer,
} from "./sandbox.ts";

for (const shell of shells) {
  test(`${shell.join(" ")}: installs the latest of a server, with its links and what to do next`, async () => {
    await withSandbox(async (sandbox) => {
      await withServer({ [VERSION]: await makeRelease() }, async (server) => {
        const { code, stdout, stderr } = await sandbox.install(["--base-url", server.url], { shell });
        assertEquals({ code, stderr }, { code: 0, stderr: "" });
        assertStringIncludes(stdout, `nonzero ${VERSION} for ${TARGET} is in ${sandbox.prefix}\n`);
        assertStringIncludes(stdout, "nonzero install");
        assertStringIncludes(stdout, `Put ${join(sandbox.home, ".local/bin")} on PATH`);
        await assertInstalled(sandbox);
        assertEquals(server.asked, [
          "/releases/latest/download/SHA256SUMS",
          `/releases/download/v${VERSION}/${ARCHIVE}`,
        ]);
      });
    });
  });

  test(`${shell.join(" ")}: refuses an archive that was altered, and leaves nothing`, async () => {
    await withSandbox(async (sandbox) => {
      const altered = {
        ...await makeRelease(),
        [ARCHIVE]: await tarGz([{ name: "nonzero", text: "another" }]),
      };
      const archive = await sandbox.store(altered);
      const { code, stderr } = await sandbox.install(["--from", archive], { shell });
      assertEquals(code, 1);
      assertStringIncludes(stderr, "is not what SHA256SUMS says");
      assertEquals(await sandbox.snapshot(), {});
    });
  });
}

test("is done although nobody can be told", () =>
  withSandbox(async (sandbox) => {
    const archive = await sandbox.store(await makeRelease());
    for (const output of ["/dev/full", "&-"]) {
      const shell = ["sh", "-c", `sh "$@" >${output}`, "sh"];
      const { code } = await sandbox.install(["--from", archive], { shell });
      assertEquals(code, 0, output);
      await assertInstalled(sandbox);
    }
  }), Deno.build.os !== "linux");

test("installs a version that is named, from the address in the environment", () =>
  withSandbox(async (sandbox) => {
    const releases = { "2.0.0": await makeRelease({ version: "2.0.0" }), [VERSION]: await makeRelease() };
    await withServer(releases, async (server) => {
      const env = { NONZERO_BASE_URL: `${server.url}/` };
      const { code, stderr } = await sandbox.install(["--version", VERSION], { env });
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
      await assertInstalled(sandbox);
    });
  }));

test("installs by wget where there is no curl", () =>
  withSandbox(async (sandbox) => {
    const PATH = await sandbox.path({ wget: "wget" }, ["curl"]);
    await withServer({ [VERSION]: await makeRelease() }, async (server) => {
      const { code, stderr } = await sandbox.install(["--base-url", server.url], { env: { PATH } });
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
      await assertInstalled(sandbox);
    });
  }), !has("wget"));

test("downloads nothing where there is neither curl nor GNU wget", () =>
  withSandbox(async (sandbox) => {
    const wget = "#!/bin/sh\necho 'BusyBox v1.36.1 multi-call binary.'\n";
    const PATH = await sandbox.path({ wget }, ["curl"]);
    await withServer({ [VERSION]: await makeRelease() }, async (server) => {
      const { code, stderr } = await sandbox.install(["--base-url", server.url], { env: { PATH } });
      assertEquals(code, 1);
      assertStringIncludes(stderr, "neither curl nor GNU wget");
      assertEquals(server.asked, []);
      assertEquals(await sandbox.snapshot(), {});
    });
  }));

test("--from takes an archive with SHA256SUMS beside it, relative to where it is run", () =>
  withSandbox(async (sandbox) => {
    const archive = await sandbox.store(await makeRelease());
    const { code, stderr } = await sandbox.install(["--from", ARCHIVE], { cwd: join(archive, "..") });
    assertEquals({ code, stderr }, { code: 0, stderr: "" });
    await assertInstalled(sandbox);
  }));

test("--sha256 vouches for an archive of any name", () =>
  withSandbox(async (sandbox) => {
    const { [ARCHIVE]: bytes = new Uint8Array() } = await makeRelease();
    const archive = await sandbox.store({ "-renamed 'one'": bytes }, "-renamed 'one'");
    const refused = await sandbox.install(["--from", archive, "--sha256", "0".repeat(64)]);
    assertEquals(refused.code, 1);
    assertStringIncludes(refused.stderr, "is not what --sha256 says");
    assertEquals(await sandbox.snapshot(), {});
    const { code, stderr } = await sandbox.install([
      "--from",
      archive,
      "--sha256",
      sha256(bytes).toUpperCase(),
    ]);
    assertEquals({ code, stderr }, { code: 0, stderr: "" });
    await assertInstalled(sandbox);
  }));

test("--sha256 counts for a download too", () =>
  withSandbox(async (sandbox) => {
    await withServer({ [VERSION]: await makeRelease() }, async (server) => {
      const { code, stderr } = await sandbox.install(["--base-url", server.url, "--sha256", "a".repeat(64)]);
      assertEquals(code, 1);
      assertStringIncludes(stderr, "is not what --sha256 says");
      assertEquals(await sandbox.snapshot(), {});
    });
  }));

test("--help names every option and exits 0", () =>
  withSandbox(async (sandbox) => {
    const { code, stdout } = await sandbox.install(["--help"]);
    assertEquals(code, 0);
    const options = "version base-url from sha256 key target prefix allow-root help".split(" ");
    for (const option of options) assertStringIncludes(stdout, `--${option}`);
  }));

test("root is refused without --allow-root", () =>
  withSandbox(async (sandbox) => {
    const archive = await sandbox.store(await makeRelease());
    const words = ["sh", join(ROOT, "install.sh"), "--from", archive];
    const { code, stderr } = await run(words, { env: { HOME: sandbox.home } });
    assertEquals(code, 1);
    assertStringIncludes(stderr, "root");
    assertEquals(await sandbox.snapshot(), {});
  }), !isRoot);

test("--prefix installs to that folder, whatever is in its name, and makes no link", () =>
  withSandbox(async (sandbox) => {
    const archive = await sandbox.store(await makeRelease());
    for (const name of ["my apps/non zero", 'it\'s "$(id)" `id` *', "-n", "back\\slash", "ünï"]) {
      const prefix = join(sandbox.folder, name);
      const { code, stdout, stderr } = await sandbox.install(["--from", archive, "--prefix", prefix]);
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
      assertStringIncludes(stdout, `${prefix}/nonzero install`);
      assertEquals(await versionAt(join(prefix, "nonzero")), `nonzero ${VERSION}`);
    }
    const relative = await sandbox.install(["--from", archive, "--prefix", "./here/"], {
      cwd: sandbox.folder,
    });
    assertEquals(relative.code, 0);
    assertEquals(await versionAt(join(sandbox.folder, "here/nonzero")), `nonzero ${VERSION}`);
    assertEquals(await sandbox.snapshot(), {});
  }));

test("an upgrade puts the new folder in the old one's place, with nothing of the old one", () =>
  withSandbox(async (sandbox) => {
    const more = [{ name: `nonzero-${VERSION}-${TARGET}/hooks/retired`, text: "old" }];
    const archive = await sandbox.store(await makeRelease({ more }));
    assertEquals((await sandbox.install(["--from", archive])).code, 0);
    assertEquals(await Deno.readTextFile(join(sandbox.prefix, "hooks/retired")), "old");
    await withServer({ "2.0.0": await makeRelease({ version: "2.0.0" }) }, async (server) => {
      const { code, stderr } = await sandbox.install(["--base-url", server.url]);
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
    });
    await assertInstalled(sandbox, "2.0.0");
  }));

test("two at once both install, and leave one that is whole", () =>
  withSandbox(async (sandbox) => {
    const releases = { "2.0.0": await makeRelease({ version: "2.0.0" }), [VERSION]: await makeRelease() };
    await withServer(releases, async (server) => {
      for (let round = 0; round < 5; round++) {
        const versions = [VERSION, "2.0.0", VERSION, "2.0.0"];
        const outcomes = await Promise.all(
          versions.map((version) => sandbox.install(["--base-url", server.url, "--version", version])),
        );
        assertEquals(outcomes.map(({ code }) => code), [0, 0, 0, 0], JSON.stringify(outcomes));
        const said = await versionAt(sandbox.link);
        assert(["nonzero 1.2.3", "nonzero 2.0.0"].includes(said), said);
        await assertInstalled(sandbox, said.slice("nonzero ".length));
      }
    });
  }));

test("a lock that stays is named, and nothing changes", () =>
  withSandbox(async (sandbox) => {
    const archive = await sandbox.store(await makeRelease());
    const lock = join(sandbox.home, ".local/share/.nonzero.lock");
    await Deno.mkdir(lock, { recursive: true });
    const before = await sandbox.snapshot();
    const PATH = await sandbox.path({ sleep: "#!/bin/sh\n" }, ["sleep"]);
    const { code, stderr } = await sandbox.install(["--from", archive], { env: { PATH } });
    assertEquals(code, 1);
    assertStringIncludes(stderr, lock);
    assertEquals(await sandbox.snapshot(), before);
  }));

test("one that is stopped while it downloads leaves nothing", () =>
  withSandbox(async (sandbox) => {
    const { promise: never, resolve: release } = Promise.withResolvers<Response>();
    const answer: Answer = (request) => isArchive(request) ? never : undefined;
    await withServer({ [VERSION]: await makeRelease() }, async (server) => {
      const words = [
        "timeout",
        "-s",
        "TERM",
        "2",
        "sh",
        join(ROOT, "install.sh"),
        ...isRoot ? ["--allow-root"] : [],
      ];
      const { code } = await run([...words, "--base-url", server.url], { env: { HOME: sandbox.home } });
      release(new Response(""));
      assertEquals(code, 124);
      assertEquals(server.asked.length, 2);
      assertEquals(await sandbox.snapshot(), {});
    }, answer);
  }), !has("timeout"));

test("a move that fails puts the old install back", () =>
  withSandbox(async (sandbox) => {
    const old = await sandbox.store(
      await makeRelease({ version: "1.0.0" }),
      `nonzero-1.0.0-${TARGET}.tar.gz`,
    );
    assertEquals((await sandbox.install(["--from", old])).code, 0);
    const before = await sandbox.snapshot();
    const archive = await sandbox.store(await makeRelease());
    const mv = '#!/bin/sh\ncase "$1" in */new*) exit 1 ;; esac\nexec /bin/mv "$@"\n';
    const PATH = await sandbox.path({ mv }, ["mv"]);
    const { code, stderr } = await sandbox.install(["--from", archive], { env: { PATH } });
    assertEquals(code, 1);
    assertStringIncludes(stderr, "cannot move the new folder");
    assertEquals(await sandbox.snapshot(), before);
  }));

/** What stands where an install would go, and must stay. */
const OCCUPIED: Readonly<Record<string, (sandbox: Sandbox) => Promise<void>>> = {
  "holds something else": async ({ prefix }) => {
    await Deno.mkdir(prefix, { recursive: true });
    await Deno.writeTextFile(join(prefix, "thesis.txt"), "years of work");
  },
  "is a link": async ({ folder, prefix }) => {
    await Deno.mkdir(join(prefix, ".."), { recursive: true });
    await Deno.symlink(folder, prefix);
  },
  "is no folder": async ({ prefix }) => {
    await Deno.mkdir(join(prefix, ".."), { recursive: true });
    await Deno.writeTextFile(prefix, "a file");
  },
  "not of this script": async ({ link }) => {
    await Deno.mkdir(join(link, ".."), { recursive: true });
    await Deno.writeTextFile(link, "#!/bin/sh\n");
  },
  "leads to": async ({ link }) => {
    await Deno.mkdir(join(link, ".."), { recursive: true });
    await Deno.symlink("/opt/another/nonzero", link);
  },
};

for (const [says, occupy] of Object.entries(OCCUPIED)) {
  test(`replaces nothing that is not its own: ${says}`, () =>
    withSandbox(async (sandbox) => {
      const archive = await sandbox.store(await makeRelease());
      await occupy(sandbox);
      const before = await sandbox.snapshot();
      const { code, stderr } = await sandbox.install(["--from", archive]);
      assertEquals(code, 1);
      assertStringIncludes(stderr, says);
      assertEquals(await sandbox.snapshot(), before);
    }));
}

test("installs into a folder that is there and empty", () =>
  withSandbox(async (sandbox) => {
    const archive = await sandbox.store(await makeRelease());
    await Deno.mkdir(sandbox.prefix, { recursive: true });
    assertEquals((await sandbox.install(["--from", archive])).code, 0);
    await assertInstalled(sandbox);
  }));

test("without HOME and --prefix it does nothing", () =>
  withSandbox(async (sandbox) => {
    const archive = await sandbox.store(await makeRelease());
    const { code, stderr } = await sandbox.install(["--from", archive], { env: { HOME: "" } });
    assertEquals(code, 1);
    assertStringIncludes(stderr, "HOME");
  }));

test("a prefix that cannot be written is refused, by an ordinary user", () =>
  withSandbox(async (sandbox) => {
    const archive = await sandbox.store(await makeRelease());
    const script = join(sandbox.folder, "install.sh");
    await Deno.copyFile(join(ROOT, "install.sh"), script);
    // Root writes where nobody may, so there another user is taken.
    const user = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
    const locked = join(sandbox.folder, "locked");
    await Deno.mkdir(locked);
    await Deno.chmod(sandbox.folder, 0o755);
    await Deno.chmod(locked, 0o555);
    const install = (prefix: string) =>
      run([...user, "sh", script, "--from", archive, "--prefix", prefix], { env: { HOME: sandbox.home } });
    for (const prefix of [join(locked, "nonzero"), join(locked, "deep/er/nonzero")]) {
      const { code, stderr } = await install(prefix);
      assertEquals(code, 1);
      assertStringIncludes(stderr, "cannot");
    }
    assertEquals(await Array.fromAsync(Deno.readDir(locked)), []);
    await Deno.chmod(locked, 0o777);
    assertEquals((await install(join(locked, "nonzero"))).code, 0);
    await Deno.chmod(locked, 0o755);
  }), isRoot && !has("setpriv"));

const canMount = !windows && isRoot && has("unshare") &&
  new Deno.Command("unshare", { args: ["-m", "mount", "-t", "tmpfs", "none", "/mnt"], stderr: "null" })
    .outputSync().success;

test(
  "a full disk leaves an older install whole, and nothing of the new one",
  () =>
    withSandbox(async (sandbox) => {
      const bulk = Array.from({ length: 40_000 }, (_, at) => sha256(`${at}`)).join("");
      const more = [{ name: `nonzero-${VERSION}-${TARGET}/bulk`, text: bulk }];
      const archive = await sandbox.store(await makeRelease({ more }));
      await sandbox.store(await makeRelease({ version: "1.0.0" }));
      const old = `nonzero-1.0.0-${TARGET}.tar.gz`;
      const { [old]: bytes = new Uint8Array() } = await makeRelease({ version: "1.0.0" });
      const disk = join(sandbox.folder, "disk");
      await Deno.mkdir(disk);
      const script = `
      mount -t tmpfs -o size="$4" none "$1" && cd "$1" || exit 99
      sh "$2/install.sh" --allow-root --prefix "$1/nonzero" --from "$5" --sha256 "$6" >/dev/null || exit 98
      sh "$2/install.sh" --allow-root --prefix "$1/nonzero" --from "$3"
      code=$?
      nonzero/nonzero --version; ls -A . nonzero
      exit $code`;
      const oldArchive = join(archive, "..", old);
      await Deno.writeFile(oldArchive, bytes);
      // Too small for the archive, and for what is in it.
      await Deno.writeFile(
        join(archive, "..", "SHA256SUMS"),
        (await makeRelease({ more }))["SHA256SUMS"] ?? bytes,
      );
      for (const size of ["200k", "2500k"]) {
        const args = [disk, ROOT, archive, size, oldArchive, sha256(bytes)];
        const { code, stdout, stderr } = await run(["unshare", "-m", "sh", "-c", script, "sh", ...args], {
          env: { HOME: sandbox.home },
        });
        assertEquals(code, 1, stderr);
        assertStringIncludes(stderr, "o space left");
        assertEquals(stdout, "nonzero 1.0.0\n.:\nnonzero\n\nnonzero:\nBUILD.json\nhooks\nnonzero\n");
      }
    }),
  !canMount,
);

const MACHINES: readonly (readonly [string, string, string])[] = [
  ["Linux", "x86_64", "x86_64-unknown-linux-gnu"],
  ["Linux", "aarch64", "aarch64-unknown-linux-gnu"],
  ["Darwin", "arm64", "aarch64-apple-darwin"],
  ["Darwin", "x86_64", "x86_64-apple-darwin"],
];

for (const [system, cpu, target] of MACHINES) {
  test(`${system} on ${cpu} is ${target}`, () =>
    withSandbox(async (sandbox) => {
      const uname = `#!/bin/sh\ncase "$1" in -s) echo ${system} ;; -m) echo ${cpu} ;; esac\n`;
      const getconf = "#!/bin/sh\necho glibc 2.36\n";
      const PATH = await sandbox.path({ uname, getconf, sysctl: "#!/bin/sh\necho 0\n" });
      const name = `nonzero-${VERSION}-${target}.tar.gz`;
      const archive = await sandbox.store(await makeRelease({ target }), name);
      const { code, stdout, stderr } = await sandbox.install(["--from", archive], { env: { PATH } });
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
      assertStringIncludes(stdout, `nonzero ${VERSION} for ${target} is in`);
    }));
}

const hasMusl = Deno.build.os === "linux" &&
  [...Deno.readDirSync("/lib")].some(({ name }) => /^ld-musl-/.test(name));

test("musl is what a Linux has that is no glibc, where its loader is", () =>
  withSandbox(async (sandbox) => {
    const uname = '#!/bin/sh\ncase "$1" in -s) echo Linux ;; -m) echo x86_64 ;; esac\n';
    for (
      const [getconf, target] of [["exit 1", "x86_64-unknown-linux-musl"], [
        "exit 0",
        "x86_64-unknown-linux-gnu",
      ]]
    ) {
      const PATH = await sandbox.path({ uname, getconf: `#!/bin/sh\n${getconf}\n` });
      const release = await makeRelease({ target: target ?? "" });
      const archive = await sandbox.store(release, `nonzero-${VERSION}-${target}.tar.gz`);
      const { code, stdout, stderr } = await sandbox.install(["--from", archive], { env: { PATH } });
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
      assertStringIncludes(stdout, `for ${target} is in`);
    }
  }), !hasMusl);

test("a translated shell on macOS is not taken for an Intel machine", () =>
  withSandbox(async (sandbox) => {
    const uname = '#!/bin/sh\ncase "$1" in -s) echo Darwin ;; -m) echo x86_64 ;; esac\n';
    const PATH = await sandbox.path({ uname, sysctl: "#!/bin/sh\necho 1\n" });
    const target = "aarch64-apple-darwin";
    const archive = await sandbox.store(await makeRelease({ target }), `nonzero-${VERSION}-${target}.tar.gz`);
    assertEquals((await sandbox.install(["--from", archive], { env: { PATH } })).code, 0);
  }));

test("a system or processor that has no release is refused", () =>
  withSandbox(async (sandbox) => {
    const archive = await sandbox.store(await makeRelease());
    for (const [system, cpu] of [["MINGW64_NT-10.0", "x86_64"], ["FreeBSD", "amd64"], ["Linux", "riscv64"]]) {
      const uname = `#!/bin/sh\ncase "$1" in -s) echo ${system} ;; -m) echo ${cpu} ;; esac\n`;
      const PATH = await sandbox.path({ uname });
      const { code, stderr } = await sandbox.install(["--from", archive], { env: { PATH } });
      assertEquals(code, 1);
      assertStringIncludes(stderr, "there is no release for");
    }
    assertEquals(await sandbox.snapshot(), {});
  }));

test("--target takes another machine's archive and does not run it", () =>
  withSandbox(async (sandbox) => {
    const target = TARGET.includes("darwin") ? "x86_64-unknown-linux-gnu" : "aarch64-apple-darwin";
    const release = await makeRelease({ target, program: "\x7fELF of another machine" });
    const archive = await sandbox.store(release, `nonzero-${VERSION}-${target}.tar.gz`);
    const wrong = await sandbox.install(["--from", archive]);
    assertEquals(wrong.code, 1);
    assertStringIncludes(wrong.stderr, `is not called as an archive for ${TARGET}`);
    assertEquals((await sandbox.install(["--from", archive, "--target", target])).code, 0);
  }));
const released = join(ROOT, "dist/release", `nonzero-${RELEASED}-${TARGET}.tar.gz`);
const isReleased = await Deno.stat(released).then(() => true, () => false);

test(
  "installs the archive that make release made, every hook and gate a link to the one program",
  () =>
    withSandbox(async (sandbox) => {
      const { code, stderr } = await sandbox.install(["--from", released]);
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
      assertEquals(await versionAt(sandbox.link), `nonzero ${RELEASED}`);
      const { ino } = await Deno.stat(join(sandbox.prefix, "nonzero"));
      const { entries } = JSON.parse(await Deno.readTextFile(join(sandbox.prefix, "BUILD.json")));
      assert(entries.length > 12);
      for (const { path } of entries) {
        assertEquals((await Deno.stat(join(sandbox.prefix, path))).ino, ino, path);
      }
      assertEquals(await smoke(join(sandbox.prefix, "nonzero")), []);
      for (
        const name of ["LICENSE", "THIRD-PARTY-LICENSES", "SHA256SUMS", "plugin/.claude-plugin/plugin.json"]
      ) {
        assert((await Deno.stat(join(sandbox.prefix, name))).size > 0, name);
      }
    }),
  !isReleased,
);

test("a copy of it that was cut short does nothing", () =>
  withSandbox(async (sandbox) => {
    const archive = await sandbox.store(await makeRelease());
    const text = await Deno.readTextFile(join(ROOT, "install.sh"));
    const script = join(sandbox.folder, "cut.sh");
    for (let end = 0; end < text.length - 'main "$@"\n'.length; end += 211) {
      await Deno.writeTextFile(script, text.slice(0, end));
      await sandbox.install(["--from", archive], { script });
      assertEquals(await sandbox.snapshot(), {});
    }
  }));

test("is clean to shellcheck", async () => {
  const { code, stdout } = await run(["shellcheck", join(ROOT, "install.sh")]);
  assertEquals({ code, stdout }, { code: 0, stdout: "" });
}, !has("shellcheck"));
