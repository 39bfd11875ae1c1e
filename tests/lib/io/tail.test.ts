/** The end of a transcript, which may be large, cut short or no file at all. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { join } from "@std/path";
import fc from "fast-check";
import { FileError } from "../../../lib/io/files.ts";
import { readLinesBackwards } from "../../../lib/io/tail.ts";
import { run, withFolder } from "../../black-box.ts";

const posix = Deno.build.os !== "windows";
const LIMITS = { bytes: 16 * 1024 * 1024, line: 1024 * 1024 };
const MIB = 1024 * 1024;

function read(content: string | Uint8Array, limits = LIMITS): Promise<(string | undefined)[]> {
  return withFolder(
    { a: content },
    (folder) => Promise.resolve([...readLinesBackwards(join(folder, "a"), limits)]),
  );
}

Deno.test("readLinesBackwards: the last line first, ended or not, and no empty ones", async () => {
  assertEquals(await read("a\nb\nc\n"), ["c", "b", "a"]);
  assertEquals(await read("a\n\nb\n\n\nc"), ["c", "b", "a"]);
  assertEquals(await read("a\r\n\r\nb\r\n"), ["b", "a"]);
  assertEquals(await read("\n\n"), []);
  assertEquals(await read(""), []);
  assertEquals(await read("a"), ["a"]);
  assertEquals(await read("\na\rb\n "), [" ", "a\rb"]);
});

Deno.test("readLinesBackwards: lines and characters that lie in two blocks are whole", async () => {
  for (let length = 65_530; length < 65_540; length++) {
    const [last, first] = [`${"ä€😀".repeat(5)}${"x".repeat(length)}`, "€".repeat(70_000)];
    assertEquals(await read(`${first}\n${last}\n`), [last, first]);
    assertEquals(await read(`${first}\r\n${last}`), [last, first]);
  }
});

Deno.test("readLinesBackwards: bytes that are no UTF-8 do not stop it", async () =>
  assertEquals(await read(new Uint8Array([97, 0xff, 10, 0xc3, 10, 98])), ["b", "\ufffd", "a\ufffd"]));

Deno.test("readLinesBackwards: a line over the limit is undefined, its neighbours are not", async () => {
  const limits = { bytes: MIB, line: 10 };
  assertEquals(await read("a\n12345678901\nb", limits), ["b", undefined, "a"]);
  assertEquals(await read("a\n1234567890\r\nb", limits), ["b", "1234567890", "a"]);
  assertEquals(await read("a\n12345678901\r\nb", limits), ["b", undefined, "a"]);
  assertEquals(await read("€€€€\n€€€\n", limits), ["€€€", undefined]);
  assertEquals(await read(`${"x".repeat(300_000)}\na\n${"x".repeat(300_000)}`, limits), [
    undefined,
    "a",
    undefined,
  ]);
});

Deno.test("readLinesBackwards: goes no further back than told, and gives no part of a line", async () => {
  const limits = { bytes: 5, line: 100 };
  assertEquals(await read("a\nb\nc\n", limits), ["c", "b"]);
  assertEquals(await read("aa\nb\nc\n", limits), ["c", "b"]);
  assertEquals(await read("\nab\nc\n", limits), ["c", "ab"]);
  assertEquals(await read("aab\nc\n", limits), ["c"]);
  assertEquals(await read("ab\nc\n", limits), ["c", "ab"]);
  assertEquals(await read("123456", limits), []);
  assertEquals(await read(`${"x".repeat(200_000)}\na`, { bytes: 100_000, line: 10 }), ["a"]);
});

Deno.test("readLinesBackwards: the lines of any text, as splitting it gives them", () => {
  const texts = fc.array(fc.constantFrom("a", "€", "😀", "\n", "\r\n", "\r", "{}", "x".repeat(40_000)), {
    maxLength: 40,
  });
  return withFolder({ a: "" }, (folder) => {
    const file = join(folder, "a");
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join("");
        Deno.writeTextFileSync(file, text);
        const lines = text.split("\n").map((line) => line.replace(/\r$/, "")).filter((line) => line !== "");
        assertEquals([...readLinesBackwards(file, LIMITS)], lines.reverse());
      }),
      { numRuns: 100 },
    );
    return Promise.resolve();
  });
});

Deno.test("readLinesBackwards: what is missing, a folder, and an odd path", () =>
  withFolder({ a: "x", b: null }, (folder) => {
    const open = (path: string) => [...readLinesBackwards(path, LIMITS)];
    for (const path of ["c", "c/d", "a/b"]) {
      const error = assertThrows(() => open(join(folder, path)), FileError, "does not exist");
      assert(error instanceof FileError && error.missing);
    }
    assertThrows(() => open(join(folder, "b")), FileError);
    assertThrows(() => open(`${join(folder, "a")}\0`), FileError, "cannot be read");
    assertThrows(() => open(""), FileError);
    return Promise.resolve();
  }));

Deno.test({
  name: "readLinesBackwards: what is no regular file is not waited for",
  ignore: !posix,
  fn: () =>
    withFolder({}, async (folder) => {
      await run(["mkfifo", "fifo"], { cwd: folder });
      for (const path of [join(folder, "fifo"), "/dev/zero", "/dev/null"]) {
        assertThrows(() => [...readLinesBackwards(path, LIMITS)], FileError);
      }
    }),
});

Deno.test({
  name: "readLinesBackwards: reads no more than is taken, and closes the file then",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withFolder({ a: "" }, async (folder) => {
      const file = join(folder, "a");
      // 1 GiB, of which nearly all is a hole.
      await Deno.truncate(file, 1024 * MIB);
      await Deno.writeTextFile(file, "\na\nb\n", { append: true });
      // Tests run side by side in one process: only this file counts.
      const isOpen = (name: string) => {
        try {
          return Deno.readLinkSync(`/proc/self/fd/${name}`) === file;
        } catch {
          return false;
        }
      };
      const openFiles = () =>
        [...Deno.readDirSync("/proc/self/fd")].filter(({ name }) => isOpen(name)).length;
      const start = performance.now();
      for (let i = 0; i < 50; i++) {
        const found: (string | undefined)[] = [];
        for (const line of readLinesBackwards(file, LIMITS)) {
          assertEquals(openFiles(), 1);
          found.push(line);
          if (found.length === 2) break;
        }
        assertEquals(found, ["b", "a"]);
      }
      assert(performance.now() - start < 5_000);
      assertEquals(openFiles(), 0);
    }),
});
