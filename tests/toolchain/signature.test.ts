import { assertEquals, assertThrows } from "@std/assert";
import { removeSignature } from "../../toolchain/signature.ts";

interface Layout {
  readonly magic?: number;
  readonly segment?: string;
  readonly signature?: { readonly kind?: number; readonly offset?: number; readonly length?: number };
  readonly linkEdit?: { readonly offset: number; readonly size: number };
}

/** A Mach-O file of 200 bytes: a header, two commands, then from byte 128 what is linked, from 160 the signature. */
function executable(
  { magic = 0xFEEDFACF, segment = "__LINKEDIT", signature = {}, linkEdit }: Layout = {},
): Uint8Array {
  const image = new Uint8Array(200).fill(7, 128);
  const view = new DataView(image.buffer);
  const words = (at: number, ...values: number[]) =>
    values.forEach((value, index) => view.setUint32(at + 4 * index, value, true));
  words(0, magic, 0x01000007, 3, 2, 2, 72 + 16, 0, 0);
  words(32, 0x19, 72);
  image.set(new TextEncoder().encode(segment), 40);
  words(72, linkEdit?.offset ?? 128, 0, linkEdit?.size ?? 72, 0);
  words(104, signature.kind ?? 0x1D, 16, signature.offset ?? 160, signature.length ?? 40);
  return image;
}

Deno.test("removeSignature: the command, its bytes and the segment's share of them are gone", () => {
  const wanted = executable();
  const view = new DataView(wanted.buffer);
  view.setUint32(16, 1, true);
  view.setUint32(20, 72, true);
  view.setUint32(80, 160 - 128, true);
  wanted.fill(0, 104, 120);
  assertEquals([...removeSignature(executable())], [...wanted.subarray(0, 160)]);
});

Deno.test("removeSignature: what was given stays as it is", () => {
  const image = executable();
  removeSignature(image);
  assertEquals(image, executable());
});

for (
  const [title, layout, reason] of [
    ["another format", { magic: 0x464C457F }, "it is no Mach-O file"],
    ["a file without a signature", { signature: { kind: 0x2A } }, "its last command is another"],
    ["bytes behind the signature", { signature: { length: 39 } }, "it is not the end of the file"],
    ["a file without the segment", { segment: "__TEXT" }, "nothing holds it"],
    [
      "a segment that ends elsewhere",
      { linkEdit: { offset: 128, size: 71 } },
      "what holds it is not the end",
    ],
    [
      "a segment that begins behind it",
      { linkEdit: { offset: 168, size: 32 } },
      "what holds it is not the end",
    ],
  ] as const
) {
  Deno.test(`removeSignature: refuses ${title}`, () => {
    const error = `Cannot take the signature out of the executable: ${reason}`;
    assertThrows(() => removeSignature(executable(layout)), Error, error);
  });
}
