/** Private keys in the added lines of a diff. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { findKeyHeaders, type StagedKeys, unquote } from "../../../lib/evidence/staged.ts";

/** A header, in pieces lest this file be taken for a key. */
const header = (...kind: readonly string[]): string =>
  ["-----BEGIN", ...kind, "PRIVATE", "KEY-----"].join(" ");
const RSA = header("RSA");

function search(...pieces: readonly string[]): StagedKeys {
  const found = findKeyHeaders();
  for (const piece of pieces) found.take(piece);
  return found.end();
}

/** The diff of a new file of these lines. */
function added(lines: readonly string[], name = "a"): string {
  return [
    `diff --git a/${name} b/${name}`,
    "new file mode 100644",
    "index 0000000..1234567",
    "--- /dev/null",
    `+++ b/${name}`,
    `@@ -0,0 +1${lines.length === 1 ? "" : `,${lines.length}`} @@`,
    ...lines.map((line) => `+${line}`),
    "",
  ].join("\n");
}

const clean: StagedKeys = { keys: [], more: 0, unmerged: 0 };
const found = (line: number, file = "a"): StagedKeys => ({ ...clean, keys: [{ file, line }] });
const bytes = (text: string, encoding: "le" | "be" | "32"): string =>
  [...text].map((letter) => ({ le: `${letter}\0`, be: `\0${letter}`, "32": `${letter}\0\0\0` })[encoding])
    .join("");

Deno.test("findKeyHeaders: nothing staged", () => assertEquals(search(), clean));

Deno.test("findKeyHeaders: a private key of each kind", () => {
  const kinds = [
    [],
    ["RSA"],
    ["DSA"],
    ["EC"],
    ["OPENSSH"],
    ["ENCRYPTED"],
    ["ANY"],
    ["X25519"],
    [
      "SSH2",
      "ENCRYPTED",
    ],
    ["X9.42", "DH"],
    ["ED25519-CERT"],
  ];
  const pgp = ["-----BEGIN", "PGP", "PRIVATE", "KEY", "BLOCK-----"].join(" ");
  const ssh2 = ["----", "BEGIN", "SSH2", "ENCRYPTED", "PRIVATE", "KEY", "----"].join(" ");
  const old = pgp.replace("PRIVATE", "SECRET");
  for (const line of [...kinds.map((kind) => header(...kind)), pgp, old, ssh2]) {
    assertEquals(search(added(["x", line])), found(2), line);
    assertEquals(search(added([`  key: "${line}\\n`])), found(1), line);
    for (const encoding of ["le", "be", "32"] as const) {
      assertEquals(search(added([bytes(`\t${line}`, encoding)])), found(1), `${line} ${encoding}`);
    }
  }
});

Deno.test("findKeyHeaders: what is no header of a private key", () => {
  const lines = [
    header("RSA").replace("PRIVATE", "PUBLIC"),
    header("RSA").replace("BEGIN", "END"),
    header("RSA").toLowerCase(),
    header("RSA").replaceAll("-----", "--"),
    header("RSA").replace("KEY-----", "KEYS-----"),
    ["-----BEGIN", "CERTIFICATE-----"].join(" "),
    ["PRIVATE", "KEY"].join(" "),
    "P\0RIVATE",
  ];
  assertEquals(search(added(lines)), clean);
});

Deno.test("findKeyHeaders: removed lines and context do not count, added ones do", () => {
  const diff = (lines: readonly string[]) =>
    ["diff --git a/a b/a", "index 1234567..89abcde 100644", "--- a/a", "+++ b/a", ...lines, ""].join("\n");
  assertEquals(search(diff(["@@ -3 +2,0 @@", `-${RSA}`])), clean);
  assertEquals(search(diff(["@@ -3,2 +3,3 @@", ` ${RSA}`, "+x", " y"])), clean);
  assertEquals(search(diff(["@@ -3,2 +3,3 @@ f()", " x", `+${RSA}`, " y"])), found(4));
  assertEquals(search(diff(["@@ -1,2 +1,2 @@", `-${RSA}`, "-x", "+x", `+${RSA}`])), found(2));
  assertEquals(search(diff(["@@ -1 +0,0 @@", "-x", "@@ -9,0 +9,2 @@", "+x", `+${RSA}`])), found(10));
});

