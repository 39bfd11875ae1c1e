/** install.sh --key: what is signed by the key, and nothing else. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { NAMESPACE } from "../../lib/release/ssh-signature.ts";
import { parsePrivateKey, sign as signAsMake } from "../../toolchain/sign.ts";
import { run } from "../black-box.ts";
import { sha256 } from "./archive.ts";
import {
  ARCHIVE,
  assertInstalled,
  editSums,
  has,
  makeRelease,
  type Release,
  test,
  VERSION,
  withSandbox,
  withServer,
} from "./sandbox.ts";

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
