/** install.sh, from outside: what it installs, and that it installs nothing of what is not as it must be. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { VERSION as RELEASED } from "../../lib/contract/version.ts";
import { registry } from "../../toolchain/registry.ts";
import { NAMESPACE } from "../../lib/release/ssh-signature.ts";
import { parsePrivateKey, sign as signAsMake } from "../../toolchain/sign.ts";
import { smoke } from "../../toolchain/smoke.ts";
import { ROOT, run } from "../black-box.ts";
import { fakeEntries, sha256, type TarEntry, tarGz } from "./archive.ts";
import {
  type Answer,
  ARCHIVE,
  editSums,
  has,
  isRoot,
  makeRelease,
  type Release,
  Sandbox,
  shells,
  TARGET,
  VERSION,
  withSandbox,
  withServer,
  withSums,
} from "./sandbox.ts";

const windows = Deno.build.os === "windows";

/** Registers a test for systems that have a shell. */
function test(name: string, use: () => Promise<void>, ignore = false): void {
  Deno.test({ name: `install.sh: ${name}`, ignore: windows || ignore, fn: use });
}

/** Says what the installed program says of its version. */
async function versionAt(path: string): Promise<string> {
  const { code, stdout } = await run([path, "--version"]);
  assertEquals(code, 0);
  return stdout.trim();
}

/** Holds that an install is whole, and that nothing else was left beside it. */
async function assertInstalled(sandbox: Sandbox, version = VERSION): Promise<void> {
  assertEquals(await versionAt(sandbox.link), `nonzero ${version}`);
  const names = Object.keys(await sandbox.snapshot()).map((path) => path.slice(sandbox.home.length + 1))
    .sort();
  assertEquals(names, [
    ".local",
    ".local/bin",
    ".local/bin/nonzero",
    ".local/share",
    ".local/share/nonzero",
    ".local/share/nonzero/BUILD.json",
    ".local/share/nonzero/hooks",
    ".local/share/nonzero/hooks/pre-tool-use",
    ".local/share/nonzero/nonzero",
  ]);
  const [program, hook] = [
    await Deno.stat(join(sandbox.prefix, "nonzero")),
    await Deno.stat(join(sandbox.prefix, "hooks/pre-tool-use")),
  ];
  assertEquals(program.ino, hook.ino);
}

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

/** What goes wrong with a release on a server, and what install.sh says of it. */
interface Fault {
  readonly name: string;
  readonly says: string;
  readonly release?: (good: Release) => Release | Promise<Release>;
  readonly answer?: Answer;
}

/** The release with its archive replaced, and SHA256SUMS true of that. */
async function withArchive(entries: readonly TarEntry[]): Promise<Release> {
  return withSums({ [ARCHIVE]: await tarGz(entries) });
}

/** The usual entries, and another one. */
function withEntry(entry: TarEntry): () => Promise<Release> {
  return () => withArchive([...fakeEntries({ version: VERSION, target: TARGET }), entry]);
}

const withFake = (fake: Parameters<typeof makeRelease>[0]) => async (): Promise<Release> => {
  const [bytes = new Uint8Array()] = Object.values(await makeRelease(fake));
  return withSums({ [ARCHIVE]: bytes });
};

const isArchive = ({ url }: Request) => url.endsWith(".tar.gz");

/** A key of ssh-keygen in a folder: the path of its private part, beside which the public one is. */
async function makeKey(folder: string, name: string, kind = "ed25519"): Promise<string> {
  const path = join(folder, name);
  const { code } = await run([
    "ssh-keygen",
    "-q",
    "-t",
    kind,
    "-N",
    "",
    "-C",
    `${name} of a test`,
    "-f",
    path,
  ]);
  assertEquals(code, 0);
  return path;
}

/** The release with SHA256SUMS signed. */
async function sign(release: Release, key: string, namespace = NAMESPACE): Promise<Release> {
  const sums = `${key}.sums`;
  await Deno.writeFile(sums, release["SHA256SUMS"] ?? new Uint8Array());
  const { code } = await run(["ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", namespace, sums]);
  assertEquals(code, 0);
  const signature = await Deno.readFile(`${sums}.sig`);
  await Deno.remove(`${sums}.sig`);
  return { ...release, "SHA256SUMS.sig": signature };
}

