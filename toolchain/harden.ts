import { Buffer } from "node:buffer";
import type { Target } from "./targets.ts";

/*
 * A program that Bun compiled is Bun itself with the program behind it, and it obeys environment variables before
 * the program's first line runs. A project's settings can set them for its hooks, so a guard must not heed any that
 * could turn a refusal into something else. What is here was measured with Bun 1.4.5; a runtime that does not look
 * exactly so is not built with.
 */

/** A variable, or the beginning of the names of some, and how often it stands in a runtime as data. */
interface Variable {
  readonly name: string;
  readonly effect: string;
  readonly count: (target: Target) => number;
}

const variables: readonly Variable[] = [
  { name: "BUN_BE_BUN", effect: "makes the program plain bun", count: () => 1 },
  { name: "BUN_OPTIONS", effect: "adds options such as --preload", count: () => 2 },
  { name: "BUN_INSPECT", effect: "waits for a debugger and lets it run code", count: () => 7 },
  { name: "BUN_BYTECODE_", effect: "writes a file of any name", count: () => 3 },
  {
    name: "JSC_SIGNAL_FOR_GC",
    effect: "makes the program crash",
    count: ({ format }) => format === "PE" ? 0 : 1,
  },
  {
    name: "SIMDUTF_FORCE_IMPLEMENTATION",
    effect: "makes the program crash",
    count: ({ format, cpu }) => format === "ELF" && cpu === "arm64" ? 0 : 1,
  },
];

/** What begins the names of the variables that set an option of the JavaScript engine. */
const ENGINE = "BUN_JSC_";

/** How many options the allocator has. */
const ALLOCATOR_OPTIONS = 56;

/** What a hardened runtime no longer obeys, in the words of BUILD.json. */
export const hardening: readonly string[] = [
  ...variables.map(({ name, effect }) => `ignores ${name}${name.endsWith("_") ? "*" : ""}, which ${effect}`),
  `ignores ${ENGINE}*, one of which ends the program with exit code 0`,
  "ignores MIMALLOC_*, one of which makes the program crash",
];

/** A byte to change. */
interface Patch {
  readonly at: number;
  readonly byte: number;
}

/** Where the bytes stand; the rarer the first one is, the faster. */
function* occurrences(image: Buffer, wanted: string | readonly number[]): Generator<number> {
  const bytes = Buffer.from(wanted);
  const first = bytes[0] ?? 0;
  for (let at = image.indexOf(first); at >= 0; at = image.indexOf(first, at + 1)) {
    if (bytes.every((byte, offset) => image[at + offset] === byte)) yield at;
  }
}

function onlyOne<T>(found: readonly T[], what: string): T {
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  throw new Error(`Cannot harden the runtime: found ${what} ${found.length} times, not once`);
}

/**
 * Gives variables a name that nobody can set. NUL ends a name, and an empty one is never found; but macOS finds an
 * entry `=value` by it, so there it is a byte that no UTF-8 text holds.
 */
function renameVariable(image: Buffer, target: Target, { name, count }: Variable): Patch[] {
  // As data a name stands behind a NUL or another string's end. Behind a dot, a quote or a space it is in JavaScript
  // that the runtime itself carries, or in a message.
  const found = [...occurrences(image, name)].filter((at) =>
    /[\0A-Za-z0-9_]/.test(image.toString("latin1", at - 1, at))
  );
  if (found.length !== count(target)) {
    throw new Error(`Cannot harden the runtime: found ${name} ${found.length} times, not ${count(target)}`);
  }
  return found.map((at) => ({ at, byte: target.format === "Mach-O" ? 0xFF : 0 }));
}

/**
 * On x86-64 the prefix is eight times `cmp byte [register + index], character; jne elsewhere`. The third is made to
 * look at the second's character, which cannot be both.
 *
 * @returns Where the third compare's index is; undefined if the code that begins here is another.
 */
