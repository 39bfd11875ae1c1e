import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { readJson } from "../../../lib/doctor/json.ts";

Deno.test("readJson: is strict as JSON.parse is, and never throws", () => {
  const soup = fc.array(
    fc.constantFrom(..."{}[]\":,\\/ \n\t*'0a-tfn".split(""), "true", "null", '"a"', "//", "/*"),
  ).map((
    parts,
  ) => parts.join(""));
  const json = fc.json();
  fc.assert(
    fc.property(fc.oneof(soup, json, fc.string()), (text) => {
      let strict: unknown;
      let fits = true;
      try {
        strict = JSON.parse(text);
      } catch {
        fits = false;
      }
      const read = readJson(text);
      assertEquals(read.problem === undefined, fits, JSON.stringify(text));
      if (fits && !read.duplicate) assertEquals(JSON.stringify(read.value), JSON.stringify(strict));
    }),
    { numRuns: 3000 },
  );
});

Deno.test("readJson: says where it is not JSON, and reads it all the same where it can", () => {
  const read = readJson('{\n  "a": 1, // mine\n}');
  assertEquals([read.problem?.line, read.problem?.column, read.value], [2, 11, { a: 1 }]);
  assertEquals(readJson('{"a":1,\n}').value, { a: 1 });
  assertEquals(readJson('{"a":').value, undefined);
});

Deno.test("readJson: a key that stands twice, at any depth", () => {
  assertEquals(readJson('{"a":1,\n"a":2}').duplicate, { key: "a", line: 2 });
  assertEquals(readJson('[{"b":{"c":1,\n\n"\\u0063":2}}]').duplicate, { key: "c", line: 3 });
  assertEquals(readJson('[{"a":1},{"a":1}]').duplicate, undefined);
});

Deno.test("readJson: nesting without end is a problem, not a crash", () => {
  assertEquals(readJson("[".repeat(1_000_000)).problem?.message, "It nests too deep.");
  assertEquals(readJson(`${"[".repeat(150)}${"]".repeat(150)}`).problem, undefined);
  // The client reads what nests deeper: a key that stands twice counts as it does there.
  const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
  const { value, problem } = readJson(`{"a": 1, "b": ${deep}, "a": 2}`);
  assertEquals([problem, (value as { a: unknown }).a], [undefined, 2]);
  assertEquals(readJson(JSON.stringify("[".repeat(1000))).problem, undefined);
});