test("--key, as a file or in words, takes what is signed by it", () =>
  withSandbox(async (sandbox) => {
    const key = await makeKey(sandbox.folder, "good key");
    const release = await sign(await makeRelease(), key);
    const archive = await sandbox.store(release);
    const words = (await Deno.readTextFile(`${key}.pub`)).trim();
    const noted = join(sandbox.folder, "noted.pub");
    await Deno.writeTextFile(noted, `# of the release\r\n\r\n${words.split(" ").slice(0, 2).join(" ")}\r\n`);
    for (const given of [`${key}.pub`, words, noted]) {
      const { code, stdout, stderr } = await sandbox.install(["--from", archive, "--key", given]);
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
      assert(!stdout.includes("--key"));
    }
    await withServer({ [VERSION]: release }, async (server) => {
      const { code, stderr } = await sandbox.install(["--base-url", server.url, "--key", words]);
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
    });
    await assertInstalled(sandbox);
  }), !has("ssh-keygen"));

test("--key takes what make sign signed", () =>
  withSandbox(async (sandbox) => {
    const key = await makeKey(sandbox.folder, "key");
    const release = await makeRelease();
    const signature = await signAsMake(
      release["SHA256SUMS"] ?? new Uint8Array(),
      parsePrivateKey(await Deno.readTextFile(key)),
    );
    const archive = await sandbox.store({
      ...release,
      "SHA256SUMS.sig": new TextEncoder().encode(signature),
    });
    const { code, stderr } = await sandbox.install(["--from", archive, "--key", `${key}.pub`]);
    assertEquals({ code, stderr }, { code: 0, stderr: "" });
    await assertInstalled(sandbox);
  }), !has("ssh-keygen"));

/** What is wrong with a signature, and what install.sh says of it. */
const SIGNATURES: Readonly<Record<string, (folder: string, key: string) => Promise<Release>>> = {
  "of another key": async (folder) => sign(await makeRelease(), await makeKey(folder, "another")),
  "for another purpose": async (_, key) => sign(await makeRelease(), key, "file"),
  "of another SHA256SUMS": async (_, key) => ({
    ...await makeRelease({ program: "#!/bin/sh\necho nonzero 1.2.3\n" }),
    "SHA256SUMS.sig": (await sign(await makeRelease(), key))["SHA256SUMS.sig"] ?? new Uint8Array(),
  }),
  "with a line more in SHA256SUMS": async (_, key) =>
    editSums(await sign(await makeRelease(), key), (text) => `${text}${"c".repeat(64)}  more\n`),
  "cut short": async (_, key) => {
    const release = await sign(await makeRelease(), key);
    return { ...release, "SHA256SUMS.sig": (release["SHA256SUMS.sig"] ?? new Uint8Array()).slice(0, 120) };
  },
  "of nothing": async () => ({ ...await makeRelease(), "SHA256SUMS.sig": new Uint8Array() }),
  "that is not there": () => makeRelease(),
};

for (const [name, make] of Object.entries(SIGNATURES)) {
  test(`--key refuses a signature ${name}, and downloads no archive`, () =>
    withSandbox(async (sandbox) => {
      const key = await makeKey(sandbox.folder, "good");
      const release = await make(sandbox.folder, key);
      await withServer({ [VERSION]: release }, async (server) => {
        const { code, stdout } = await sandbox.install(["--base-url", server.url, "--key", `${key}.pub`]);
        assertEquals({ code, stdout }, { code: 1, stdout: "" });
        assert(!server.asked.some((path) => path.endsWith(".tar.gz")));
      });
      const archive = await sandbox.store(release);
      const digest = sha256(release[ARCHIVE] ?? "");
      for (const more of [[], ["--sha256", digest]]) {
        const { code, stderr } = await sandbox.install(["--from", archive, "--key", `${key}.pub`, ...more]);
        assertEquals(code, 1);
        assert(/not signed by that key|no SHA256SUMS\.sig/.test(stderr), stderr);
      }
      assertEquals(await sandbox.snapshot(), {});
    }), !has("ssh-keygen"));
}