function matchX64(image: Buffer, start: number): number | undefined {
  const rex = image[start] === 0x41 ? [0x41] : [];
  const register = (image[start + rex.length + 1] ?? 0) & 7;
  let next = start;
  let third: number | undefined;
  let elsewhere: number | undefined;
  for (const [index, character] of Buffer.from(ENGINE).entries()) {
    const address = index === 0 ? [0x38 | register] : [0x78 | register, index];
    const code = [...rex, 0x80, ...address, character, 0x75];
    if (!code.every((byte, offset) => image[next + offset] === byte)) return undefined;
    next += code.length + 1;
    if (index === 2) third = next - 4;
    const jump = next + image.readInt8(next - 1);
    if (jump !== (elsewhere ??= jump)) return undefined;
  }
  return third;
}

function breakPrefixX64(image: Buffer): Patch {
  const found: number[] = [];
  // The second compare, from its index on; the first is before it, five bytes long, or six with a REX prefix.
  for (const at of occurrences(image, [1, 0x55, 0x75])) {
    for (const start of [at - 7, at - 9]) {
      const third = start < 0 ? undefined : matchX64(image, start);
      if (third !== undefined) found.push(third);
    }
  }
  return { at: onlyOne(found, `the test of ${ENGINE}`), byte: 1 };
}

/**
 * On arm64 the prefix is eight times `ldrb w, [x, #index]; cmp w, #character; b.ne elsewhere`. The first is made to
 * compare with 0x142, which no byte is.
 */
function matchArm64(words: Uint32Array, start: number): boolean {
  const base = words[start]! & 0x3E0;
  const value = words[start]! & 0x1F;
  let elsewhere: number | undefined;
  return [...Buffer.from(ENGINE)].every((character, index) => {
    const at = start + 3 * index;
    const branch = words[at + 2] ?? 0;
    const jump = at + 2 + (branch << 8 >> 13);
    return words[at] === (0x39400000 | index << 10 | base | value) &&
      words[at + 1] === (0x7100001F | character << 10 | value << 5) &&
      (branch & 0xFF00001F) === 0x54000001 && jump === (elsewhere ??= jump);
  });
}

function breakPrefixArm64(image: Buffer): Patch {
  const words = new Uint32Array(image.buffer, image.byteOffset, image.length >> 2);
  const found: number[] = [];
  const first = 0x7100001F | ENGINE.charCodeAt(0) << 10;
  for (let at = 1; at < words.length; at++) {
    if ((words[at]! & 0xFFFFFC1F) === first && matchArm64(words, at - 1)) found.push(at);
  }
  const at = 4 * onlyOne(found, `the test of ${ENGINE}`) + 2;
  return { at, byte: image[at]! | 0x04 };
}

/**
 * The allocator's options are a table of 32 bytes a row, each with its state (0: not yet looked for) and its number.
 * State 1 means: looked for in the environment and not found.
 */
function settleAllocator(image: Buffer): Patch[] {
  const isRow = (at: number, index: number) =>
    at >= 0 && image.readUInt32LE(at) === 0 && image.readUInt32LE(at + 4) === index;
  const rows = Array.from({ length: ALLOCATOR_OPTIONS }, (_, index) => index);
  const found: number[] = [];
  for (const at of occurrences(image, [ALLOCATOR_OPTIONS - 1, 0, 0, 0])) {
    const start = at - 4 - 32 * (ALLOCATOR_OPTIONS - 1);
    if (rows.every((index) => isRow(start + 32 * index, index))) found.push(start);
  }
  const start = onlyOne(found, "the allocator's options");
  return rows.map((index) => ({ at: start + 32 * index, byte: 1 }));
}

/**
 * A Bun runtime that no environment variable can turn into another program. The length stays; what is changed are
 * single bytes.
 *
 * @throws {Error} Where the runtime does not hold exactly what is to be changed.
 */
export function harden(runtime: Uint8Array, target: Target): Uint8Array {
  const image = Buffer.from(runtime);
  const patches = [
    ...variables.flatMap((variable) => renameVariable(image, target, variable)),
    target.cpu === "x64" ? breakPrefixX64(image) : breakPrefixArm64(image),
    ...settleAllocator(image),
  ];
  for (const { at, byte } of patches) image[at] = byte;
  return image;
}
