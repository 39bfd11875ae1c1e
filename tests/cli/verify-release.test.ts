/** `nonzero verify-release`, from outside, held against OpenSSH's own signatures. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { NAMESPACE } from "../../lib/release/ssh-signature.ts";
import { flavours, type Outcome, run, withFolder } from "../black-box.ts";

async function sumOf(content: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const FILES = { "nonzero": "a program", "LICENSE": "", "plugin/hooks/hooks.json": "{}" };

/** Lets ssh-keygen make a key; `rsa` is one of RSA, any other of Ed25519. */
async function makeKey(file: string, name: string): Promise<void> {
  const kind = name === "rsa" ? ["rsa", "-b", "2048"] : ["ed25519"];
  const made = await run(["ssh-keygen", "-q", "-t", ...kind, "-N", "", "-C", "test", "-f", file]);
  assertEquals(made, { code: 0, stdout: "", stderr: "" });
}

interface Release {
  /** The folder above the release, which is in `out`. */
  readonly folder: string;
  /** Runs `nonzero verify-release` there. */
  readonly verify: (...args: readonly string[]) => Promise<Outcome>;
  /** Lets ssh-keygen sign the list, with a key that it makes where there is none of the name. */
  readonly sign: (key?: string, namespace?: string) => Promise<void>;
  readonly write: (path: string, content: string) => Promise<void>;
}

async function withRelease(
  words: readonly string[],
  use: (release: Release) => Promise<void>,
): Promise<void> {
  const sums = await Promise.all(
    Object.entries(FILES).map(async ([name, content]) => `${await sumOf(content)}  ${name}\n`),
  );
  const files = Object.entries({ ...FILES, SHA256SUMS: sums.join("") });
  await withFolder(
    Object.fromEntries(files.map(([name, content]) => [`out/${name}`, content])),
    async (folder) => {
      await use({
        folder,
        verify: (...args) => run([...words, "verify-release", ...args], { cwd: folder }),
        async sign(key = "key", namespace = NAMESPACE) {
          const file = join(folder, key);
          if (!await Deno.stat(file).catch(() => undefined)) await makeKey(file, key);
          await Deno.remove(join(folder, "out/SHA256SUMS.sig")).catch(() => {});
          const signed = await run(
            [
              "ssh-keygen",
              "-q",
              "-Y",
              "sign",
              "-n",
              namespace,
              "-f",
              file,
              join(folder, "out/SHA256SUMS"),
            ],
          );
          assertEquals(signed.code, 0, signed.stderr);
        },
        write: (path, content) => Deno.writeTextFile(join(folder, path), content),
      });
    },
  );
}