test("--key refuses where there is no ssh-keygen", () =>
  withSandbox(async (sandbox) => {
    const key = await makeKey(sandbox.folder, "good");
    const archive = await sandbox.store(await sign(await makeRelease(), key));
    const PATH = await sandbox.path({}, ["ssh-keygen"]);
    const { code, stderr } = await sandbox.install(["--from", archive, "--key", `${key}.pub`], {
      env: { PATH },
    });
    assertEquals(code, 1);
    assertStringIncludes(stderr, "there is no ssh-keygen");
    assertEquals(await sandbox.snapshot(), {});
  }), !has("ssh-keygen"));

test("--key refuses a key that is none of ssh-ed25519", () =>
  withSandbox(async (sandbox) => {
    const archive = await sandbox.store(await makeRelease());
    const key = await makeKey(sandbox.folder, "elliptic", "ecdsa");
    const { code, stderr } = await sandbox.install(["--from", archive, "--key", `${key}.pub`]);
    assertEquals(code, 64);
    assertStringIncludes(stderr, "one ssh-ed25519 public key");
  }), !has("ssh-keygen"));

/** Entries that no release has. */
const HOSTILE: Readonly<Record<string, TarEntry>> = {
  "an absolute path": { name: "/nonzero-was-here", text: "x" },
  "a path with ..": { name: "../nonzero-was-here", text: "x" },
  "a path with .. in it": { name: `nonzero-${VERSION}-${TARGET}/../../nonzero-was-here`, text: "x" },
  "a symlink": { name: "etc", type: "2", link: "/etc" },
  "a symlink to beside it": { name: "beside", type: "2", link: "nonzero" },
  "a hard link that leads out": { name: "out", type: "1", link: "../../../home" },
  "a hard link to an absolute path": { name: "out", type: "1", link: "/etc/passwd" },
  "a pipe": { name: "pipe", type: "6" },
  "a set-user-id bit": { name: "root-shell", mode: 0o4755 },
  "a space": { name: "two words" },
  "a line break": { name: "two\n/lines" },
  "an option": { name: "--checkpoint-action=exec=id" },
};

const FAULTS: readonly Fault[] = [
  {
    name: "an archive cut short",
    says: "is not what SHA256SUMS says",
    release: (good) => ({ ...good, [ARCHIVE]: (good[ARCHIVE] ?? new Uint8Array()).slice(0, 300) }),
  },
  {
    name: "an archive with one bit changed",
    says: "is not what SHA256SUMS says",
    release: (good) => ({
      ...good,
      [ARCHIVE]: (good[ARCHIVE] ?? new Uint8Array()).map((b, at) => at === 200 ? b ^ 1 : b),
    }),
  },
  {
    name: "an empty archive",
    says: "is not what SHA256SUMS says",
    release: (good) => ({ ...good, [ARCHIVE]: new Uint8Array() }),
  },
  {
    name: "no archive",
    says: `cannot download`,
    answer: (request) => isArchive(request) ? new Response("", { status: 404 }) : undefined,
  },
  {
    name: "no SHA256SUMS",
    says: "cannot download",
    answer: ({ url }) => url.endsWith("SUMS") ? new Response("", { status: 404 }) : undefined,
  },
  {
    name: "a page in place of SHA256SUMS",
    says: "does not name one archive",
    answer: ({ url }) => url.endsWith("SUMS") ? new Response("<html>Log in</html>\n") : undefined,
  },
  {
    name: "another digest in SHA256SUMS",
    says: "is not what SHA256SUMS says",
    release: (good) => editSums(good, (text) => text.replace(/^[0-9a-f]{64}/, "b".repeat(64))),
  },
  {
    name: "no line for it in SHA256SUMS",
    says: "does not name one archive",
    release: (good) => editSums(good, (text) => text.replace(TARGET, "another-target")),
  },
  {
    name: "two lines for it in SHA256SUMS",
    says: "does not name one archive",
    release: (good) => editSums(good, (text) => `${"b".repeat(64)}${text.slice(64)}${text}`),
  },
  {
    name: "two versions in SHA256SUMS",
    says: "does not name one archive",
    release: (good) => editSums(good, (text) => `${text}${text.replaceAll(VERSION, "9.9.9")}`),
  },
  {
    name: "half a digest in SHA256SUMS",
    says: "SHA256SUMS",
    release: (good) => editSums(good, (text) => text.slice(32)),
  },
  {
    name: "a digest that is a pattern in SHA256SUMS",
    says: "no single line",
    release: (good) => editSums(good, (text) => text.replace(/^[0-9a-f]{64}/, "*".repeat(64))),
  },
  {
    name: "what is no archive",
    says: "the archive cannot be read",
    release: () => withSums({ [ARCHIVE]: new TextEncoder().encode("nothing packed") }),
  },
  {
    name: "an archive for another target under its name",
    says: "not for",
    release: withFake({ target: "riscv64-unknown-linux-gnu" }),
  },
  {
    name: "an archive of another version",
    says: "is of version 1.0.0",
    release: withFake({ version: "1.0.0" }),
  },
  {
    name: "an archive of something else",
    says: "none of nonzero",
    release: () => withArchive([{ name: "other/program", text: "x", mode: 0o755 }]),
  },
  {
    name: "an archive that does not say its target",
    says: "the archive is for",
    release: withFake({ buildRecord: "{}" }),
  },
  {
    name: "a program that fails",
    says: "does not run on this machine",
    release: withFake({ program: "#!/bin/sh\nexit 1\n" }),
  },
  {
    name: "a program of another version",
    says: "does not run on this machine",
    release: withFake({ program: "#!/bin/sh\necho nonzero 0.0.1\n" }),
  },
  {
    name: "a program for another processor",
    says: "does not run on this machine",
    release: withFake({ program: "\x7fELF\x02\x01\x01 of another processor" }),
  },
  {
    name: "a way from here to http",
    says: "cannot download",
    answer: (request, { url }) =>
      isArchive(request) && !request.url.includes("moved")
        ? Response.redirect(`${url}/download/v${VERSION}/moved/${ARCHIVE}`)
        : undefined,
  },
  ...Object.entries(HOSTILE).map(([name, entry]): Fault => ({
    name: `an entry with ${name}`,
    says: "the archive is refused",
    release: withEntry(entry),
  })),
];

