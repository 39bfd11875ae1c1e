import { assertEquals } from "@std/assert";
import { executableKind } from "../../toolchain/executable.ts";

/** 128 bytes with some of them set. */
function header(...parts: readonly (readonly [at: number, bytes: readonly number[]])[]): Uint8Array {
  const all = new Uint8Array(128);
  for (const [at, bytes] of parts) all.set(bytes, at);
  return all;
}

const ELF = [0, [0x7F, 0x45, 0x4C, 0x46]] as const;
const MACHO = [0, [0xCF, 0xFA, 0xED, 0xFE]] as const;
const PE = [[0, [0x4D, 0x5A]], [0x3C, [0x60]], [0x60, [0x50, 0x45, 0, 0]]] as const;

Deno.test("executableKind: reads the format and the processor", () => {
  assertEquals(executableKind(header(ELF, [18, [0x3E]])), { format: "ELF", cpu: "x64" });
  assertEquals(executableKind(header(ELF, [18, [0xB7]])), { format: "ELF", cpu: "arm64" });
  assertEquals(executableKind(header(MACHO, [4, [7, 0, 0, 1]])), { format: "Mach-O", cpu: "x64" });
  assertEquals(executableKind(header(MACHO, [4, [12, 0, 0, 1]])), { format: "Mach-O", cpu: "arm64" });
  assertEquals(executableKind(header(...PE, [0x64, [0x64, 0x86]])), { format: "PE", cpu: "x64" });
  assertEquals(executableKind(header(...PE, [0x64, [0x64, 0xAA]])), { format: "PE", cpu: "arm64" });
});

Deno.test("executableKind: anything else is none", () => {
  assertEquals(executableKind(new Uint8Array()), undefined);
  assertEquals(executableKind(header()), undefined);
  assertEquals(executableKind(header(ELF, [18, [0x28]])), undefined);
  assertEquals(executableKind(header([0, [0x4D, 0x5A]], [0x3C, [0xFF, 0xFF, 0xFF, 0xFF]])), undefined);
  assertEquals(executableKind(new TextEncoder().encode("#!/bin/sh\n".repeat(20))), undefined);
});
