/** Files that a gate or hook must not stumble over. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { FileError, holdsContent, readBytes } from "../../../lib/io/files.ts";
import { run, withFolder } from "../../black-box.ts";

const posix = Deno.build.os !== "windows";

Deno.test("readBytes: a path with a NUL byte cannot be read, and not the file before it", () =>
  withFolder({ a: "x" }, (folder) => {
    assertThrows(() => readBytes(`${join(folder, "a")}\0b`, 10), FileError, "cannot be read");
    assertThrows(() => readBytes("\0", 10), FileError, "cannot be read");
    return Promise.resolve();
  }));

Deno.test("readBytes: as many bytes as allowed and not one more", () =>
  withFolder({ a: "x".repeat(5_000) }, (folder) => {
    const file = join(folder, "a");
    assertEquals(readBytes(file, 5_000).length, 5_000);
    for (const limit of [4_999, 4_096, 1, 0]) {
      assertThrows(() => readBytes(file, limit), FileError, "is larger than");
    }
    return Promise.resolve();
  }));

Deno.test("readBytes: folders, what is missing, and an empty file", () =>
  withFolder({ a: "", b: null }, (folder) => {
    assertEquals(readBytes(join(folder, "a"), 10).length, 0);
    assertThrows(() => readBytes(join(folder, "b"), 10), FileError);
    for (const path of ["c", "c/d", "a/b"]) {
      const error = assertThrows(() => readBytes(join(folder, path), 10), FileError, "does not exist");
      assert(error instanceof FileError && error.missing);
    }
    assertThrows(() => readBytes("", 10), FileError);
    return Promise.resolve();
  }));

Deno.test({
  name: "readBytes: what is no regular file is not waited for",
  ignore: !posix,
  fn: () =>
    withFolder({}, async (folder) => {
      await run(["mkfifo", "fifo"], { cwd: folder });
      for (const path of [join(folder, "fifo"), "/dev/zero", "/dev/null", "/dev/tty"]) {
        assertThrows(() => readBytes(path, 10), FileError);
      }
    }),
});

Deno.test("holdsContent: a file that is not empty, or a folder with one at any depth; no device", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/a/b`, { recursive: true });
    await Deno.writeTextFile(`${folder}/a/empty`, "");
    const before = ["", "/a", "/a/empty", "/none"].map((path) => holdsContent(folder + path));
    assertEquals(before, [false, false, false, false]);
    await Deno.writeTextFile(`${folder}/a/b/full`, "x");
    const after = ["", "/a", "/a/empty", "/a/b/full"].map((path) => holdsContent(folder + path));
    assertEquals(after, [true, true, false, true]);
    if (Deno.build.os !== "windows") {
      assertEquals(["/dev/zero", "/dev/null"].map(holdsContent), [false, false]);
      await Deno.mkdir(`${folder}/links`);
      await Deno.symlink("../a/b/full", `${folder}/links/one`);
      await Deno.symlink("..", `${folder}/links/up`);
      assertEquals([holdsContent(`${folder}/links`), holdsContent(`${folder}/links/one`)], [false, true]);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
