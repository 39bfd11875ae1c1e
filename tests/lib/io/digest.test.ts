import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { digestFile, digestOf, isSignedBy } from "../../../lib/io/digest.ts";
import { FileError } from "../../../lib/io/files.ts";
import { withFolder } from "../../black-box.ts";

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

Deno.test("digestOf: FIPS 180's examples", async () => {
  const abc = new TextEncoder().encode("abc");
  assertEquals(
    hex(await digestOf(abc, "sha256")),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  assertEquals(hex(await digestOf(abc, "sha512")).slice(0, 32), "ddaf35a193617abacc417349ae204131");
});

Deno.test("digestFile: a file of any size, a piece at a time", async () => {
  await withFolder({ empty: "", large: "" }, async (folder) => {
    assertEquals(await digestFile(join(folder, "empty")), hex(await digestOf(new Uint8Array(), "sha256")));
    const large = join(folder, "large");
    // Nothing but zeros, which take no space.
    await Deno.truncate(large, 400 * 1024 ** 2);
    const before = Deno.memoryUsage().rss;
    const digest = await digestFile(large);
    const grown = Deno.memoryUsage().rss - before;
    assert(grown < 100 * 1024 ** 2, `it took ${grown} bytes`);
    const { stdout } = await new Deno.Command("openssl", { args: ["dgst", "-sha256", "-r", large] }).output();
    assertEquals(new TextDecoder().decode(stdout).slice(0, 64), digest);
  });
});

Deno.test("digestFile: says of what cannot be read why", async () => {
  await withFolder({ folder: null }, async (folder) => {
    for (
      const [name, message] of [["none", "does not exist"], ["folder", "is not a regular file"]] as const
    ) {
      const error = await digestFile(join(folder, name)).then(() => undefined, (error) => error);
      assert(error instanceof FileError);
      assertEquals(error.message, message);
    }
  });
});

Deno.test("isSignedBy: RFC 8032's second example, and nothing else", async () => {
  const key = bytesOf("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
  const signature = bytesOf(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  );
  assertEquals(await isSignedBy(key, Uint8Array.of(0x72), signature), true);
  assertEquals(await isSignedBy(key, Uint8Array.of(0x73), signature), false);
  assertEquals(await isSignedBy(key, Uint8Array.of(0x72), signature.with(63, 1)), false);
  assertEquals(await isSignedBy(key.with(0, 1), Uint8Array.of(0x72), signature), false);
});
