import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { applyEdits } from "../../../lib/run/edits.ts";

const edit = (old: string, fresh: string, all = false) => ({ old, new: fresh, all });

Deno.test("applyEdits: the first place alone, or all", () => {
  assertEquals(applyEdits("a a a", [edit("a", "b")]), ["b a a"]);
  assertEquals(applyEdits("a a a", [edit("a", "b", true)]), ["b b b"]);
});

Deno.test("applyEdits: one after the other", () =>
  assertEquals(applyEdits("a", [edit("a", "bc"), edit("bc", "d")]), ["d"]));

Deno.test("applyEdits: what is not there does not apply", () => {
  assertEquals(applyEdits("a", [edit("b", "c")]), []);
  assertEquals(applyEdits("a", [edit("a", "b"), edit("a", "c", true)]), []);
});

Deno.test("applyEdits: nothing is taken out of an empty file alone", () => {
  assertEquals(applyEdits("", [edit("", "new")]), ["new"]);
  assertEquals(applyEdits("text", [edit("", "new")]), []);
});

Deno.test("applyEdits: the new text is no pattern", () => {
  for (const all of [false, true]) assertEquals(applyEdits("a", [edit("a", "$& $1 $$", all)]), ["$& $1 $$"]);
});

Deno.test("applyEdits: line ends match each other", () => {
  assertEquals(applyEdits("a\r\nb\r\n", [edit("a\nb", "c")]), ["c\n"]);
  assertEquals(applyEdits("a\nb\n", [edit("a\r\nb", "c\r\nd")]), ["c\nd\n"]);
});

Deno.test("applyEdits: replacing a piece by itself changes nothing but line ends", () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), fc.boolean(), (a, b, c, all) => {
      const text = (a + b + c).replaceAll("\r\n", "\n");
      assertEquals(applyEdits(a + b + c, [edit(b, b, all)]), [text]);
    }),
  );
});

Deno.test("applyEdits: a file of white space alone counts as empty", () =>
  assertEquals(applyEdits("\n \n", [edit("", "new")]), ["new"]));

Deno.test("applyEdits: curly and plain quotes match each other", () => {
  assertEquals(applyEdits("say \u2018a\u2019", [edit("'a'", "b")]), ["say b"]);
  assertEquals(applyEdits('say "a"', [edit("\u201ca\u201d", "b")]), ["say b"]);
});

Deno.test("applyEdits: what is taken out may take its line end with it", () =>
  assertEquals(applyEdits("a,Q\nb", [edit("Q", "")]), ["a,\nb", "a,b"]));

Deno.test("applyEdits: growth is bounded", () => {
  const growing = Array.from({ length: 60 }, () => edit("h", "h".repeat(100), true));
  assertEquals(applyEdits("h", growing), []);
});
