import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import type { Platform } from "../../../lib/contract/hook.ts";
import { disk as realDisk } from "../../../lib/io/disk.ts";
import { isInside, segments } from "../../../lib/paths/compare.ts";
import { resolve, resolveFolder } from "../../../lib/paths/resolve.ts";
import data from "../../cases/paths/resolve.json" with { type: "json" };
import { fakeDisk, type Tree } from "./fake-disk.ts";

interface Case {
  readonly on: Platform;
  readonly written: string;
  readonly cwd?: string;
  /** null: not known. */
  readonly home?: string | null;
  readonly readings?: readonly string[];
  readonly textual?: string;
  readonly names?: readonly string[];
  /** A part of the phrase. */
  readonly problem?: string;
}

const PLATFORMS: readonly Platform[] = ["linux", "darwin", "windows"];
const disks: Readonly<Record<Platform, Tree>> = data.disks;

function placeOf({ on, cwd, home }: Pick<Case, "on" | "cwd" | "home">) {
  return {
    platform: on,
    cwd: cwd ?? data.cwd[on],
    home: home === null ? undefined : home ?? data.home[on],
    disk: fakeDisk(disks[on], on),
  };
}

for (const one of data.cases as readonly Case[]) {
  Deno.test(`resolve: ${one.on}, ${JSON.stringify(one.written)} in ${one.cwd ?? data.cwd[one.on]}`, () => {
    const resolution = resolve(one.written, placeOf(one));
    if (one.problem !== undefined) {
      assert("problem" in resolution, JSON.stringify(resolution));
      assertStringIncludes(resolution.problem, one.problem);
      return;
    }
    assert("readings" in resolution, JSON.stringify(resolution));
    assertEquals(resolution.readings, one.readings);
    if (one.textual !== undefined) assertEquals(resolution.textual, one.textual);
    if (one.names !== undefined) assertEquals(resolution.names, one.names);
  });
}

for (const one of data.folders as readonly (Case & { path?: string })[]) {
  Deno.test(`resolveFolder: ${one.on}, ${JSON.stringify(one.written)}`, () => {
    const resolution = resolveFolder(one.written, placeOf(one));
    if (one.path !== undefined) return assertEquals(resolution, { path: one.path });
    assert("problem" in resolution, JSON.stringify(resolution));
    assertStringIncludes(resolution.problem, one.problem ?? "");
  });
}

Deno.test("resolve: half a surrogate pair is refused on every platform", () => {
  for (const on of PLATFORMS) assert("problem" in resolve("a\ud800b", placeOf({ on })));
});

Deno.test("resolve: a chain of links is followed as far as Linux follows one", () => {
  const tree: Record<string, string> = { "/end": "folder" };
  for (let link = 0; link < 41; link++) tree[`/l${link}`] = link === 0 ? "-> end" : `-> l${link - 1}`;
  const place = { platform: "linux" as const, cwd: "/", disk: fakeDisk(tree, "linux") };
  const longest = resolve("l39", place);
  assert("readings" in longest);
  assertEquals(longest.readings, ["/end"]);
  assert("problem" in resolve("l40", place));
});

Deno.test("resolve: a path that is too long is refused before the disk is asked", () => {
  for (const platform of PLATFORMS) {
    const place = placeOf({ on: platform });
    assert("problem" in resolve("a/../".repeat(100_000), place));
    assertEquals(place.disk.asked, 0);
  }
});

Deno.test("resolve: another machine's share is not asked", () => {
  const place = placeOf({ on: "windows" });
  assert("problem" in resolve("\\\\evil\\share\\x", place));
  assertEquals(place.disk.asked, 0);
});

Deno.test("resolve: a disk that throws anything at all is a problem", () => {
  for (const thrown of [new Error("x"), Object.assign(new Error("x"), { code: "EIO" }), "x", undefined]) {
    const kind = () => {
      throw thrown;
    };
    const resolution = resolve("a", {
      platform: "linux",
      cwd: "/",
      disk: { ...fakeDisk({}, "linux"), kind },
    });
    assert("problem" in resolution);
    assertStringIncludes(resolution.problem, "cannot be resolved");
  }
});

const names = fc.constantFrom(
  ...[
    "..",
    ".",
    "a",
    "b",
    "c",
    "A",
    "~",
    "~x",
    "",
    " ",
    "\\",
    "/",
    ":",
    "C:",
    "c:\\",
    "\\\\",
    "?",
    "??",
    "UNC",
  ],
  ...["nul", "COM1.x", "\0", "\ud800", "é", "e\u0301", "git~1", "/proc", "...", "x. ", "\\\\?\\", "\\\\.\\"],
);
const paths = fc.oneof(
  fc.array(names, { maxLength: 8 }).map((parts) => parts.join("/")),
  fc.array(names, { maxLength: 8 }).map((parts) => parts.join("\\")),
  fc.array(names, { maxLength: 8 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 30 }),
);
const trees = fc.dictionary(
  fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/")),
  fc.oneof(
    fc.constantFrom("folder", "file", "other", "!EACCES", "!ENAMETOOLONG", "!ELOOP", "-> ", "-> a\ufffd"),
    paths.map((path) => `-> ${path}`),
  ),
  { maxKeys: 12 },
);

