import { assertEquals, assertThrows } from "@std/assert";
import { parseSums, SumsError } from "../../../lib/release/sums.ts";

const [A, B] = ["a".repeat(64), "0123456789abcdef".repeat(4)];

Deno.test("parseSums: digests by name, with one mark for text and one for binary", () => {
  const sums = parseSums(`${A}  nonzero\n${B} *hooks/pre tool..use.exe\n`);
  assertEquals([...sums], [["nonzero", A], ["hooks/pre tool..use.exe", B]]);
});

for (
  const [title, text, reason] of [
    ["nothing", "", "it is empty"],
    ["an empty line", "\n", "line 1 is no digest with a name"],
    ["a line that is cut short", `${A}  a\n${B}  b`, "its last line is cut short"],
    ["a digest that is too short", `${A.slice(1)}  a\n`, "line 1 is no digest with a name"],
    ["digits of another case", `${A.toUpperCase()}  a\n`, "line 1 is no digest with a name"],
    ["no name", `${A}  \n`, "line 1 is no digest with a name"],
    ["an escaped name", `\\${A}  a\\nb\n`, "line 1 is no digest with a name"],
    ["a name twice", `${A}  a\n${B}  a\n`, 'line 2 has "a" again'],
    ["line ends of Windows", `${A}  a\r\n`, "line 1 has a name that holds a control character"],
    ["a way up", `${A}  a\n${B}  ../a\n`, "line 2 has a name that leads elsewhere"],
    ["a way up within", `${A}  a/../../b\n`, "line 1 has a name that leads elsewhere"],
    ["a way up of Windows", `${A}  ..\\a\n`, "line 1 has a name that holds a backslash or a colon"],
    ["a drive", `${A}  C:a\n`, "line 1 has a name that holds a backslash or a colon"],
    ["an absolute name", `${A}  /etc/passwd\n`, "line 1 has a name that is absolute"],
    ["a second name of a file", `${A}  ./a\n`, "line 1 has a name that leads elsewhere"],
    ["an empty part", `${A}  a//b\n`, "line 1 has a name that leads elsewhere"],
    ["a colour", `${A}  a\x1b[31m\n`, "line 1 has a name that holds a control character"],
  ] as const
) {
  Deno.test(`parseSums: refuses ${title}`, () => {
    assertEquals(assertThrows(() => parseSums(text), SumsError).message, reason);
  });
}
