import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { globProblem, matchGlob } from "../../../lib/paths/glob.ts";

const covers = (path: string, glob: string) => matchGlob(path.split("/"), glob);

const CASES: readonly (readonly [glob: string, path: string, covered: boolean])[] = [
  ["a.json", "a.json", true],
  ["a.json", "deep/down/a.json", true],
  ["a.json", "a.json/b", true],
  ["out/", "out/a/b", true],
  ["out/", "deep/out/a", true],
  ["/out/", "deep/out/a", false],
  ["out", "out/a/b", true],
  ["a/b", "a/b/c", true],
  ["a/b", "x/a/b/c", false],
  ["a.json", "xa.json", false],
  ["/a.json", "a.json", true],
  ["/a.json", "deep/a.json", false],
  ["./a.json", "a.json", true],
  ["out/*", "out/a", true],
  ["out/*", "out/a/b", false],
  ["out/*", "out", false],
  ["out/**", "out/a/b/c", true],
  ["out/**", "out", true],
  ["out/**", "outer/a", false],
  ["**/x", "x", true],
  ["**/x", "a/b/x", true],
  ["**/x", "a/b/y", false],
  ["a/**/z", "a/z", true],
  ["a/**/z", "a/b/c/z", true],
  ["a/**/z", "a/b/c/y", false],
  ["**", "a/b", true],
  ["*.json", "a/b.json", true],
  ["out/*.json", "out/.json", true],
  ["out/a?c", "out/abc", true],
  ["out/a?c", "out/ac", false],
  ["out/a*c*e", "out/abcde", true],
  ["out/a*c*e", "out/abcdf", false],
  ["out/[ab]", "out/a", false],
  ["out/[ab]", "out/[ab]", true],
  ["out/{a,b}", "out/a", false],
  ["out/a+", "out/aa", false],
  ["out//a", "out/a", true],
  ["", "a", false],
  ["/", "a", false],
  ["A", "a", false],
];

Deno.test("matchGlob: cases", () => {
  for (const [glob, path, covered] of CASES) assertEquals(covers(path, glob), covered, `${glob} on ${path}`);
});

Deno.test("matchGlob: a name covers itself, wherever it lies", () => {
  const name = fc.string({ minLength: 1 }).filter((text) => !/[/*?.]/.test(text));
  fc.assert(fc.property(fc.array(name, { minLength: 1 }), (names) => {
    assert(covers(names.join("/"), names.join("/")));
    assert(covers(["up", ...names].join("/"), `**/${names.join("/")}`));
  }));
});

Deno.test("matchGlob: a glob that would make a regular expression run for ever ends", () => {
  const stars = Array.from({ length: 200 }, () => "**").join("/");
  assertEquals(matchGlob(Array.from({ length: 2_000 }, () => "a"), `${stars}/b`), false);
  assertEquals(matchGlob(["a".repeat(20_000)], `x/${"*a".repeat(200)}b`), false);
});

Deno.test("globProblem: what would not mean what it seems to", () => {
  for (
    const glob of ["", " ", "/", "./", " a", "a ", "{a,b}/**", "[ab]", "!a", "a\\b", "~/a", "../a", "a/../b"]
  ) {
    assert(globProblem(glob) !== undefined, glob);
  }
  for (const glob of ["a", "/a", "./a", "a/", "**", "a/**/b?.json", ".a", "a..b"]) {
    assertEquals(globProblem(glob), undefined);
  }
});
