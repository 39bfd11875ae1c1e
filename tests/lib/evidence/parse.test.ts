/** The grammar of evidence; its single lines are in tests/cases/gates/evidence.json. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { isBlank, isBlankFile, judgeValue, parseEvidence } from "../../../lib/evidence/parse.ts";

type Parsed = ReturnType<typeof parseEvidence>;

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string): Parsed => parseEvidence(encode(text));

const key = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,12}$/);
const value = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .filter((text) => judgeValue(text) === undefined && !isBlank(text));
const entries = fc.uniqueArray(fc.record({ key, value }), {
  minLength: 1,
  maxLength: 12,
  selector: (entry) => entry.key.toLowerCase(),
});
/** Lines that say nothing. */
const silent = fc.oneof(
  fc.stringMatching(/^ {0,3}$/),
  fc.string({ unit: "grapheme" }).map((text) => `#${text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "")}`),
);
const lineEnd = fc.constantFrom("\n", "\r\n");

function entriesOf(parsed: Parsed): { key: string; value: string; line: number }[] {
  assert("entries" in parsed, JSON.stringify(parsed));
  return [...parsed.entries];
}

Deno.test("parseEvidence: takes any bytes, throws never, and says of each malformed line where it is", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: "binary", maxLength: 100 }).map(encode),
    fc.array(fc.constantFrom("a=b", "=", "#", " ", "\r", "\n", "\0", "\ufeff", "=a", "a=", "A=c", "\xa0"))
      .map((parts) => encode(parts.join(""))),
  );
  fc.assert(
    fc.property(bytes, (input) => {
      const parsed = parseEvidence(input);
      const lines = input.reduce((count, byte) => byte === 0x0a ? count + 1 : count, 1);
      const told = "entries" in parsed ? parsed.entries : parsed.malformed;
      assert("entries" in parsed || told.length > 0);
      told.forEach(({ line }, index) => {
        assert(Number.isInteger(line) && line >= 1 && line <= lines);
        assert(index === 0 || line > (told[index - 1]?.line ?? 0), "in order, each line once");
      });
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("parseEvidence: gives back the entries that a text was made of, with their lines", () => {
  fc.assert(fc.property(entries, fc.array(silent, { maxLength: 3 }), lineEnd, (wanted, notes, end) => {
    const text = [...notes, ...wanted.map(({ key, value }) => `${key}=${value}`)].join(end);
    const expected = wanted.map((entry, index) => ({ ...entry, line: notes.length + index + 1 }));
    for (const tail of ["", end]) assertEquals(entriesOf(parse(text + tail)), expected);
    assertEquals(entriesOf(parse(`\ufeff${text}`)), expected);
  }));
});

Deno.test("parseEvidence: LF and CRLF are alike", () => {
  const text = fc.array(
    fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), fc.constantFrom("a=b", "A=b", "=")),
  )
    .map((lines) => lines.map((line) => line.replaceAll(/[\r\n]/g, "")));
  fc.assert(fc.property(text, (lines) => assertEquals(parse(lines.join("\n")), parse(lines.join("\r\n")))));
});

Deno.test("parseEvidence: the order of lines does not matter", () => {
  const shuffled = entries.chain((wanted) =>
    fc.tuple(fc.constant(wanted), fc.shuffledSubarray(wanted, { minLength: wanted.length }))
  );
  const textOf = (wanted: readonly { key: string; value: string }[]) =>
    wanted.map(({ key, value }) => `${key}=${value}\n`).join("");
  const pairs = (parsed: Parsed) => entriesOf(parsed).map(({ key, value }) => `${key}=${value}`).sort();
  fc.assert(fc.property(shuffled, ([wanted, other]) => {
    assertEquals(pairs(parse(textOf(wanted))), pairs(parse(textOf(other))));
  }));
});

Deno.test("parseEvidence: a duplicate refuses wherever it stands, however it is written", () => {
  const cased = (text: string, flips: readonly boolean[]) =>
    [...text].map((letter, at) => flips[at % flips.length] ? letter.toUpperCase() : letter.toLowerCase())
      .join("");
  const flips = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 });
  fc.assert(fc.property(entries, fc.nat(), fc.nat(), flips, value, (wanted, from, to, flips, other) => {
    const lines = wanted.map(({ key, value }) => `${key}=${value}`);
    const twice = cased(wanted[from % wanted.length]?.key ?? "", flips);
    lines.splice(to % (lines.length + 1), 0, `${twice}=${other}`);
    const parsed = parse(lines.join("\n"));
    assert("malformed" in parsed);
    assertEquals(parsed.malformed.length, 1);
    assert(/^duplicate key "/.test(parsed.malformed[0]?.reason ?? ""));
  }));
});

