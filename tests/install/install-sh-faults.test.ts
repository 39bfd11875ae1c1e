/** install.sh installs nothing of what is not as it must be, leaves nothing, and an older install stays whole. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { fakeEntries, type TarEntry, tarGz } from "./archive.ts";
import {
  type Answer,
  ARCHIVE,
  assertInstalled,
  editSums,
  has,
  isArchive,
  makeRelease,
  type Release,
  TARGET,
  test,
  VERSION,
  withSandbox,
  withServer,
  withSums,
} from "./sandbox.ts";

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

test("refuses an archive that a local SHA256SUMS names twice, whichever is right", () =>
  withSandbox(async (sandbox) => {
    const wrong = (text: string) => `${"b".repeat(64)}${text.slice(64)}`;
    for (const edit of [(text: string) => wrong(text) + text, (text: string) => text + wrong(text)]) {
      const archive = await sandbox.store(editSums(await makeRelease(), edit));
      const { code, stderr } = await sandbox.install(["--from", archive]);
      assertEquals(code, 1);
      assertStringIncludes(stderr, "no single line");
      assertEquals(await sandbox.snapshot(), {});
    }
  }));

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
