/** install.ps1, where there is a PowerShell. The archives are for another processor, whose program it does not run. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { findTarget } from "../../toolchain/targets.ts";
import { type Outcome, ROOT, run, withFolder } from "../black-box.ts";
import { sha256, sumsOf, type TarEntry, zip } from "./archive.ts";
import { type Answer, type Release, VERSION, withServer } from "./sandbox.ts";

const TARGET = Deno.build.arch === "aarch64" ? "x86_64-pc-windows-msvc" : "aarch64-pc-windows-msvc";
const ARCHIVE = `nonzero-${VERSION}-${TARGET}.zip`;

async function findShell(): Promise<string | undefined> {
  for (const program of ["pwsh", "powershell"]) {
    try {
      if ((await run([program, "-NoProfile", "-Command", "exit 0"])).code === 0) return program;
    } catch {
      // There is none of that name.
    }
  }
  return undefined;
}

const shell = await findShell();

function entries(version = VERSION, target = TARGET): TarEntry[] {
  const top = `nonzero-${version}-${target}`;
  return [
    { name: `${top}/nonzero.exe`, text: `program ${version}` },
    { name: `${top}/BUILD.json`, text: JSON.stringify({ name: "nonzero", version, target }) },
    { name: `${top}/plugin/nonzero.exe`, text: `program ${version}` },
  ];
}

function release(content: readonly TarEntry[] = entries(), name = ARCHIVE): Release {
  const files = { [name]: zip(content) };
  return { ...files, SHA256SUMS: new TextEncoder().encode(sumsOf(files)) };
}

interface Place {
  readonly prefix: string;
  /** What stands where the install goes, and beside it. */
  readonly listing: () => Promise<string[]>;
  readonly install: (...args: readonly string[]) => Promise<Outcome>;
  /** Writes a release's files and says where the archive is. */
  readonly store: (files: Release) => Promise<string>;
}

function test(name: string, use: (place: Place) => Promise<void>): void {
  const fn = () =>
    withFolder({}, async (folder) => {
      const apps = join(folder, "my apps");
      const prefix = join(apps, "nonzero");
      const listing = async () => {
        const found: string[] = [];
        const walk = async (at: string): Promise<void> => {
          for await (const { name, isDirectory } of Deno.readDir(at)) {
            if (isDirectory) await walk(join(at, name));
            else found.push(await Deno.readTextFile(join(at, name)));
          }
        };
        await walk(apps).catch(() => {});
        return found.sort();
      };
      const script = ["-NoProfile", "-ExecutionPolicy", "Bypass", "-File", join(ROOT, "install.ps1")];
      const install = (...args: readonly string[]) =>
        run([shell ?? "", ...script, "-Prefix", prefix, "-Target", TARGET, ...args], {
          env: { PROCESSOR_ARCHITECTURE: Deno.build.arch === "aarch64" ? "ARM64" : "AMD64" },
        });
      const store = async (files: Release) => {
        for (const [file, bytes] of Object.entries(files)) await Deno.writeFile(join(folder, file), bytes);
        return join(folder, ARCHIVE);
      };
      await use({ prefix, listing, install, store });
    });
  Deno.test({ name: `install.ps1: ${name}`, ignore: shell === undefined, fn });
}

const WHOLE = entries().map(({ text = "" }) => text).sort();

test("installs the latest of a server, and over an older install", async ({ install, listing, prefix }) => {
  await withServer({ [VERSION]: release() }, async ({ url }) => {
    for (let time = 0; time < 2; time++) {
      const { code, stdout, stderr } = await install("-BaseUrl", url);
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
      assertStringIncludes(stdout, prefix);
      assertEquals(await listing(), WHOLE);
    }
  });
});

test("-From takes an archive with SHA256SUMS beside it, and -Sha256 one without", async ({ install, listing, store }) => {
  const archive = await store(release());
  assertEquals((await install("-From", archive)).code, 0);
  assertEquals(await listing(), WHOLE);
  await Deno.remove(join(archive, "..", "SHA256SUMS"));
  assertEquals((await install("-From", archive)).code, 1);
  assertEquals((await install("-From", archive, "-Sha256", sha256(await Deno.readFile(archive)))).code, 0);
  assertEquals((await install("-From", archive, "-Sha256", "0".repeat(64))).code, 1);
});

const withEntry = (entry: TarEntry) => release([...entries(), entry]);

/** What must not be installed, and what is said of it. */
const FAULTS: Readonly<Record<string, readonly [string, Release]>> = {
  "an altered archive": ["is not what SHA256SUMS says", { ...release(), [ARCHIVE]: zip(entries().slice(1)) }],
  "no line in SHA256SUMS": ["no single line", { ...release(), SHA256SUMS: new TextEncoder().encode("\n") }],
  "a path that leads out": ["refused", withEntry({ name: "../../out.txt", text: "x" })],
  "an absolute path": ["refused", withEntry({ name: "/out.txt", text: "x" })],
  "a drive": ["refused", withEntry({ name: "C:/out.txt", text: "x" })],
  "a backslash": ["refused", withEntry({ name: "..\\out.txt", text: "x" })],
  "a symlink": ["refused", withEntry({ name: "link", type: "2", link: "/" })],
  "another target": ["not for", release(entries(VERSION, "riscv64-pc-windows-msvc"))],
  "something else": ["none of nonzero", release([{ name: "other.exe", text: "x" }])],
};

for (const [name, [says, files]] of Object.entries(FAULTS)) {
  test(`refuses ${name}, and an older install stays whole`, async ({ install, listing, store }) => {
    const refused = async () => {
      const { code, stderr } = await install("-From", await store(files));
      assertEquals(code, 1);
      assertStringIncludes(stderr, says);
    };
    await refused();
    assertEquals(await listing(), []);
    assertEquals((await install("-From", await store(release()))).code, 0);
    await refused();
    assertEquals(await listing(), WHOLE);
  });
}

test("follows no redirection to http", async ({ install, listing }) => {
  const answer: Answer = ({ url }) => Response.redirect(url.replace("latest", "latest/again"));
  await withServer({ [VERSION]: release() }, async ({ url, asked }) => {
    const { code, stderr } = await install("-BaseUrl", url);
    assertEquals([code, asked.length], [1, 1]);
    assertStringIncludes(stderr, "not https");
    assertEquals(await listing(), []);
  }, answer);
});

for (
  const args of [["-Version", "1.2"], ["-From", "x", "-Sha256", "abc"], [], [
    "-From",
    "x",
    "-Key",
    "ssh-rsa AAAA",
  ]]
) {
  test(`[${args.join(" ")}] is refused with 64`, async ({ install, listing }) => {
    assertEquals((await install(...args)).code, 64);
    assertEquals(await listing(), []);
  });
}

Deno.test("install.ps1: wants signatures for the purpose that install.sh has, and the release's own targets", async () => {
  const [ps1, sh] = [
    await Deno.readTextFile(join(ROOT, "install.ps1")),
    await Deno.readTextFile(join(ROOT, "install.sh")),
  ];
  const namespace = /^NAMESPACE=(\S+)$/m.exec(sh)?.[1];
  assertEquals(/^\$Namespace = '(.+)'$/m.exec(ps1)?.[1], namespace);
  for (const triple of ["x86_64-pc-windows-msvc", "aarch64-pc-windows-msvc"]) {
    assertEquals(findTarget(triple).exe, ".exe");
    assertStringIncludes(ps1, `'${triple}'`);
  }
});
