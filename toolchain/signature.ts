import { createHash } from "node:crypto";
import { concat, sameBytes } from "../lib/release/ssh-wire.ts";

/*
 * Signatures of macOS executables. What stands in a Mach-O file for 64 bits is little-endian, what stands in a
 * signature big-endian.
 */

const HEADER = { magic: 0xFEEDFACF, commands: 16, commandsSize: 20, size: 32 };
const SEGMENT = { kind: 0x19, name: 8, memorySize: 32, fileOffset: 40, fileSize: 48 };
const SIGNATURE = { kind: 0x1D, offset: 8, length: 12, size: 16 };

/** The parts of a signature, and the places where its index names them. */
const SUPERBLOB = 0xFADE0CC0;
const DIRECTORY = { magic: 0xFADE0C02, slot: 0 };
const REQUIREMENTS = { magic: 0xFADE0C01, slot: 2 };
const CMS = { magic: 0xFADE0B01, slot: 0x10000 };

/** What the directory of pages is: of the version that says where the program itself is. */
const VERSION = 0x20400;
const DIRECTORY_SIZE = 88;
const AD_HOC = 0x2;
const SHA256 = { type: 2, size: 32 };
const PAGE_BITS = 12;
const MAIN_BINARY = 1;
const IDENTIFIER = "nonzero";

/** Memory is mapped in pages of this size on the larger of the two processors. */
const LARGE_PAGE = 0x4000;
const ALIGNMENT = 16;

const align = (size: number, to: number) => Math.ceil(size / to) * to;

/** Where what a signature rests on stands in a file. */
interface Layout {
  readonly view: DataView;
  /** The command of the segment that holds what is linked, at the file's end. */
  readonly linkEdit: number;
  /** The command of the segment that holds the program. */
  readonly text: number | undefined;
  /** The last command, which is the signature's. */
  readonly command: number;
  /** Where the signature's bytes begin. */
  readonly start: number;
  readonly length: number;
}

/** Finds the signature. Throws where it is not the file's last command and its last bytes. */
function locate(image: Uint8Array, fail: (what: string) => Error): Layout {
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength);
  const word = (at: number) => view.getUint32(at, true);
  if (image.length < HEADER.size || word(0) !== HEADER.magic) throw fail("it is no Mach-O file");
  const segments = new Map<string, number>();
  let at = HEADER.size;
  let last = at;
  for (let index = 0; index < word(HEADER.commands); index++) {
    last = at;
    const name = new TextDecoder().decode(image.subarray(at + SEGMENT.name, at + SEGMENT.name + 16));
    if (word(at) === SEGMENT.kind) segments.set(name.replace(/\0+$/, ""), at);
    at += word(at + 4);
  }
  if (word(last) !== SIGNATURE.kind) throw fail("its last command is another");
  const start = word(last + SIGNATURE.offset);
  const length = word(last + SIGNATURE.length);
  if (start + length !== image.length) throw fail("it is not the end of the file");
  const linkEdit = segments.get("__LINKEDIT");
  if (linkEdit === undefined) throw fail("nothing holds it");
  const begin = Number(view.getBigUint64(linkEdit + SEGMENT.fileOffset, true));
  const size = Number(view.getBigUint64(linkEdit + SEGMENT.fileSize, true));
  if (begin > start || begin + size !== image.length) throw fail("what holds it is not the end of the file");
  return { view, linkEdit, text: segments.get("__TEXT"), command: last, start, length };
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

/** The digest of each page of the code, in order. */
function pageDigests(code: Uint8Array): Uint8Array[] {
  const pages = Math.ceil(code.length / (1 << PAGE_BITS));
  return Array.from(
    { length: pages },
    (_, page) => sha256(code.subarray(page << PAGE_BITS, Math.min(page + 1 << PAGE_BITS, code.length))),
  );
}

/** Numbers as a signature has them. */
function words(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  values.forEach((value, index) => view.setUint32(4 * index, value));
  return bytes;
}

