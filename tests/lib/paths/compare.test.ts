import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Platform } from "../../../lib/contract/hook.ts";
import { foldForGuard, isInside, relativeSegments, segments } from "../../../lib/paths/compare.ts";
import { joinPath, parsePath } from "../../../lib/paths/parse.ts";
import data from "../../cases/paths/compare.json" with { type: "json" };

interface Relative {
  readonly on: Platform;
  readonly path: string;
  readonly folder: string;
  readonly is: readonly string[] | null;
}

for (const { on, path, folder, is } of data.relative as readonly Relative[]) {
  Deno.test(`relativeSegments: ${on}, ${JSON.stringify(path)} in ${JSON.stringify(folder)}`, () => {
    assertEquals(relativeSegments(path, folder, on), is ?? undefined);
    assertEquals(isInside(path, folder, on), is !== null);
  });
}

for (const { name, folded } of data.guard) {
  Deno.test(`foldForGuard: ${JSON.stringify(name)}`, () => assertEquals(foldForGuard(name), folded));
}

const platforms = fc.constantFrom<Platform>("linux", "darwin", "windows");
const name = fc.oneof(
  fc.constantFrom(
    "a",
    "A",
    "b",
    "é",
    "e\u0301",
    "É",
    "k",
    "\u212a",
    "s",
    "\u017f",
    "i",
    "\u0131",
    "\u0130",
    "ß",
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 }),
).filter((text) => !/[/\\]|^\.+$/.test(text) && parsePath(text, "windows").kind === "relative");
const parts = fc.array(name, { maxLength: 4 });

function build(segments: readonly string[], platform: Platform): string {
  return joinPath(platform === "windows" ? "C:\\" : "/", segments, platform);
}

Deno.test("isInside: a folder holds itself and all that is joined to it", () => {
  fc.assert(fc.property(platforms, parts, parts, (platform, folder, below) => {
    const outer = build(folder, platform);
    if (segments(outer, platform) === undefined) return;
    const inner = build([...folder, ...below], platform);
    if (segments(inner, platform) === undefined) return;
    assert(isInside(outer, outer, platform));
    assertEquals(relativeSegments(inner, outer, platform), below);
  }));
});

Deno.test("isInside: what is inside what is inside is inside", () => {
  fc.assert(fc.property(platforms, parts, parts, parts, (platform, one, two, three) => {
    const [a, b, c] = [build(one, platform), build([...one, ...two], platform), build(three, platform)];
    for (const [x, y, z] of [[a, b, c], [c, b, a], [b, a, c], [a, c, b], [b, c, a], [c, a, b]] as const) {
      if (isInside(x, y, platform) && isInside(y, z, platform)) assert(isInside(x, z, platform));
    }
  }));
});

Deno.test("isInside: a name that another one begins with is another folder", () => {
  fc.assert(fc.property(platforms, parts, name, name, (platform, folder, last, more) => {
    const outer = build([...folder, last], platform);
    assert(!isInside(build([...folder, last + more, "x"], platform), outer, platform));
  }));
});

Deno.test("isInside: two names that Windows or macOS tell apart when they compare case are never one ASCII name", () => {
  let checked = 0;
  for (let code = 0x80; code < 0x10000; code++) {
    const character = String.fromCharCode(code);
    const forms = character.toLowerCase() + character.toUpperCase() + character.normalize("NFC");
    for (const letter of ["i", "k", "s"]) {
      if (!forms.toLowerCase().includes(letter)) continue;
      for (const platform of ["windows", "darwin"] as const) {
        assert(!isInside(build([character], platform), build([letter], platform), platform), character);
        checked++;
      }
    }
  }
  assert(checked >= 8);
});

Deno.test("foldForGuard: takes every name that isInside takes for the same to the same", () => {
  fc.assert(fc.property(platforms, name, name, (platform, one, other) => {
    for (const variant of [other, one.toUpperCase(), one.toLowerCase(), one.normalize("NFD")]) {
      if (isInside(build([variant], platform), build([one], platform), platform)) {
        assertEquals(foldForGuard(variant), foldForGuard(one));
      }
    }
  }));
});

Deno.test("foldForGuard: is total and changes nothing more the second time", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const folded = foldForGuard(text);
    assertEquals(foldForGuard(folded), folded);
  }));
});
