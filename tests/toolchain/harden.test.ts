import { assert, assertEquals, assertThrows } from "@std/assert";
import { harden } from "../../toolchain/harden.ts";
import { getRuntime } from "../../toolchain/runtime.ts";
import { findTarget, type Target } from "../../toolchain/targets.ts";

const LINUX_X64 = findTarget("x86_64-unknown-linux-gnu");
const LINUX_ARM64 = findTarget("aarch64-unknown-linux-gnu");
const WINDOWS_X64 = findTarget("x86_64-pc-windows-msvc");
const MACOS_ARM64 = findTarget("aarch64-apple-darwin");

/** The test of the prefix BUN_JSC_ as it stands in four runtimes. */
const prefixTest = {
  [LINUX_X64.triple]:
    "41803e4275e541807e015575de41807e024e75d741807e035f75d041807e044a75c941807e055375c241807e0643" +
    "75bb41807e075f75b4",
  [WINDOWS_X64.triple]:
    "803f4275e6807f015575e0807f024e75da807f035f75d4807f044a75ce807f055375c8807f064375c2807f075f" +
    "75bc",
  [LINUX_ARM64.triple]:
    "2a0140395f09017101ffff542a0540395f550171a1feff542a0940395f39017141feff542a0d40395f7d0171e1" +
    "fdff542a1140395f29017181fdff542a1540395f4d017121fdff542a1940395f0d0171c1fcff542a1d40395f7d017161fcff54",
  [MACOS_ARM64.triple]:
    "090140393f09017101ffff54090540393f550171a1feff54090940393f39017141feff54090d40393f7d0171e1" +
    "fdff54091140393f29017181fdff54091540393f4d017121fdff54091940393f0d0171c1fcff54091d40393f7d017161fcff54",
};

/** Names as a runtime holds them: as C strings, and one behind the other. */
const NAMES = "\0BUN_BE_BUN\0BUN_OPTIONS\0BUN_INSPECT\0BUN_INSPECT_CONNECT_TO\0BUN_INSPECT_PRELOAD\0" +
  "libraryBUN_OPTIONSBUN_INSPECTBUN_INSPECT_CONNECT_TOBUN_INSPECT_NOTIFYBUN_INSPECT_PRELOADNODE_ENV\0" +
  "BUN_BYTECODE_DIGEST_OUT\0BUN_BYTECODE_ORDER_OUT\0BUN_BYTECODE_ORDER_NAMES_OUT\0";

/** Names in messages, and in JavaScript that the runtime carries and must be able to read. */
const MESSAGES =
  'let url = process.env.BUN_INSPECT_NOTIFY || "BUN_INSPECT"; (BUN_BYTECODE_ORDER_OUT) Set JSC_SIGNAL_FOR_GC';

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const hex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
const text = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

/** The allocator's options: a value, the state, the option's number, two pointers. */
function options(count = 56): Uint8Array {
  const rows = new Uint8Array(32 * count);
  for (let index = 0; index < count; index++) {
    rows.set([9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, index, 0, 0, 0, 1, 2, 3, 4, 5, 6], 32 * index);
  }
  return rows;
}

interface Parts {
  names: string;
  code: string;
  table: Uint8Array;
}

function namesOf(target: Target): string {
  const collector = target.format === "PE" ? "" : "JSC_SIGNAL_FOR_GC\0";
  const unicode = target.format === "ELF" && target.cpu === "arm64" ? "" : "SIMDUTF_FORCE_IMPLEMENTATION\0";
  return NAMES + collector + unicode;
}

/** Something that holds all that is to be changed, each at a place that is divisible by four. */
function runtime(target: Target, change: Partial<Parts> = {}): Uint8Array {
  const parts = {
    names: namesOf(target),
    code: prefixTest[target.triple] ?? "",
    table: options(),
    ...change,
  };
  const all = [latin1(parts.names), hex(parts.code), parts.table, latin1(MESSAGES)];
  const image: number[] = [];
  for (const part of all) image.push(...new Uint8Array(16 - image.length % 4), ...part);
  return Uint8Array.from(image);
}

for (const target of [LINUX_X64, LINUX_ARM64, WINDOWS_X64, MACOS_ARM64]) {
  const from = runtime(target);
  const to = harden(from, target);

  Deno.test(`harden: the length stays, and the runtime that was given (${target.triple})`, () => {
    assertEquals(to.length, from.length);
    assertEquals(text(from), text(runtime(target)));
  });

  Deno.test(`harden: no variable is found by its name (${target.triple})`, () => {
    const data = text(to).slice(0, text(to).indexOf("let url"));
    for (const name of ["BUN_", "JSC_", "SIMDUTF_"]) assert(!data.includes(name), name);
  });

  Deno.test(`harden: messages and JavaScript stay (${target.triple})`, () =>
    assert(text(to).endsWith(MESSAGES)));

  Deno.test(`harden: no other byte changes than one of each name, one of the code and the states (${target.triple})`, () => {
    const changed = [...from.keys()].filter((index) => from[index] !== to[index]);
    const named = (namesOf(target).match(/BUN_(?!BUN\b)|JSC_|SIMDUTF_/g) ?? []).length;
    assertEquals(changed.length, named + 1 + 56);
  });

  Deno.test(`harden: a hardened runtime is none that is known (${target.triple})`, () => {
    assertThrows(() => harden(to, target), Error, "Cannot harden the runtime");
  });
}