const high = (value: number) => Math.floor(value / 2 ** 32);
const low = (value: number) => value % 2 ** 32;

/** The directory of pages. Its length does not depend on what the pages hold. */
function directory(code: Uint8Array, requirements: Uint8Array, textSize: number): Uint8Array {
  const identifier = new TextEncoder().encode(`${IDENTIFIER}\0`);
  const digests = pageDigests(code);
  // Of what is not in the pages, from the last slot to the first: the requirements, and no list of properties.
  const special = [sha256(requirements), new Uint8Array(SHA256.size)];
  const hashes = DIRECTORY_SIZE + identifier.length + special.length * SHA256.size;
  const length = hashes + digests.length * SHA256.size;
  const head = concat(
    words(DIRECTORY.magic, length, VERSION, AD_HOC, hashes, DIRECTORY_SIZE, special.length, digests.length),
    words(code.length),
    Uint8Array.of(SHA256.size, SHA256.type, 0, PAGE_BITS),
    // Of which none is used: a spare word, what is scattered, a team, a spare word, a limit of 64 bits.
    words(0, 0, 0, 0, 0, 0),
    words(0, 0, high(textSize), low(textSize), 0, MAIN_BINARY),
  );
  return concat(head, identifier, ...special, ...digests);
}

/** A signature's parts with the index before them. */
function superblob(parts: readonly (readonly [slot: number, bytes: Uint8Array])[]): Uint8Array {
  let at = 12 + 8 * parts.length;
  const index = parts.map(([slot, bytes]) => {
    const entry = words(slot, at);
    at += bytes.length;
    return entry;
  });
  return concat(words(SUPERBLOB, at, parts.length), ...index, ...parts.map(([, bytes]) => bytes));
}

/**
 * Signs a macOS executable ad hoc, as `codesign --sign -` does: with digests of its pages and nobody's key. It has to
 * have a signature, which is replaced: Bun leaves that of its own runtime, which no longer holds for what it compiled
 * for x86-64. (For arm64 it makes a new one itself.)
 *
 * @throws {Error} Where the old signature is not the file's last command and its last bytes.
 */
export function signAdHoc(executable: Uint8Array): Uint8Array {
  const fail = (what: string) => new Error(`Cannot sign the executable: ${what}`);
  const old = locate(executable, fail);
  if (old.text === undefined) throw fail("it holds no program");
  const start = align(old.start, ALIGNMENT);
  const requirements = words(REQUIREMENTS.magic, 12, 0);
  const cms = words(CMS.magic, 8);
  const textSize = Number(old.view.getBigUint64(old.text + SEGMENT.fileSize, true));
  const make = (code: Uint8Array) =>
    superblob([
      [DIRECTORY.slot, directory(code, requirements, textSize)],
      [REQUIREMENTS.slot, requirements],
      [CMS.slot, cms],
    ]);
  const pages = Math.ceil(start / (1 << PAGE_BITS));
  const fixed = make(new Uint8Array()).length;
  const length = align(fixed + pages * SHA256.size, ALIGNMENT);

  const image = new Uint8Array(start + length);
  image.set(executable.subarray(0, old.start));
  const view = new DataView(image.buffer);
  const begin = Number(view.getBigUint64(old.linkEdit + SEGMENT.fileOffset, true));
  const memory = Number(view.getBigUint64(old.linkEdit + SEGMENT.memorySize, true));
  const needed = align(start + length - begin, LARGE_PAGE);
  view.setUint32(old.command + SIGNATURE.offset, start, true);
  view.setUint32(old.command + SIGNATURE.length, length, true);
  view.setBigUint64(old.linkEdit + SEGMENT.fileSize, BigInt(start + length - begin), true);
  view.setBigUint64(old.linkEdit + SEGMENT.memorySize, BigInt(Math.max(memory, needed)), true);
  image.set(make(image.subarray(0, start)), start);
  return image;
}

