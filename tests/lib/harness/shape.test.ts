import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { strings } from "../../../lib/harness/shape.ts";

const byField = (found: readonly { field: string; text: string }[]) =>
  Object.fromEntries(found.map(({ field, text }) => [field, text]));

Deno.test("strings: every string and key with where it stands", () =>
  assertEquals(byField(strings({ a: "x", b: ["y", { c: "z" }], d: 1, e: { f: null } }, "p")), {
    "p.a": '"a": "x"',
    "p.b": "b",
    "p.b[0]": "y",
    "p.b[1].c": '"c": "z"',
    "p.d": "d",
    "p.e": "e",
    "p.e.f": "f",
  }));

Deno.test("strings: what is passed over keeps its key", () =>
  assertEquals(byField(strings({ old: "x", new: "y" }, "p", (key) => key === "old")), {
    "p.old": "old",
    "p.new": '"new": "y"',
  }));

Deno.test("strings: nothing of a JSON value is missed", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const wanted: string[] = [];
    JSON.stringify(value, (key, inner) => {
      if (typeof inner === "string") wanted.push(inner);
      if (key !== "") wanted.push(/^\d+$/.test(key) ? "" : key);
      return inner;
    });
    const all = strings(value, "p").map(({ text }) => text).join("\n");
    assertEquals(wanted.filter((text) => !all.includes(text)), []);
  }));
});

Deno.test("strings: depth does not matter", () => {
  let value: unknown = "deep";
  for (let at = 0; at < 100_000; at++) value = at % 2 ? [value] : { k: value };
  const found = strings(value, "p");
  assertEquals(found.some(({ text }) => text.includes("deep")), true);
});
