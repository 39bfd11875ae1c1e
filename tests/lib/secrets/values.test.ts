import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { bitsPerCharacter, isPlaceholder, isRepeated, looksRandom } from "../../../lib/secrets/values.ts";
import { expand } from "../../expand.ts";

Deno.test("bitsPerCharacter: Shannon's entropy", () => {
  assertEquals(bitsPerCharacter(""), 0);
  assertEquals(bitsPerCharacter("aaaa"), 0);
  assertEquals(bitsPerCharacter("abab"), 1);
  assertEquals(bitsPerCharacter("0123456789abcdef"), 4);
});

Deno.test("isRepeated: one character, or one in each part", () => {
  for (const value of ["", "----", "xxxx", "xxXX", "0000-1111", "x.y.zz", "AAAA_BBBB"]) {
    assert(isRepeated(value), value);
  }
  for (const value of ["xy", "xxxy", "000-001", "\u0010x0"]) assert(!isRepeated(value), value);
});

Deno.test("isPlaceholder: what says that it stands for another", () => {
  for (
    const value of [
      "EXAMPLE",
      "my-example-key",
      "xxxx1",
      "<your-key>",
      "$VAR",
      "${VAR}",
      "{{ v }}",
      "%VAR%",
      "%s",
    ]
      .concat([
        "process.env.X",
        "REDACTED",
        "changeme",
        "change-me-1",
        "your_key",
        "********",
        "not-a-real-key",
        "1234567890",
      ])
  ) assert(isPlaceholder(value), value);
  for (const value of ["hunter2", "p%40ssword", "a$b", "correct-horse"]) assert(!isPlaceholder(value), value);
});

Deno.test("looksRandom: of random values most, whatever alphabet", () => {
  const shares = [["alnum", 16, 0.85], ["alnum", 32, 0.96], ["hex", 32, 0.98], ["base64", 40, 0.97], [
    "print",
    24,
    0.9,
  ]];
  for (const [alphabet, length, share] of shares) {
    let found = 0;
    for (let seed = 0; seed < 1_000; seed++) {
      if (looksRandom(expand(`{${alphabet}:${length}}`, seed))) found++;
    }
    assert(found >= 1_000 * Number(share), `${alphabet} ${length}: ${found}`);
  }
});

Deno.test("looksRandom: no words, identifiers, paths or numbers", () => {
  for (
    const value of [
      "production-token-2024-eu-west-1",
      "getUserAccessTokenForTenant2",
      "MY_SERVICE_ACCESS_TOKEN_2024",
      "/usr/local/lib/python3.11/site-packages",
      "application/x-www-form-urlencoded1",
      "Benutzerkontensteuerung2024",
      "1234567890123456789",
      "aaaaaaaabbbbbbbb1111",
      "correct-horse-battery-staple-9",
    ]
  ) assert(!looksRandom(value), value);
});

Deno.test("looksRandom: total", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (value) => {
    assertEquals(typeof looksRandom(value), "boolean");
    assert(bitsPerCharacter(value) >= 0);
  }));
});
