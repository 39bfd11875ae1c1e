import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { BOM, countLines, encode, fromFile, lineEnd, toFile } from "../../../lib/install/bytes.ts";
import { InstallError } from "../../../lib/install/error.ts";
import { BEGIN, END, getSection, putSection, takeSection } from "../../../lib/install/section.ts";

const LINES = ["## Ours", "", "- one", "- two"];

/** What people have in memory files, and what looks like a marker and is none. */
const line = fc.oneof(
  fc.constantFrom(
    "",
    "# Title",
    "- point",
    "    indented",
    "~~~",
    "```ts",
    "```",
    "text \xe9\xff",
    ` see ${BEGIN}`,
    `    ${BEGIN}`,
    `\`${END}\``,
    "a\rb",
    "\r",
    "\t",
  ),
  fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte)),
    maxLength: 12,
  }),
);

const memory = fc.record({
  bom: fc.boolean(),
  lines: fc.array(fc.tuple(line, fc.constantFrom("\n", "\n", "\r\n")), { maxLength: 12 }),
  last: fc.oneof(fc.constant(""), line),
}).map(({ bom, lines, last }) => (bom ? BOM : "") + lines.map(([text, end]) => text + end).join("") + last);

/** A file that an install does not refuse. */
const takes = memory.filter((bytes) => {
  try {
    putSection(bytes, LINES);
    return true;
  } catch (error) {
    assert(error instanceof InstallError);
    return false;
  }
});

Deno.test("putSection: what takeSection takes out leaves the very bytes", () =>
  fc.assert(
    fc.property(takes.filter((bytes) => getSection(bytes) === undefined), (bytes) => {
      const put = putSection(bytes, LINES);
      assert(put.startsWith(bytes) && put !== bytes);
      assertEquals(takeSection(put), bytes);
    }),
    { numRuns: 2000 },
  ));

Deno.test("putSection: again changes nothing, and other lines only what is between the markers", () =>
  fc.assert(
    fc.property(takes, fc.array(fc.constantFrom("", "x", "- y")), (bytes, other) => {
      const put = putSection(bytes, LINES);
      assertEquals(putSection(put, LINES), put);
      const [before, after] = [put.slice(0, put.indexOf(BEGIN)), put.slice(put.lastIndexOf(END))];
      const replaced = putSection(put, other);
      assert(replaced.startsWith(before) && replaced.endsWith(after));
      assertEquals(putSection(replaced, LINES), put);
    }),
    { numRuns: 1000 },
  ));

Deno.test("putSection: a section has the line ends of its file", () => {
  assert(!/[^\r]\n/.test(putSection("a\r\nb", LINES)));
  assert(!putSection("a\nb", LINES).includes("\r"));
  const put = putSection("a\r\n", LINES);
  assertEquals(putSection(put.replaceAll("\r\n", "\n"), LINES), put.replaceAll("\r\n", "\n"));
});

Deno.test("putSection: stands alone in a file without content, and after a BOM", () => {
  const alone = [BEGIN, ...LINES, END, ""].join("\n");
  assertEquals(putSection("", LINES), alone);
  assertEquals(putSection(BOM, LINES), BOM + alone);
  assertEquals(putSection(BOM + alone, ["x"]), `${BOM}${BEGIN}\nx\n${END}\n`);
});

Deno.test("putSection: text before, after and inside another code fence is the user's", () => {
  const fenced = "```md\n" + `${BEGIN}\nkept\n${END}\n` + "```\n";
  const put = putSection(fenced, LINES);
  assert(put.startsWith(fenced));
  assertEquals(getSection(put), [BEGIN, ...LINES, END].join("\n"));
  assertEquals(getSection(fenced), undefined);
  const around = `a\n${BEGIN}\nold\n${END}\nb \n`;
  assertEquals(putSection(around, ["new"]), `a\n${BEGIN}\nnew\n${END}\nb \n`);
});

const REFUSED: readonly (readonly [name: string, bytes: string, message: string])[] = [
  ["an end alone", `a\n${END}\n`, "line 2: <!-- nonzero:end --> without"],
  ["an end before the begin", `${END}\n${BEGIN}\n`, "line 1: <!-- nonzero:end --> without"],
  ["a begin alone", `a\nb\n${BEGIN}\nc`, "line 3: <!-- nonzero:begin --> without"],
  ["nested", `${BEGIN}\n${BEGIN}\n${END}\n${END}\n`, "line 2: <!-- nonzero:begin --> again, inside"],
  ["two sections", `${BEGIN}\n${END}\n\n${BEGIN}\n${END}\n`, "line 4: <!-- nonzero:begin --> after"],
  ["two ends", `${BEGIN}\n${END}\n${END}\n`, "line 3: <!-- nonzero:end --> after"],
  ["CRLF", `a\r\n${END}\r\n`, "line 2: "],
  ["an open fence", "a\n```\nb\n", "line 2: a code fence that is never closed"],
  ["a fence closed by a shorter one", "````\n```\n", "line 1: a code fence"],
  ["a fence of the other kind", "~~~\n```\n", "line 1: a code fence"],
  ["UTF-16", "\xff\xfea\0", "is UTF-16"],
];

for (const [name, bytes, message] of REFUSED) {
  Deno.test(`putSection: refuses ${name}, and says where`, () => {
    assertThrows(() => putSection(bytes, LINES), InstallError, message);
  });
}

Deno.test("takeSection: no markers, nothing to take", () => {
  assertEquals(takeSection("a\n"), "a\n");
  assertThrows(() => takeSection(`${BEGIN}\n`), InstallError, "line 1: ");
});

Deno.test("takeSection: what was written after it joins what was before", () =>
  assertEquals(takeSection(`${putSection("a\n", LINES)}b\n`), "a\nb\n"));

Deno.test("fromFile and toFile: any bytes come back", () =>
  fc.assert(fc.property(fc.uint8Array({ maxLength: 20_000 }), (content) => {
    assertEquals(toFile(fromFile(content)), Uint8Array.from(content));
  })));

Deno.test("lineEnd and countLines", () => {
  assertEquals(["", "a", "a\n", "a\r\nb\r\n", "a\r\nb\n", "a\rb"].map(lineEnd), [
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\n",
    "\n",
  ]);
  assertEquals(["", "a", "a\n", "a\n\n", "a\r\nb", "\n"].map(countLines), [0, 1, 1, 2, 2, 1]);
  assertEquals(encode("é"), "\xc3\xa9");
});