Deno.test("resolve: is total, and gives nothing but absolute paths without `.` and `..`", () => {
  fc.assert(
    fc.property(fc.constantFrom(...PLATFORMS), trees, paths, paths, (platform, tree, cwd, written) => {
      const root = platform === "windows" ? "C:\\" : "/";
      const entries = Object.entries(tree).map(([path, what]) => [root + path, what]);
      const disk = fakeDisk({ [root]: "folder", ...Object.fromEntries(entries) }, platform);
      for (const folder of [cwd, `${root}a`, `${root}a/b/../c`]) {
        const resolution = resolve(written, { platform, cwd: folder, home: `${root}b`, disk });
        if ("problem" in resolution) {
          assert(resolution.problem !== "");
          continue;
        }
        assert(resolution.readings.length >= 1 && resolution.readings.length <= 2);
        for (const path of [resolution.textual, ...resolution.names, ...resolution.readings]) {
          assert(segments(path, platform) !== undefined, path);
        }
        resolveFolder(folder, { platform, disk });
      }
    }),
    { numRuns: 2000 },
  );
});

Deno.test("resolve: what it gives resolves to itself", () => {
  fc.assert(
    fc.property(fc.constantFrom(...PLATFORMS), trees, paths, (platform, tree, written) => {
      const root = platform === "windows" ? "C:\\" : "/";
      const entries = Object.entries(tree).map(([path, what]) => [root + path, what]);
      const disk = fakeDisk({ [root]: "folder", ...Object.fromEntries(entries) }, platform);
      const place = { platform, cwd: `${root}a`, home: `${root}b`, disk };
      const first = resolve(written, place);
      if ("problem" in first) return;
      for (const reading of first.readings) {
        // A name with white space at its end is refused where it is written last.
        if (reading !== reading.trim()) continue;
        const again = resolve(reading, place);
        assert("readings" in again, JSON.stringify([reading, again]));
        assertEquals(again.readings, [reading]);
        assertEquals(again.names, []);
      }
    }),
    { numRuns: 2000 },
  );
});

/** Makes a folder, whatever is there already. */
function tryMake(make: () => void): void {
  try {
    make();
  } catch {
    // It is there, or something else is; either is a tree to test.
  }
}

Deno.test({
  name: "resolve: tells where the system creates a file, on random trees of this machine",
  ignore: Deno.build.os !== "linux",
  fn() {
    // Deep enough that no `..` leaves it.
    const base = Deno.realPathSync(Deno.makeTempDirSync());
    const top = `${base}/1/2/3/4/5/6`;
    const root = `${top}/root`;
    const name = fc.constantFrom("a", "b", "c", "d");
    const path = fc.array(name, { minLength: 1, maxLength: 2 }).map((parts) => parts.join("/"));
    const turning = fc.array(fc.oneof(name, name, fc.constantFrom("..", ".", "..")), {
      minLength: 1,
      maxLength: 5,
    })
      .map((parts) => parts.join("/"));
    const tree = fc.array(
      fc.record({ at: path, link: fc.option(turning, { freq: 2 }), absolute: fc.boolean() }),
      { minLength: 3, maxLength: 9 },
    );
    let created = 0;
    try {
      fc.assert(
        fc.property(tree, name, fc.array(turning, { minLength: 6, maxLength: 6 }), (entries, cwd, random) => {
          tryMake(() => Deno.removeSync(top, { recursive: true }));
          Deno.mkdirSync(root, { recursive: true });
          for (const { at, link, absolute } of entries) {
            tryMake(() => Deno.mkdirSync(`${root}/${at}`.replace(/\/[^/]*$/, ""), { recursive: true }));
            if (link === null) tryMake(() => Deno.mkdirSync(`${root}/${at}`));
            else tryMake(() => Deno.symlinkSync(absolute ? `${root}/${link}` : link, `${root}/${at}`));
          }
          const place = { platform: "linux" as const, cwd: `${root}/${cwd}`, disk: realDisk };
          // Half of them turn back from where the tree has something.
          const turns = random.slice(3).map((written, index) => `${entries[index]?.at}/../${written}`);
          for (const [index, written] of [...random.slice(0, 3), ...turns].entries()) {
            const full = index % 2 === 0 ? `${root}/${written}` : `${root}/${cwd}/${written}`;
            // Before the file is there: a hook sees the tree before the tool does.
            const resolution = resolve(index % 2 === 0 ? full : written, place);
            tryMake(() => Deno.mkdirSync(full.replace(/\/[^/]*$/, ""), { recursive: true }));
            try {
              Deno.openSync(full, { write: true, create: true }).close();
            } catch {
              continue;
            }
            // A file or a circle in the way of one reading is a problem, though the other one leads somewhere.
            if ("problem" in resolution) continue;
            created++;
            const real = Deno.realPathSync(full);
            assert(resolution.readings.includes(real), JSON.stringify([full, real, resolution]));
            // So nothing that is held to be inside can lie outside.
            const inside = resolution.readings.every((reading) => isInside(reading, `${root}/a`, "linux"));
            if (inside) assert(real === `${root}/a` || real.startsWith(`${root}/a/`));
            assertEquals(resolve(full, place), resolve(index % 2 === 0 ? full : written, place));
          }
        }),
        { numRuns: 120 },
      );
      // The trees are rich enough to mean something.
      assert(created > 50, `${created} created`);
    } finally {
      Deno.removeSync(base, { recursive: true });
    }
  },
});

Deno.test({
  name: "resolve: gives both readings of a turn behind a link of this machine",
  ignore: Deno.build.os !== "linux",
  fn() {
    const base = Deno.realPathSync(Deno.makeTempDirSync());
    try {
      Deno.mkdirSync(`${base}/other/deep`, { recursive: true });
      Deno.symlinkSync("other/deep", `${base}/link`);
      const resolution = resolve("link/../file", { platform: "linux", cwd: base, disk: realDisk });
      assert("readings" in resolution);
      assertEquals(resolution.readings, [`${base}/other/file`, `${base}/file`]);
      Deno.writeTextFileSync(`${base}/link/../file`, "");
      assertEquals(Deno.realPathSync(`${base}/other/file`), `${base}/other/file`);
    } finally {
      Deno.removeSync(base, { recursive: true });
    }
  },
});