Deno.test("findKeyHeaders: lines of a file that look like those of a diff", () => {
  const like = [
    "++ b/other",
    "-- a/other",
    "@@ -1 +1 @@",
    "diff --git a/x b/x",
    " No newline",
    "* Unmerged path x",
  ];
  assertEquals(search(added([...like, RSA])), found(like.length + 1));
  const removed = [
    "diff --git a/a b/a",
    "index 1..2",
    "--- a/a",
    "+++ b/a",
    "@@ -1,2 +0,0 @@",
    "--- a/x",
    "-+++ b/x",
  ];
  assertEquals(search([...removed, added([RSA], "b")].join("\n")), found(1, "b"));
});

Deno.test("findKeyHeaders: no line feed at a file's end", () => {
  const note = "\\ No newline at end of file\n";
  assertEquals(search(added([RSA]), note, added(["x"], "b"), note), found(1));
  const both = [
    "diff --git a/a b/a",
    "index 1..2",
    "--- a/a",
    "+++ b/a",
    "@@ -1 +1 @@",
    "-x",
    note.trim(),
    `+${RSA}`,
  ];
  assertEquals(search(`${[...both, note.trim()].join("\n")}\n`), found(1));
});

Deno.test("findKeyHeaders: modes, submodules and deleted files are passed over", () => {
  const lines = [
    "diff --git a/a b/a",
    "old mode 100644",
    "new mode 100755",
    "diff --git a/s b/s",
    "new file mode 160000",
    "index 0000000..1234567",
    "--- /dev/null",
    "+++ b/s",
    "@@ -0,0 +1 @@",
    "+Subproject commit 0123456789abcdef",
    "diff --git a/d b/d",
    "deleted file mode 100644",
    "index 1234567..0000000",
    "--- a/d",
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    `-${RSA}`,
    "",
  ];
  assertEquals(search(lines.join("\n"), added([RSA], "last")), found(1, "last"));
});

Deno.test("findKeyHeaders: the same wherever the diff is cut", () => {
  const wide = bytes(RSA, "le");
  const diff = added(["x", RSA, "y", `  ${wide}`]) + added(["z", header("EC")], "b c\t") + added(["w"], "d");
  const whole = search(diff);
  assertEquals(whole.keys, [{ file: "a", line: 2 }, { file: "a", line: 4 }, { file: "b c", line: 2 }]);
  for (let at = 0; at <= diff.length; at++) {
    assertEquals(search(diff.slice(0, at), diff.slice(at)), whole, `${at}`);
  }
  assertEquals(search(...diff), whole);
  fc.assert(fc.property(fc.array(fc.nat(diff.length)), (cuts) => {
    const places = [0, ...cuts.sort((a, b) => a - b), diff.length];
    assertEquals(search(...places.slice(1).map((end, index) => diff.slice(places[index], end))), whole);
  }));
});

Deno.test("findKeyHeaders: a header anywhere in a line of 10 MB, once", () => {
  const size = 10_000_000;
  const piece = 65_536;
  const start = added(["first", "|"]).indexOf("|");
  for (const text of [RSA, bytes(RSA, "le"), bytes(RSA, "32")]) {
    // Where a piece ends: across it, before it and after it.
    const near = [2, 4].flatMap((pieces) =>
      [-900, -text.length, -10, 0, 10].map((distance) => pieces * piece - start + distance)
    );
    for (const at of [0, ...near, size - text.length]) {
      const line = "x".repeat(at) + text + "y".repeat(size - text.length - at);
      const diff = added(["first", line, "last"]);
      const pieces = Array.from(
        { length: Math.ceil(diff.length / piece) },
        (_, index) => diff.slice(index * piece, (index + 1) * piece),
      );
      assertEquals(search(...pieces), found(2), `at ${at}`);
      assertEquals(search(diff), found(2), `at ${at}, in one piece`);
    }
  }
});