for (const { name, says, release = (good: Release) => good, answer } of FAULTS) {
  test(`refuses ${name}: nothing is left, and an older install stays whole`, async () => {
    const faulty = await release(await makeRelease());
    await withSandbox(async (sandbox) => {
      await withServer({ [VERSION]: faulty }, async (server) => {
        const refused = async () => {
          const before = await sandbox.snapshot();
          const { code, stdout, stderr } = await sandbox.install(["--base-url", server.url]);
          assertEquals({ code, stdout }, { code: 1, stdout: "" });
          assertStringIncludes(stderr, says);
          assertEquals(await sandbox.snapshot(), before);
        };
        await refused();
        const old = await sandbox.store(
          await makeRelease({ version: "1.0.0" }),
          `nonzero-1.0.0-${TARGET}.tar.gz`,
        );
        assertEquals((await sandbox.install(["--from", old])).code, 0);
        await refused();
        await assertInstalled(sandbox, "1.0.0");
      }, answer);
      const outside = await Array.fromAsync(Deno.readDir(sandbox.folder), ({ name }) => name);
      assertEquals(outside.sort(), ["down loads", "home"]);
    });
  });
}

/** Other programs that read archives; macOS has the first one. */
const TARS: Readonly<Record<string, string>> = {
  bsdtar: "bsdtar",
  "busybox tar": '#!/bin/sh\nexec busybox tar "$@"\n',
};

for (const [tar, program] of Object.entries(TARS)) {
  test(
    `${tar}: unpacks a good archive and refuses every hostile entry`,
    () =>
      withSandbox(async (sandbox) => {
        const PATH = await sandbox.path({ tar: program, busybox: "busybox" });
        for (const [name, entry] of Object.entries(HOSTILE)) {
          const archive = await sandbox.store(await withEntry(entry)());
          const { code, stderr } = await sandbox.install(["--from", archive], { env: { PATH } });
          assertEquals(code, 1, name);
          assertStringIncludes(stderr, "the archive is refused", name);
          assertEquals(await sandbox.snapshot(), {}, name);
        }
        const archive = await sandbox.store(await makeRelease());
        const { code, stderr } = await sandbox.install(["--from", archive], { env: { PATH } });
        assertEquals({ code, stderr }, { code: 0, stderr: "" });
        await assertInstalled(sandbox);
      }),
    !has(tar.split(" ")[0] ?? ""),
  );
}