Deno.test("harden: the first byte of a name becomes one that ends a name", () =>
  assert(text(harden(runtime(LINUX_X64), LINUX_X64)).includes("\0\0UN_OPTIONS\0")));

Deno.test("harden: on macOS, where an empty name can be found, it becomes one that no text holds", () =>
  assert(text(harden(runtime(MACOS_ARM64), MACOS_ARM64)).includes("\0\xFFUN_OPTIONS\0")));

Deno.test("harden: x86-64 compares one character with two others", () => {
  const code = (prefixTest[LINUX_X64.triple] ?? "").replace("41807e024e", "41807e014e");
  assert(text(harden(runtime(LINUX_X64), LINUX_X64)).includes(text(hex(code))));
  const short = (prefixTest[WINDOWS_X64.triple] ?? "").replace("807f024e", "807f014e");
  assert(text(harden(runtime(WINDOWS_X64), WINDOWS_X64)).includes(text(hex(short))));
});

Deno.test("harden: arm64 compares a byte with more than a byte holds", () => {
  // cmp w10, #0x42 becomes cmp w10, #0x142.
  const code = (prefixTest[LINUX_ARM64.triple] ?? "").replace("5f090171", "5f090571");
  assert(text(harden(runtime(LINUX_ARM64), LINUX_ARM64)).includes(text(hex(code))));
});

Deno.test("harden: every option of the allocator counts as looked for", () => {
  const table = options();
  for (let row = 0; row < 56; row++) table[32 * row + 8] = 1;
  assert(text(harden(runtime(LINUX_X64), LINUX_X64)).includes(text(table)));
});

function refuses(
  title: string,
  target: Target,
  change: (parts: Parts) => Partial<Parts>,
  reason: string,
): void {
  Deno.test(`harden: refuses ${title}`, () => {
    const parts = { names: namesOf(target), code: prefixTest[target.triple] ?? "", table: options() };
    assertThrows(
      () => harden(runtime(target, change(parts)), target),
      Error,
      `Cannot harden the runtime: found ${reason}`,
    );
  });
}

for (const name of ["BUN_BE_BUN", "BUN_OPTIONS", "BUN_INSPECT", "BUN_BYTECODE_", "JSC_SIGNAL_FOR_GC"]) {
  refuses(
    `a runtime that lacks a ${name}`,
    LINUX_X64,
    ({ names }) => ({ names: names.replace(name, "BUN") }),
    name,
  );
  refuses(
    `a runtime with a ${name} too many`,
    LINUX_X64,
    ({ names }) => ({ names: `${names}\0${name}\0` }),
    name,
  );
}

for (const target of [LINUX_X64, LINUX_ARM64, WINDOWS_X64]) {
  const test = "the test of BUN_JSC_";
  refuses(`a runtime without ${test} (${target.triple})`, target, () => ({ code: "" }), `${test} 0 times`);
  refuses(
    `${test} twice (${target.triple})`,
    target,
    ({ code }) => ({ code: `${code}00000000${code}00000000` }),
    `${test} 2 times`,
  );
  refuses(
    `${test} cut short (${target.triple})`,
    target,
    ({ code }) => ({ code: code.slice(0, -24) }),
    `${test} 0 times`,
  );
}

refuses(
  "a test that goes elsewhere by one of its jumps",
  LINUX_X64,
  ({ code }) => ({ code: code.replace("75d7", "75d8") }),
  "the test of BUN_JSC_ 0 times",
);
refuses(
  "a test with one of its registers another",
  LINUX_ARM64,
  ({ code }) => ({ code: code.replace("5f390171", "3f390171") }),
  "the test of BUN_JSC_ 0 times",
);
refuses(
  "a test with one of its characters another",
  LINUX_X64,
  ({ code }) => ({ code: code.replace("41807e044a", "41807e044b") }),
  "the test of BUN_JSC_ 0 times",
);
refuses(
  "an allocator with fewer options",
  LINUX_X64,
  () => ({ table: options(55) }),
  "the allocator's options 0 times",
);
refuses(
  "two tables of the allocator's options",
  LINUX_X64,
  () => ({ table: Uint8Array.from([...options(), ...options()]) }),
  "the allocator's options 2 times",
);

Deno.test("harden: this machine's runtime is one that is known", async () => {
  const host = findTarget("host");
  const image = await Deno.readFile((await getRuntime(host, "bun")).path);
  const hardened = harden(image, host);
  assertEquals(hardened.length, image.length);
  assertThrows(() => harden(hardened, host), Error, "Cannot harden the runtime");
});