Deno.test("findKeyHeaders: of very many keys a hundred are told and the others counted", () => {
  const { keys, more } = search(added(Array.from({ length: 1_000 }, () => RSA)));
  assertEquals([keys.length, more, keys.at(-1)?.line], [100, 900, 100]);
});

Deno.test("findKeyHeaders: counts the files of a merge that is not done", () => {
  assertEquals(search("* Unmerged path a\n", added([RSA]), "* Unmerged path b c\n"), {
    ...found(1),
    unmerged: 2,
  });
});

Deno.test("findKeyHeaders: a diff of another form is a problem, and never clean", () => {
  const whole = added(["x", "y"]);
  const broken: Record<string, string> = {
    "binary files": "diff --git a/a b/a\nindex 1..2\nBinary files a/a and b/a differ\n",
    "a binary patch": "diff --git a/a b/a\nindex 1..2\nGIT binary patch\n",
    "colours": "\u001b[1mdiff --git a/a b/a\u001b[m\n",
    "a combined diff": "diff --cc a\nindex 1,2..3\n--- a/a\n+++ b/a\n@@@ -1,1 -1,1 +1,1 @@@\n",
    "a rename": "diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n",
    "an external diff": "here is what changed\n",
    "a word diff": "diff --git a/a b/a\nindex 1..2\n--- a/a\n+++ b/a\n@@ -1 +1 @@\nx{+y+}\n",
    "a log of a submodule": "Submodule s 123..456:\n",
    "an empty line": "\n",
    "an empty line in a hunk":
      "diff --git a/a b/a\nindex 1..2\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n\n-x\n+y\n\n",
    "other marks for added lines": whole.replaceAll("\n+x", "\n>x"),
    "more lines than it says": "diff --git a/a b/a\nindex 1..2\n--- a/a\n+++ b/a\n@@ -1 +0,0 @@\n+y\n",
    "fewer lines than it says": whole.replace("+y\n", ""),
    "no line feed at its end": whole.slice(0, -1),
    "an end within its head": "diff --git a/a",
  };
  for (const [name, diff] of Object.entries(broken)) {
    assert(search(diff).problem !== undefined, name);
    assert(search(added([RSA], "first"), diff).problem !== undefined, name);
    assertEquals(search(added([RSA], "first"), diff).keys.length, 1, `${name}: what was found stays`);
  }
});

Deno.test("findKeyHeaders: takes any text and throws never", () => {
  const part = fc.constantFrom(
    "@@ -1 +1,2 @@",
    "+++ b/a",
    "--- a",
    "+",
    "-",
    " ",
    "\\ x",
    "\n",
    "diff --git ",
    RSA,
    "\0",
  );
  fc.assert(fc.property(fc.array(fc.oneof(part, fc.string({ unit: "binary" }))), (parts) => {
    search(...parts);
    search(parts.join("\n"));
  }));
});

Deno.test("unquote: names as git prints them", () => {
  const names: Record<string, string> = {
    "a b": "a b",
    '"a\\"b\\\\c"': 'a"b\\c',
    '"b/\\t\\n\\r\\a\\b\\v\\f"': "b/\t\n\r\u0007\b\v\f",
    '"\\303\\251"': "\u00e9",
    '"\\377"': "\ufffd",
    '"\\0011"': "\u00011",
  };
  for (const [printed, name] of Object.entries(names)) assertEquals(unquote(printed), name);
  assertEquals(search(added([RSA], "x").replace("+++ b/x", '+++ "b/\\303\\251\\n"')), found(1, "\u00e9\n"));
});
