import { Buffer } from "node:buffer";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { NtExecutable, NtExecutableResource, Resource } from "resedit";
import { VERSION } from "../../lib/contract/version.ts";
import { harden } from "../../toolchain/harden.ts";
import { getRuntime } from "../../toolchain/runtime.ts";
import { findTarget } from "../../toolchain/targets.ts";
import { nameProgram, versionTexts } from "../../toolchain/version-info.ts";

const sectionsOf = (image: Uint8Array) =>
  NtExecutable.from(image, { ignoreCert: true }).getAllSections().map(({ info }) => ({
    name: info.name,
    memory: info.virtualAddress,
    file: info.pointerToRawData,
    size: info.sizeOfRawData,
  }));

function infoOf(image: Uint8Array): Record<string, string>[] {
  const { entries } = NtExecutableResource.from(NtExecutable.from(image));
  return Resource.VersionInfo.fromEntries(entries).flatMap((info) => {
    const { fileVersionMS, fileVersionLS, productVersionMS, productVersionLS } = info.fixedInfo;
    const numbers = [fileVersionMS, fileVersionLS, productVersionMS, productVersionLS].join(" ");
    return info.getAllLanguagesForStringValues().map((one) => ({ ...info.getStringValues(one), numbers }));
  });
}

for (const triple of ["x86_64-pc-windows-msvc", "aarch64-pc-windows-msvc"]) {
  Deno.test(`nameProgram: ${triple} says that it is nonzero, and of its maker nothing`, async () => {
    const target = findTarget(triple);
    const runtime = await Deno.readFile((await getRuntime(target, "bun")).path);
    const hardened = harden(runtime, target);
    const named = nameProgram(hardened);

    const [major = 0, minor = 0, patch = 0] = VERSION.split(".").map(Number);
    const numbers = [major << 16 | minor, patch << 16, major << 16 | minor, patch << 16].join(" ");
    assertEquals(infoOf(named), [{ ...versionTexts, numbers }]);
    assertEquals(versionTexts.ProductName, "nonzero");
    const { entries } = NtExecutableResource.from(NtExecutable.from(named));
    // The version, the manifest and what fills the icons' place, which is nothing.
    const [filler] = entries.filter(({ type }) => type === 10);
    assertEquals(entries.map(({ type }) => Number(type)).sort((a, b) => a - b), [10, 16, 24]);
    assertEquals(new Uint8Array(filler?.bin ?? []).every((byte) => byte === 0), true);

    assertEquals(sectionsOf(named), sectionsOf(hardened));
    const resources = sectionsOf(named).find(({ name }) => name === ".rsrc");
    const [start, end] = [resources?.file ?? 0, (resources?.file ?? 0) + (resources?.size ?? 0)];
    // Outside of the resources only the headers are others, and the maker's signature at the end is gone.
    const headers = Math.min(...sectionsOf(named).map(({ file }) => file));
    const same = (from: number, to: number) =>
      Buffer.compare(named.subarray(from, to), hardened.subarray(from, to)) === 0;
    assert(same(headers, start) && same(end, named.length) && !same(start, end));
    assert(hardened.length > named.length);
    assert(Buffer.compare(nameProgram(hardened), named) === 0);
  });
}

Deno.test("nameProgram: refuses what has no version information", () => {
  assertThrows(() => nameProgram(new Uint8Array(200)), Error);
});
