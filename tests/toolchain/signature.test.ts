import { assert, assertEquals, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { bundle, compileWithBun, makeWorkFolder } from "../../toolchain/compile.ts";
import { getRuntime } from "../../toolchain/runtime.ts";
import { checkSignature, signAdHoc } from "../../toolchain/signature.ts";
import { findTarget } from "../../toolchain/targets.ts";

const PAGE = 4096;
/** Three pages and a bit of code, from which the old signature follows. */
const CODE = 3 * PAGE + 160;

interface Layout {
  readonly magic?: number;
  readonly program?: string;
  readonly segment?: string;
  readonly signature?: { readonly kind?: number; readonly offset?: number; readonly length?: number };
  readonly linkEdit?: { readonly offset: number; readonly size: number };
}

/** Where the commands of `executable` stand. */
const [TEXT, LINKEDIT, SIGNATURE] = [32, 104, 176];

/**
 * A Mach-O file: a header and three commands, of which the first is the program's segment, the second that of what is
 * linked, from the third page on, and the last the old signature of 40 bytes that says nothing.
 */
function executable(
  { magic = 0xFEEDFACF, program = "__TEXT", segment = "__LINKEDIT", signature = {}, linkEdit }: Layout = {},
): Uint8Array {
  const image = new Uint8Array(CODE + 40).fill(7, 256);
  const view = new DataView(image.buffer);
  const words = (at: number, ...values: number[]) =>
    values.forEach((value, index) => view.setUint32(at + 4 * index, value, true));
  words(0, magic, 0x01000007, 3, 2, 3, 72 + 72 + 16, 0, 0);
  words(TEXT, 0x19, 72);
  image.set(new TextEncoder().encode(program), TEXT + 8);
  words(TEXT + 40, 0, 0, 2 * PAGE, 0);
  words(LINKEDIT, 0x19, 72);
  image.set(new TextEncoder().encode(segment), LINKEDIT + 8);
  words(LINKEDIT + 32, 200 + CODE - 2 * PAGE, 0);
  words(LINKEDIT + 40, linkEdit?.offset ?? 2 * PAGE, 0, linkEdit?.size ?? CODE + 40 - 2 * PAGE, 0);
  words(SIGNATURE, signature.kind ?? 0x1D, 16, signature.offset ?? CODE, signature.length ?? 40);
  return image;
}

Deno.test("signAdHoc: a directory of pages, no requirements and nobody's key", () => {
  assertEquals(checkSignature(signAdHoc(executable())), {
    version: 0x20400,
    flags: 2,
    identifier: "nonzero",
    pageSize: PAGE,
    pages: 4,
    codeLimit: CODE,
    slots: [0, 2, 0x10000],
    program: { base: 0, limit: 2 * PAGE, flags: 1 },
  });
});

Deno.test("signAdHoc: what is not signature stays, but for where the file says that it is", () => {
  const signed = signAdHoc(executable());
  const view = new DataView(signed.buffer);
  const length = signed.length - CODE;
  assertEquals(
    [view.getUint32(SIGNATURE + 8, true), view.getUint32(SIGNATURE + 12, true), length % 16],
    [CODE, length, 0],
  );
  assertEquals(view.getBigUint64(LINKEDIT + 48, true), BigInt(PAGE + 160 + length));
  assertEquals(view.getBigUint64(LINKEDIT + 32, true), 0x4000n);
  const wanted = executable();
  for (const at of [SIGNATURE + 8, SIGNATURE + 12, LINKEDIT + 32, LINKEDIT + 48]) {
    wanted.set(signed.subarray(at, at + 4), at);
  }
  assertEquals(signed.subarray(0, CODE), wanted.subarray(0, CODE));
});

Deno.test("signAdHoc: the same bytes again, also of what it has signed; and what was given stays", () => {
  const image = executable();
  const signed = signAdHoc(image);
  assertEquals(image, executable());
  assertEquals(signAdHoc(signed), signed);
});

Deno.test("signAdHoc: begins where a signature may", () => {
  const image = executable({ signature: { offset: CODE - 3, length: 43 } });
  assertEquals(checkSignature(signAdHoc(image)).codeLimit, CODE);
});

for (
  const [title, layout, reason] of [
    ["another format", { magic: 0x464C457F }, "it is no Mach-O file"],
    ["a file without a signature", { signature: { kind: 0x2A } }, "its last command is another"],
    ["bytes behind the signature", { signature: { length: 39 } }, "it is not the end of the file"],
    ["a file without the segment", { segment: "__DATA" }, "nothing holds it"],
    ["a file without a program", { program: "__DATA" }, "it holds no program"],
    [
      "a segment that ends elsewhere",
      { linkEdit: { offset: 2 * PAGE, size: PAGE } },
      "what holds it is not the end of the file",
    ],
    [
      "a segment that begins behind it",
      { linkEdit: { offset: CODE + 8, size: 32 } },
      "what holds it is not the end of the file",
    ],
  ] as const
) {
  Deno.test(`signAdHoc: refuses ${title}`, () => {
    const error = assertThrows(() => signAdHoc(executable(layout)), Error);
    assertEquals(error.message, `Cannot sign the executable: ${reason}`);
  });
}

/** What is said of a signed file in which the bytes at a place are others. */
function complaint(at: number, ...bytes: readonly number[]): string {
  const signed = signAdHoc(executable());
  signed.set(bytes, at);
  return assertThrows(() => checkSignature(signed), Error).message.replace(/^.*: /, "");
}

Deno.test("checkSignature: any byte of the code counts", () => {
  for (const at of [24, 300, PAGE - 1, PAGE, 2 * PAGE + 5, CODE - 1]) {
    assertEquals(complaint(at, 99), "it does not hold for 1 of 4 pages");
  }
});

Deno.test("checkSignature: any byte of the signature counts that says what it is", () => {
  const directory = CODE + 12 + 3 * 8;
  const size = new DataView(signAdHoc(executable()).buffer).getUint32(directory + 4);
  assertEquals(complaint(CODE, 0), "it is no signature");
  assertEquals(complaint(CODE + 12 + 3, 9), "it has no directory of pages");
  assertEquals(complaint(directory, 0), "it has no directory of pages");
  assertEquals(complaint(directory + 10, 3), "it is of another form");
  assertEquals(complaint(directory + 15, 0), "it is not ad hoc");
  assertEquals(complaint(directory + 31, 3), "it has digests of 3 pages, not of 4");
  assertEquals(complaint(directory + 34, 0), "it does not reach up to itself");
  assertEquals(complaint(directory + 37, 1), "it is of another form");
  assertEquals(complaint(directory + 39, 14), "it is of another form");
  assertEquals(complaint(directory + size - 1, 0), "it does not hold for 1 of 4 pages");
  assertEquals(complaint(directory + size + 11, 1), "it does not hold for part 2");
});

Deno.test("checkSignature: a signature that says nothing is none", () => {
  assertThrows(() => checkSignature(executable()), Error, "it is no signature");
});

/** Compiles the smallest program with Bun, as a build does. */
async function compileFor(triple: string): Promise<Uint8Array> {
  const work = await makeWorkFolder();
  try {
    const target = findTarget(triple);
    await Deno.writeTextFile(join(work, "source/small.ts"), "export {};\n");
    await bundle("small.ts", join(work, "small.js"), join(work, "source"));
    const compiler = await getRuntime(findTarget("host"), "bun");
    const runtime = await getRuntime(target, "bun");
    return await Deno.readFile(await compileWithBun({ work, name: "small", target, compiler, runtime }));
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** The digests of pages in a signature that holds. */
function digests(image: Uint8Array): string[] {
  const { codeLimit, pages } = checkSignature(image);
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength);
  const directory = codeLimit + view.getUint32(codeLimit + 16);
  const hashes = directory + view.getUint32(directory + 16);
  return Array.from(
    { length: pages },
    (_, page) => String(image.subarray(hashes + 32 * page, hashes + 32 * page + 32)),
  );
}

Deno.test("signature: both macOS builds hold for every page, and ours says what Bun's own does", async () => {
  const arm64 = await compileFor("aarch64-apple-darwin");
  const x64 = await compileFor("x86_64-apple-darwin");
  const [theirs, ours] = [checkSignature(arm64), checkSignature(x64)];
  // Bun signs as a linker does (0x20000), without requirements and under a linker's name.
  assertEquals([theirs.flags, theirs.identifier, theirs.slots], [0x20002, "a.out", [0]]);
  const { pages, codeLimit, program, ...same } = ours;
  assertEquals({ ...theirs, ...same, flags: 0x2 }, {
    ...theirs,
    flags: 0x2,
    identifier: "nonzero",
    slots: [0, 2, 0x10000],
  });
  assert(pages > 20_000 && pages === Math.ceil(codeLimit / PAGE));
  assertEquals([program.base, program.flags], [theirs.program.base, theirs.program.flags]);
  // Signed by us instead, the other one has the same digests, save that of the page that says how long they are.
  assertEquals(digests(signAdHoc(arm64)).slice(1), digests(arm64).slice(1));
});