Deno.test("parseEvidence: one bad line spoils all, and each is told", () => {
  const bad = fc.constantFrom(
    "nothing",
    "=a",
    "a =b",
    "a= b",
    "a=b ",
    "a=",
    "1a=b",
    "a\tb=c",
    "a=b\u200b",
    "a=\rb",
    "a=\0",
  );
  fc.assert(fc.property(entries, fc.array(bad, { minLength: 1, maxLength: 5 }), (wanted, lines) => {
    const parsed = parse([...wanted.map(({ key, value }) => `${key}=${value}`), ...lines].join("\n"));
    assert("malformed" in parsed);
    assertEquals(parsed.malformed.map(({ line }) => line), lines.map((_, at) => wanted.length + at + 1));
  }));
});

Deno.test("parseEvidence: a file as large as one may be is read in time", () => {
  const limit = 1024 * 1024;
  const start = performance.now();
  for (const line of ["\n", "x\n", "#\n", "a=b\n", " \n", "\r\n", "=", " ", "\u00e9=\n"]) {
    parse(line.repeat(Math.floor(limit / line.length)));
    parseEvidence(new Uint8Array([...encode(line.repeat(100_000)), 0xff]));
  }
  assert(performance.now() - start < 10_000);
});

Deno.test("judgeValue: whatever does not show, or shows as a plain space, is no part of a value", () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    // Whole planes are of one kind: a few of their characters will do.
    if (code > 0x20000 && code % 251 !== 0) continue;
    const character = String.fromCodePoint(code);
    if (!/[\p{C}\p{Z}\u{1d159}\u{13441}\u{13442}\u{16fe4}]/u.test(character) || character === " ") continue;
    assert(judgeValue(`a${character}b`) !== undefined, `U+${code.toString(16)}`);
    assert(isBlank(character), `U+${code.toString(16)}`);
  }
});

Deno.test("judgeValue: a mark needs a letter before it", () => {
  for (const mark of ["\u0301", "\u0489", "\u{1d165}"]) {
    assert(judgeValue(`${mark}passed`) !== undefined);
    assertEquals(judgeValue(`a${mark}`), undefined);
  }
});

Deno.test("parseEvidence: a comment has nothing in it that others may end a line at", () => {
  for (const end of ["\v", "\f", "\x1c", "\x1e", "\u0085", "\u2028", "\u2029", "\x1b", "\x7f"]) {
    const parsed = parse(`a=b\n# x${end}status=failed\n`);
    assert("malformed" in parsed, JSON.stringify(end));
    assertEquals(parsed.malformed, [{ line: 2, reason: "a control character in a comment" }]);
  }
  assertEquals(entriesOf(parse("#\tx\u00a0\u200b\na=b")).length, 1);
});

Deno.test("judgeValue: letters, marks, numbers, punctuation and symbols of any script are", () => {
  for (
    const text of [
      "a",
      "\u00e9",
      "e\u0301",
      "\u6e2c",
      "\u0939\u093f\u0928\u094d\u0926\u0940",
      "\u{1f600}",
      "~!@#$%^&*()=",
      "a b",
    ]
  ) {
    assertEquals(judgeValue(text), undefined, text);
  }
});

Deno.test("isBlank: a text with one letter is not", () => {
  const blank = fc.array(
    fc.constantFrom(" ", "\t", "\r", "\n", "\0", "\ufeff", "\u200b", "\u00a0", "\u3000", "\u2800"),
  ).map((
    parts,
  ) => parts.join(""));
  fc.assert(fc.property(blank, blank, (before, after) => {
    assert(isBlank(before + after));
    assert(isBlankFile(encode(before + after)));
    assert(!isBlank(`${before}x${after}`));
    assert(!isBlankFile(encode(`${before}x${after}`)));
  }));
});
