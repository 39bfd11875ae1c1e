import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { redact, scan } from "../../../lib/secrets/scan.ts";
import { expand } from "../../expand.ts";
import { cases, texts } from "./corpus.ts";

const ids = (text: string) => scan(text).map(({ id }) => id);
const TOKEN = expand("ghp_{alnum:36}");
const KEY = expand("AKIA{upnum:16}");

/** Text in which secrets may well stand: pieces of every case among noise. */
const noise = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme-ascii" }),
  fc.array(fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code))).map((all) =>
    all.join("")
  ),
);
const piece = fc.constantFrom(...texts().map(({ text }) => text).filter(({ length }) => length < 2_000));
const mixture = fc.array(
  fc.oneof(noise, piece, fc.constantFrom("\n", "\r\n", " ", '"', "=", "://", "password")),
)
  .map((parts) => parts.join(""));

Deno.test("scan: nothing in empty and plain text", () => {
  assertEquals(scan(""), []);
  assertEquals(scan("To be, or not to be, that is the question:\n".repeat(50)), []);
});

Deno.test("scan: says which kind, on which line, from where to where", () => {
  const text = `one\ntwo ${TOKEN}\n`;
  assertEquals(scan(text), [{ id: "github-token", line: 2, start: 8, end: 8 + TOKEN.length }]);
});

Deno.test("scan: several in order of place, each on its line", () => {
  const text = `${KEY}\n\n${TOKEN} ${KEY}\n${TOKEN}`;
  assertEquals(scan(text).map(({ id, line }) => [id, line]), [
    ["aws-access-key-id", 1],
    ["github-token", 3],
    ["aws-access-key-id", 3],
    ["github-token", 4],
  ]);
});

Deno.test("scan: LF, CRLF and CR each end a line, and a written escape does not", () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    assertEquals(scan(`a${end}${end}b ${TOKEN}`)[0]?.line, 3, JSON.stringify(end));
  }
  assertEquals(scan(`a\r\n\rb\n\r${TOKEN}`)[0]?.line, 5);
  assertEquals(scan(`a\\n\\n${TOKEN}`)[0]?.line, 1);
});

Deno.test("scan: a token is read whole, so what only ends like one begins none", () => {
  for (const before of ["a", "Z", "0", "_", "-", "task", "my_"]) {
    assertEquals(ids(before + TOKEN), [], before);
  }
  for (
    const before of [
      "",
      " ",
      '"',
      "'",
      "`",
      "=",
      ":",
      "/",
      ".",
      "(",
      "[",
      ">",
      "+",
      "é",
      "名",
      "\0",
      "\ud800",
    ]
  ) {
    assertEquals(ids(before + TOKEN), ["github-token"], before);
  }
});

Deno.test("scan: an escape before a token is no part of it", () => {
  for (
    const before of ["\\n", "\\t", "\\r", "\\\\n", "\\x22", "\\u0022", "\\u003D", "%20", "%3D", "\u001b[31m"]
  ) {
    assertEquals(ids(`text${before}${TOKEN}`), ["github-token"], before);
  }
  for (const before of ["\\u001b[1;32m", "\\x1b[0m", "\\e[0m", "\\033[32m"]) {
    assertEquals(ids(`text${before}${TOKEN}`), ["github-token"], before);
  }
});

Deno.test("scan: a token that goes on is none of a fixed length", () => {
  assertEquals(ids(`${KEY}A`), []);
  for (const after of ["", " ", '"', "\\n", "-", "_", ".", "/", "%22", "é"]) {
    assertEquals(ids(KEY + after), ["aws-access-key-id"], after);
  }
});

Deno.test("scan: one character repeated is no secret, EXAMPLE in a token is one", () => {
  assertEquals(ids("ghp_" + "x".repeat(36)), []);
  assertEquals(ids("AKIA" + "0".repeat(16)), []);
  assertEquals(ids(`AKIA${"QWERTYUI"}OEXAMPLE`), ["aws-access-key-id"]);
});

Deno.test("scan: what a vendor published is no secret, nor is it one where it is assigned", () => {
  assertEquals(ids('api_key = "AKIAIOSFODNN7EXAMPLE"'), []);
  assertEquals(ids(`api_key: "sk_test_${"4eC39"}HqLyjWDarjtT1zdp7dc"`), []);
  assertEquals(ids(`https://me:ghp_${"16C7e42F292c6912E7710c838347Ae178B4a"}@host.internal`), []);
});

Deno.test("scan: what only contains a repeated or published token may be one", () => {
  assertEquals(ids(`token = "AKIA${"0".repeat(16)}/${expand("{alnum:30}")}"`), ["generic-assignment"]);
  assertEquals(ids(`token = "AKIA${"0".repeat(16)}"`), []);
  assertEquals(ids(`password="${expand("{alnum:20}")}" AKIAIOSFODNN7EXAMPLE`), ["generic-assignment"]);
});