for (const [loader, programs] of [["curl", ["curl"]], ["wget", ["wget"]]] as const) {
  test(
    `${loader}: follows no redirection to http and none without end`,
    () =>
      withSandbox(async (sandbox) => {
        const PATH = await sandbox.path(Object.fromEntries(programs.map((name) => [name, name])), ["curl"]);
        const answer: Answer = ({ url }) => Response.redirect(url.replace("latest", "latest/again"));
        await withServer({ [VERSION]: await makeRelease() }, async (server) => {
          const { code } = await sandbox.install(["--base-url", server.url], { env: { PATH } });
          assertEquals(code, 1);
          assertEquals(server.asked, ["/releases/latest/download/SHA256SUMS"]);
          assertEquals(await sandbox.snapshot(), {});
        }, answer);
      }),
    !has(loader),
  );
}

test("refuses an answer that ends before its length", () =>
  withSandbox(async (sandbox) => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const port = listener.addr.port;
    const serving = (async () => {
      for await (const connection of listener) {
        await connection.read(new Uint8Array(4096));
        const text = `HTTP/1.1 200 OK\r\nContent-Length: 500\r\nConnection: close\r\n\r\n${"0".repeat(64)}  `;
        await connection.write(new TextEncoder().encode(text));
        connection.close();
      }
    })();
    const { code, stderr } = await sandbox.install(["--base-url", `http://localhost:${port}`]);
    listener.close();
    await serving;
    assertEquals(code, 1);
    assertStringIncludes(stderr, "cannot download");
    assertEquals(await sandbox.snapshot(), {});
  }));

const USAGE: readonly (readonly [string, ...string[]])[] = [
  ["unknown argument", "--frobnicate"],
  ["unknown argument", "archive.tar.gz"],
  ["--version needs a value", "--version"],
  ["--from needs a value", "--from", ""],
  ["--key needs a value", "--key", "--from", "x"],
  ["not of the form", "--version", "1.2"],
  ["not of the form", "--version", "latest"],
  ["not of the form", "--version", "1.2.3/../../x"],
  ["64 hexadecimal digits", "--from", "x", "--sha256", "abc"],
  ["no public address yet"],
  ["is not https", "--base-url", "http://example.com/releases"],
  ["is not https", "--base-url", "http://127.0.0.1.example.com/releases"],
  ["is not https", "--base-url", "http://localhost:80x/releases"],
  ["a character that none needs", "--base-url", "http://127.0.0.1@example.com/releases"],
  ["a character that none needs", "--base-url", "http://127.0.0.1\\.example.com/"],
  ["is not https", "--base-url", "ftp://127.0.0.1/releases"],
  ["is not https", "--base-url", "file:///etc"],
  ["no archive for", "--from", "x", "--target", "x86_64-pc-windows-msvc"],
  ["no archive for", "--from", "x", "--target", "vax"],
  ["public key", "--from", "x", "--key", "ssh-rsa AAAAB3NzaC1yc2E"],
  ["public key", "--from", "x", "--key", "ssh-ed25519 AAAA\nssh-ed25519 BBBB"],
  ["public key", "--from", "x", "--key", 'ssh-ed25519 A"A'],
  ['must not have "."', "--from", "x", "--prefix", "/tmp/a/../b"],
  ["must not be the root", "--from", "x", "--prefix", "//"],
];

for (const [says, ...args] of USAGE) {
  test(`[${args.join(" ")}] is refused with 64: ${says}`, () =>
    withSandbox(async (sandbox) => {
      const { code, stdout, stderr } = await sandbox.install(args);
      assertEquals({ code, stdout }, { code: 64, stdout: "" });
      assertStringIncludes(stderr, says);
      assertEquals(await sandbox.snapshot(), {});
    }));
}

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
      for (const { folder, unit } of registry) {
        const path = join(sandbox.prefix, folder, unit.name);
        assertEquals((await Deno.stat(path)).ino, ino, path);
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