for (const { name: flavour, start, posix } of flavours()) {
  const words = start("nonzero");
  /** Paths that are on no list are told as the system writes them. */
  const told = (path: string) => posix ? path : path.replaceAll("/", "\\");
  const test = (title: string, use: (release: Release) => Promise<void>) =>
    Deno.test(`verify-release (${flavour}): ${title}`, () => withRelease(words, use));

  const good = ["LICENSE", "nonzero", "plugin/hooks/hooks.json"].map((name) => `ok  ${name}\n`).join("");
  const bad = (lines: string, count: string) => ({
    code: 1,
    stdout: "",
    stderr: `${lines}${count} as listed. Do not use what was downloaded.\n`,
  });

  test("a folder with all that is listed", async ({ verify }) => {
    const stdout = `${good}3 files as listed; no signature was looked at, for want of --key\n`;
    assertEquals(await verify("out"), { code: 0, stdout, stderr: "" });
  });

  test("what ssh-keygen signed, by the key as a file and as text", async ({ verify, sign, folder }) => {
    await sign();
    const key = await Deno.readTextFile(join(folder, "key.pub"));
    const [, print = ""] = (await run(["ssh-keygen", "-l", "-f", join(folder, "key.pub")])).stdout.split(" ");
    assertMatch(print, /^SHA256:/);
    const wanted = {
      code: 0,
      stdout: `${good}3 files as listed; the list is signed by ${print}\n`,
      stderr: "",
    };
    assertEquals(await verify("out", "--key", "key.pub"), wanted);
    assertEquals(await verify("out", "--key", key.trim()), wanted);
    assertEquals(await verify(`--key=${key.trim()}`, "out"), wanted);
  });

  test("one file, and those that a shell writes out", async ({ verify, sign }) => {
    await sign();
    const one = await verify("out/nonzero", "--key", "key.pub");
    assertEquals([one.code, one.stdout.split("\n")[0]], [0, "ok  nonzero"]);
    const all = await verify(
      "out/LICENSE",
      "out/SHA256SUMS",
      "out/SHA256SUMS.sig",
      "out/nonzero",
      "--key",
      "key.pub",
    );
    assertEquals([all.code, all.stdout.split(";")[0]], [0, "ok  LICENSE\nok  nonzero\n2 files as listed"]);
  });

  test("a list elsewhere: a file by its name, one below the list by its path", async ({ verify, folder, write }) => {
    await Deno.rename(join(folder, "out/SHA256SUMS"), join(folder, "SHA256SUMS"));
    assertEquals((await verify("out", "--sums", "SHA256SUMS")).code, 0);
    await write("SHA256SUMS", `${await sumOf(FILES.nonzero)}  out/nonzero\n`);
    assertEquals((await verify("out/nonzero", "--sums", "SHA256SUMS")).code, 0);
    await Deno.mkdir(join(folder, "lists"));
    await write("lists/SHA256SUMS", `${await sumOf(FILES.nonzero)}  nonzero\n`);
    assertEquals((await verify("out/nonzero", "--sums", "lists/SHA256SUMS")).code, 0);
  });

  if (posix) {
    test("a link that leads nowhere is not listed, with a signature and without", async ({ verify, sign, folder }) => {
      await Deno.symlink("nowhere", join(folder, "out/extra"));
      assertEquals(await verify("out"), bad("BAD  extra: is not listed\n", "3 files"));
      await sign();
      assertEquals((await verify("out", "--key", "key.pub")).code, 1);
    });
  }

  test("names each file that is altered, missing or not listed", async ({ verify, sign, folder, write }) => {
    await sign();
    await write("out/nonzero", "a Program");
    await Deno.remove(join(folder, "out/LICENSE"));
    await write("out/plugin/more", "");
    assertEquals(
      await verify("out", "--key", "key.pub"),
      bad(
        "BAD  LICENSE: does not exist\nBAD  nonzero: is not what was released\nBAD  plugin/more: is not listed\n",
        "1 file",
      ),
    );
    assertEquals(
      await verify("out/nonzero", "out/plugin/more"),
      bad(
        "BAD  nonzero: is not what was released\n" +
          `BAD  ${told("out/plugin/SHA256SUMS")}: does not exist\n`,
        "0 files",
      ),
    );
  });

  test("a list that was altered is not believed", async ({ verify, sign, write, folder }) => {
    await sign();
    const sums = await Deno.readTextFile(join(folder, "out/SHA256SUMS"));
    await write("out/nonzero", "another");
    await write("out/SHA256SUMS", sums.replace(await sumOf(FILES.nonzero), await sumOf("another")));
    assertEquals((await verify("out")).code, 0);
    assertEquals(
      await verify("out", "--key", "key.pub"),
      bad("BAD  SHA256SUMS.sig: is not of this SHA256SUMS: one of the two was changed\n", "0 files"),
    );
  });

  test("a key wants a signature, by it, for releases, whole", async ({ verify, sign, write, folder }) => {
    const refusal = async (why: string) =>
      assertEquals(await verify("out", "--key", "key.pub"), bad(`BAD  SHA256SUMS.sig: ${why}\n`, "0 files"));
    await sign();
    await Deno.remove(join(folder, "out/SHA256SUMS.sig"));
    await refusal("does not exist");
    await sign("other");
    await refusal("is by another key");
    await sign("key", "file");
    await refusal(`is for "file", not for ${NAMESPACE}`);
    await sign("rsa");
    await refusal("is by a key that is ssh-rsa, not ssh-ed25519");
    await sign();
    assertEquals((await verify("out", "--key", "key.pub")).code, 0);
    const signature = await Deno.readTextFile(join(folder, "out/SHA256SUMS.sig"));
    for (const length of [1, 100, 200, signature.length - 30]) {
      await write("out/SHA256SUMS.sig", signature.slice(0, length));
      const { code, stderr } = await verify("out", "--key", "key.pub");
      assertEquals(code, 1);
      assertMatch(stderr, /^BAD {2}SHA256SUMS\.sig: is (?:cut short|no SSH signature|no base64)\n/);
    }
    // The last character of the signature itself.
    await write(
      "out/SHA256SUMS.sig",
      signature.replace(/(.)(=*\n-----END)/, (_, last, rest) => (last === "A" ? "Q" : "A") + rest),
    );
    await refusal("is not of this SHA256SUMS: one of the two was changed");
  });

  test("a list that leads out of the folder does not count", async ({ verify, write, sign }) => {
    await write("outside", "x");
    await write("out/SHA256SUMS", `${await sumOf("x")}  ../outside\n`);
    await sign();
    assertEquals(
      await verify("out", "--key", "key.pub"),
      bad(
        `BAD  ${told("out/SHA256SUMS")}: does not count: line 1 has a name that leads elsewhere\n`,
        "0 files",
      ),
    );
  });

  test("a folder without a list, an empty list and a missing file are wrong", async ({ verify, write, folder }) => {
    await write("out/SHA256SUMS", "");
    assertStringIncludes((await verify("out")).stderr, "does not count: it is empty");
    await Deno.remove(join(folder, "out/SHA256SUMS"));
    assertEquals(await verify("out"), bad(`BAD  ${told("out/SHA256SUMS")}: does not exist\n`, "0 files"));
    assertEquals((await verify("nowhere")).code, 1);
  });

  test("a link in a folder is no file of it; one that is listed is read", async ({ verify, folder }) => {
    if (!posix) return;
    await Deno.symlink("/", join(folder, "out/etc"));
    assertEquals(await verify("out"), bad("BAD  etc: is not listed\n", "3 files"));
    await Deno.remove(join(folder, "out/etc"));
    await Deno.symlink("out", join(folder, "latest"));
    assertEquals((await verify("latest")).code, 0);
  });

  test("a name is printed so that no terminal obeys it", async ({ verify, write }) => {
    // Windows has no such names.
    if (!posix) return;
    await write("out/\x1b[2Jx", "");
    const { code, stderr } = await verify("out");
    assertEquals([code, stderr.includes("\x1b")], [1, false]);
    assertStringIncludes(stderr, "is not listed");
  });

  test("a mistake on the command line is exit code 64 and one clear line", async ({ verify, write, folder }) => {
    for (const name of ["key", "rsa"]) await makeKey(join(folder, name), name);
    await write("two.pub", (await Deno.readTextFile(join(folder, "key.pub"))).repeat(2));
    const lines: Readonly<Record<string, readonly string[]>> = {
      "no folder or file given": [],
      "no folder or file given but the list itself": ["out/SHA256SUMS"],
      'unknown argument "--fast"': ["out", "--fast"],
      "--key is empty": ["out", "--key", ""],
      "--sums is empty": ["out", "--sums="],
      "--key nokey.pub does not exist": ["out", "--key", "nokey.pub"],
      "--key rsa.pub is ssh-rsa, not ssh-ed25519": ["out", "--key", "rsa.pub"],
      "--key two.pub holds more than one key": ["out", "--key", "two.pub"],
      "--key out/nonzero is no public key of SSH": ["out", "--key", "out/nonzero"],
      "--key is cut short": ["out", "--key", "ssh-ed25519 AAAAC3NzaC1lZDI1"],
    };
    for (const [message, args] of Object.entries(lines)) {
      const outcome = await verify(...args);
      assertEquals([outcome.code, outcome.stdout], [64, ""], message);

      assertEquals(outcome.stderr.split("\n")[0], `nonzero verify-release: ${message}`);
    }
  });

  test("--help says what it takes, and the names of the command line what they are", async ({ verify }) => {
    const { code, stdout } = await verify("--help");
    assertEquals(code, 0);
    assertStringIncludes(stdout, `-n ${NAMESPACE}`);
    assertStringIncludes((await run([...words, "--help"])).stdout, "nonzero verify-release FOLDER|FILE...");
  });
}