Deno.test("scan: matches that overlap are one, of the more specific kind", () => {
  assertEquals(ids(`api_key = "${TOKEN}"`), ["github-token"]);
  assertEquals(ids(`https://me:${TOKEN}@github.com`), ["github-token"]);
  const jwt = expand("eyJ{base64url:30}.eyJ{base64url:60}.{base64url:43}");
  assertEquals(ids(`Authorization: Bearer ${jwt}`), ["json-web-token"]);
  assertEquals(ids(expand("sk-ant-api03-{base64url:93}AA")), ["anthropic-key"]);
  const text = `token="/${TOKEN}/${expand("{alnum:30}")}"`;
  assertEquals(scan(text), [{ id: "github-token", line: 1, start: 7, end: text.length - 1 }]);
  const longer = `token="${KEY}-${expand("{alnum:30}")}"`;
  assertEquals(scan(longer), [{ id: "aws-access-key-id", line: 1, start: 7, end: longer.length - 1 }]);
});

Deno.test("scan: a private key reaches to its end, or through what is left of it", () => {
  const header = `-----BEGIN ${"RSA PRIVATE"} KEY-----`;
  const body = expand("\n{base64:64}\n{base64:64:b}\n");
  const whole = `${header}${body}-----END RSA PRIVATE KEY-----`;
  assertEquals(scan(`a ${whole}\nb`), [{ id: "private-key", line: 1, start: 2, end: 2 + whole.length }]);
  assertEquals(redact(`a ${whole}\nb`), "a [redacted private-key]\nb");
  assertEquals(redact(`${header}${body}and text`), "[redacted private-key]\nand text");
  assertEquals(redact(`"${header}${body.replaceAll("\n", "\\n")}"`), '"[redacted private-key]\\n"');
  assertEquals(redact(`${header} and text`), "[redacted private-key] and text");
  assertEquals(ids(`${whole}\n${whole}`), ["private-key", "private-key"]);
  const far = `${header} and ${"words ".repeat(5_000)}-----END RSA PRIVATE KEY-----`;
  assertEquals(scan(far), [{ id: "private-key", line: 1, start: 0, end: header.length }]);
});

Deno.test("scan: a private key does not reach over a NUL, which parts texts", () => {
  const header = `-----BEGIN ${"EC PRIVATE"} KEY-----`;
  assertEquals(ids(`${header}\n\0\n${TOKEN}\n-----END EC PRIVATE KEY-----`), ["private-key", "github-token"]);
});

Deno.test("scan: finds the same in a short text as in a long one", () => {
  const padding = `${"lorem ipsum ".repeat(800)}\n`;
  for (const { name, text } of texts()) {
    const long = scan(padding + text).map(({ id, line, start, end }) => ({
      id,
      line: line - 1,
      start: start - padding.length,
      end: end - padding.length,
    }));
    assertEquals(long, scan(text), name);
  }
});

Deno.test("scan: letters whose lower case is longer do not shift what follows", () => {
  const text = `İİİ PASSWORD = "${expand("{alnum:24}")}"`;
  assertEquals(scan(text), [{ id: "generic-assignment", line: 1, start: 16, end: 40 }]);
});

Deno.test("scan: total, and matches lie in the text in order and apart", () => {
  fc.assert(
    fc.property(mixture, (text) => {
      let last = 0;
      let line = 1;
      for (const match of scan(text)) {
        assert(match.start >= last && match.end > match.start && match.end <= text.length);
        assert(match.line >= line);
        assertEquals(match.line, text.slice(0, match.start).split(/\r\n|[\r\n]/).length);
        ({ end: last, line } = match);
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("scan: finds every positive in any surroundings that do not touch it", () => {
  const positive = fc.constantFrom(
    ...cases().flatMap(({ id, positives }) => positives.map((template) => ({ id, text: expand(template) }))),
  );
  const around = fc.string({ unit: fc.constantFrom(..."abcXYZ019 .,;:!?()[]{}<>/\\|+*~é名\t\n") });
  const edge = fc.constantFrom(" ", "\n", "\r\n", '"', "'", "\t");
  fc.assert(
    fc.property(around, edge, positive, edge, around, (before, left, { id, text }, right, after) => {
      const found = ids(before + left + text + right + after);
      assert(found.includes(id), `${id}, but found ${found}`);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("redact: puts the kind in the place of each secret and leaves the rest", () => {
  assertEquals(redact(`a ${TOKEN} b\n${KEY}.`), "a [redacted github-token] b\n[redacted aws-access-key-id].");
  assertEquals(redact("nothing here"), "nothing here");
});

Deno.test("redact: leaves no secret", () => {
  for (const { name, text } of texts()) assertEquals(ids(redact(text)), [], name);
  fc.assert(fc.property(mixture, (text) => assertEquals(ids(redact(text)), [])), { numRuns: 500 });
});

Deno.test("scan: a long text with characters of any width holds the same secrets at the same places", () => {
  const secret = expand("ghp_{alnum:36}");
  const filler = "const a = b; // naïve – … 名前 😀\u3000\ud800\n".repeat(3_000);
  const short = `…\u3000${secret}\u2003…`;
  for (const text of [filler + short + filler, filler.replaceAll(/[^\0-\x7f]/g, "x") + short]) {
    const at = text.indexOf(secret);
    const line = text.slice(0, at).split("\n").length;
    assertEquals(scan(text), [{ id: "github-token", line, start: at, end: at + secret.length }]);
    assertEquals(scan(text.replace(secret, "")), []);
  }
});