/** What a signature says, after it was found to hold. */
export interface CodeSignature {
  readonly version: number;
  readonly flags: number;
  readonly identifier: string;
  /** In bytes. */
  readonly pageSize: number;
  /** How many pages it has digests of. */
  readonly pages: number;
  /** Up to where in the file. */
  readonly codeLimit: number;
  /** The slots of its parts. */
  readonly slots: readonly number[];
  /** The program within the file, and what it is. */
  readonly program: { readonly base: number; readonly limit: number; readonly flags: number };
}

/**
 * Reads the signature of a macOS executable and works out every digest in it anew.
 *
 * @throws {Error} Where it has none, one of another form than SHA-256 of pages, one that is not ad hoc, or one that
 *   does not hold for each page and part.
 */
export function checkSignature(executable: Uint8Array): CodeSignature {
  const fail = (what: string) => new Error(`Cannot trust the executable's signature: ${what}`);
  const { view, start, length, linkEdit } = locate(executable, fail);
  const word = (at: number) => {
    if (at < start || at + 4 > start + length) throw fail("it is cut short");
    return view.getUint32(at);
  };
  const long = (at: number) => word(at) * 2 ** 32 + word(at + 4);
  const part = (at: number) => executable.subarray(at, at + word(at + 4));

  if (start % ALIGNMENT !== 0) throw fail("it does not begin where it may");
  if (word(start) !== SUPERBLOB || word(start + 4) > length) throw fail("it is no signature");
  const fileSize = view.getBigUint64(linkEdit + SEGMENT.fileSize, true);
  if (view.getBigUint64(linkEdit + SEGMENT.memorySize, true) < fileSize) {
    throw fail("what holds it is larger in the file than in memory");
  }
  const parts = new Map<number, number>();
  for (let index = 0; index < word(start + 8); index++) {
    parts.set(word(start + 12 + 8 * index), start + word(start + 16 + 8 * index));
  }
  const at = parts.get(DIRECTORY.slot);
  if (at === undefined || word(at) !== DIRECTORY.magic) throw fail("it has no directory of pages");
  const [version, flags, hashes, name, special, pages, codeLimit] = [8, 12, 16, 20, 24, 28, 32]
    .map((offset) => word(at + offset)) as [number, number, number, number, number, number, number];
  const form = word(at + 36);
  const pageBits = form & 0xFF;
  if (version < VERSION || form >>> 16 !== (SHA256.size << 8 | SHA256.type) || pageBits !== PAGE_BITS) {
    throw fail("it is of another form");
  }
  if ((flags & AD_HOC) === 0) throw fail("it is not ad hoc");
  if (codeLimit !== start) throw fail("it does not reach up to itself");
  const slot = (index: number) =>
    executable.subarray(at + hashes + index * SHA256.size, at + hashes + (index + 1) * SHA256.size);
  const digests = pageDigests(executable.subarray(0, codeLimit));
  if (pages !== digests.length) throw fail(`it has digests of ${pages} pages, not of ${digests.length}`);
  if (at + hashes + pages * SHA256.size > at + word(at + 4)) throw fail("it is cut short");
  const bad = digests.filter((digest, page) => !sameBytes(digest, slot(page))).length;
  if (bad > 0) throw fail(`it does not hold for ${bad} of ${pages} pages`);
  for (let index = 1; index <= special; index++) {
    const place = parts.get(index);
    const wanted = place === undefined ? new Uint8Array(SHA256.size) : sha256(part(place));
    if (!sameBytes(slot(-index), wanted)) throw fail(`it does not hold for part ${index}`);
  }
  const end = executable.indexOf(0, at + name);
  return {
    version,
    flags,
    identifier: new TextDecoder().decode(executable.subarray(at + name, end)),
    pageSize: 1 << pageBits,
    pages,
    codeLimit,
    slots: [...parts.keys()],
    program: { base: long(at + 64), limit: long(at + 72), flags: long(at + 80) },
  };
}
