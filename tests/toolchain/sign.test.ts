/** `make sign`, held against OpenSSH, which checks and signs the same. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { NAMESPACE } from "../../lib/release/ssh-signature.ts";
import { ROOT, run, withFolder } from "../black-box.ts";
import { runTool } from "./tree.ts";

const SUMS = `${"0".repeat(64)}  nonzero\n`;

async function makeKey(file: string, ...more: readonly string[]): Promise<void> {
  const made = await run(["ssh-keygen", "-q", "-C", "a comment", "-f", file, ...more]);
  assertEquals(made, { code: 0, stdout: "", stderr: "" });
}

const sign = (...args: readonly string[]) => runTool(ROOT, "toolchain/sign.ts", args);

Deno.test("sign: ssh-keygen holds it for good, and for nothing else", async () => {
  await withFolder({ "SHA256SUMS": SUMS }, async (folder) => {
    const [key, sums] = [join(folder, "key"), join(folder, "SHA256SUMS")];
    await makeKey(key, "-t", "ed25519", "-N", "");
    const signed = await sign("--key", key, "--sums", sums);
    const [type, blob] = (await Deno.readTextFile(`${key}.pub`)).split(" ");
    assertEquals(signed, { code: 0, text: `${sums}.sig: signed by ${type} ${blob}\n` });

    await Deno.writeTextFile(join(folder, "allowed"), `release ${type} ${blob}\n`);
    const verify = (namespace: string, stdin: string) =>
      run([
        ...["ssh-keygen", "-Y", "verify", "-f", join(folder, "allowed"), "-I", "release"],
        ...["-n", namespace, "-s", `${sums}.sig`],
      ], { stdin });
    assertStringIncludes((await verify(NAMESPACE, SUMS)).stdout, `Good "${NAMESPACE}" signature for release`);
    for (const [namespace, stdin] of [[NAMESPACE, `${SUMS}x`], ["file", SUMS]] as const) {
      assertEquals((await verify(namespace, stdin)).code !== 0, true);
    }
  });
});

Deno.test("sign: the same bytes as ssh-keygen's", async () => {
  await withFolder({ "SHA256SUMS": SUMS }, async (folder) => {
    const [key, sums] = [join(folder, "key"), join(folder, "SHA256SUMS")];
    await makeKey(key, "-t", "ed25519", "-N", "");
    await sign("--key", key, "--sums", sums);
    const ours = await Deno.readTextFile(`${sums}.sig`);
    await Deno.remove(`${sums}.sig`);
    assertEquals((await run(["ssh-keygen", "-q", "-Y", "sign", "-n", NAMESPACE, "-f", key, sums])).code, 0);
    assertEquals(ours, await Deno.readTextFile(`${sums}.sig`));
  });
});

Deno.test("sign: says why a key cannot be used, and writes nothing", async () => {
  await withFolder({ "SHA256SUMS": SUMS, "text": "hello\n" }, async (folder) => {
    const at = (name: string) => join(folder, name);
    const sums = at("SHA256SUMS");
    await makeKey(at("good"), "-t", "ed25519", "-N", "");
    await makeKey(at("locked"), "-t", "ed25519", "-N", "not empty");
    await makeKey(at("rsa"), "-t", "rsa", "-b", "2048", "-N", "");
    const good = await Deno.readTextFile(at("good"));
    await Deno.writeTextFile(at("cut"), good.split("\n").toSpliced(3, 1).join("\n"));
    const wanted: Readonly<Record<string, string>> = {
      locked:
        `is encrypted: decrypt a copy with ssh-keygen -p, or sign with ssh-keygen -Y sign -n ${NAMESPACE} -f KEY SHA256SUMS`,
      rsa: "is ssh-rsa, not ssh-ed25519",
      "good.pub": "is no private key of OpenSSH",
      text: "is no private key of OpenSSH",
      cut: "is no base64",
    };
    for (const [name, why] of Object.entries(wanted)) {
      const refused = { code: 1, text: `Cannot sign: ${at(name)} ${why}\n` };
      assertEquals(await sign("--key", at(name), "--sums", sums), refused);
    }
    assertStringIncludes((await sign("--key", at("none"), "--sums", sums)).text, "Cannot sign: ");
    assertStringIncludes((await sign("--key", at("good"), "--sums", at("none"))).text, "Cannot sign: ");
    const usage = { code: 1, text: "Cannot sign without a key: give KEY=FILE\n" };
    for (const args of [[], ["--key", ""]]) assertEquals(await sign(...args, "--sums", sums), usage);
    assertEquals((await sign("--fast")).text, 'Unknown argument "--fast"\n');
    assertEquals(await Deno.stat(`${sums}.sig`).catch(() => "none"), "none");
  });
});

Deno.test("sign: a key whose public half is another's is refused", async () => {
  const { parsePrivateKey, sign: signBytes } = await import("../../toolchain/sign.ts");
  await withFolder({}, async (folder) => {
    await makeKey(join(folder, "key"), "-t", "ed25519", "-N", "");
    const { key, seed } = parsePrivateKey(await Deno.readTextFile(join(folder, "key")));
    const bytes = new TextEncoder().encode(SUMS);
    const message = await signBytes(bytes, { key: key.with(0, key[0]! ^ 1), seed }).then(
      () => "signed",
      (error) => error.message,
    );
    assertEquals(message, "has a public half that is not its own");
  });
});
