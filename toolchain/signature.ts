/** What stands in a Mach-O file for 64 bits. */
const HEADER = { magic: 0xFEEDFACF, commands: 16, commandsSize: 20, size: 32 };
const SEGMENT = { kind: 0x19, name: 8, fileOffset: 40, fileSize: 48 };
const SIGNATURE = { kind: 0x1D, offset: 8, length: 12, size: 16 };

/**
 * Takes the signature out of a macOS executable for x86-64, as `codesign --remove-signature` does. Bun leaves its own
 * runtime's there, which no longer holds for what it compiled: a macOS that checks it would kill the program, while
 * one without any runs on that processor. (For arm64, which wants one, Bun makes a new one.)
 *
 * @throws {Error} Where the signature is not the file's last command and its last bytes.
 */
export function removeSignature(executable: Uint8Array): Uint8Array {
  const image = executable.slice();
  const view = new DataView(image.buffer);
  const word = (at: number) => view.getUint32(at, true);
  const fail = (what: string) => new Error(`Cannot take the signature out of the executable: ${what}`);
  if (image.length < HEADER.size || word(0) !== HEADER.magic) throw fail("it is no Mach-O file");

  const commands = word(HEADER.commands);
  let linkEdit: number | undefined;
  let at = HEADER.size;
  let last = at;
  for (let index = 0; index < commands; index++) {
    last = at;
    const name = new TextDecoder().decode(image.subarray(at + SEGMENT.name, at + SEGMENT.name + 16));
    if (word(at) === SEGMENT.kind && name === "__LINKEDIT\0\0\0\0\0\0") linkEdit = at;
    at += word(at + 4);
  }
  if (word(last) !== SIGNATURE.kind) throw fail("its last command is another");
  const start = word(last + SIGNATURE.offset);
  if (start + word(last + SIGNATURE.length) !== image.length) throw fail("it is not the end of the file");
  if (linkEdit === undefined) throw fail("nothing holds it");
  const begin = Number(view.getBigUint64(linkEdit + SEGMENT.fileOffset, true));
  const size = Number(view.getBigUint64(linkEdit + SEGMENT.fileSize, true));
  if (begin > start || begin + size !== image.length) throw fail("what holds it is not the end of the file");

  view.setUint32(HEADER.commands, commands - 1, true);
  view.setUint32(HEADER.commandsSize, word(HEADER.commandsSize) - SIGNATURE.size, true);
  image.fill(0, last, last + SIGNATURE.size);
  view.setBigUint64(linkEdit + SEGMENT.fileSize, BigInt(start - begin), true);
  return image.subarray(0, start);
}
