import { NtExecutable, NtExecutableResource, Resource } from "resedit";
import { VERSION } from "../lib/contract/version.ts";

/** English of the United States, in UTF-16: what the runtime's own texts are in. */
const LANGUAGE = { lang: 1033, codepage: 1200 } as const;

/** The numbers that Windows has for icons and groups of them. */
const ICONS: readonly (number | string)[] = [3, 14];

/** The number for bytes that mean nothing to Windows. */
const RAW = 10;

/** What Windows shows of the program in its properties. */
export const versionTexts: Readonly<Record<string, string>> = {
  ProductName: "nonzero",
  FileDescription: "nonzero",
  InternalName: "nonzero",
  OriginalFilename: "nonzero.exe",
  FileVersion: VERSION,
  ProductVersion: VERSION,
  LegalCopyright: "MIT",
};

/**
 * A Windows runtime that is called nonzero, and no longer shows its maker's name, icon and signature, none of which
 * is true of what is compiled on it. Its sections stay where they are.
 *
 * @throws {Error} Where it has no version information in that language, or ours does not fit in the place of it.
 */
export function nameProgram(runtime: Uint8Array): Uint8Array {
  const executable = NtExecutable.from(runtime, { ignoreCert: true });
  const resource = NtExecutableResource.from(executable);
  const [info] = Resource.VersionInfo.fromEntries(resource.entries);
  if (info === undefined || Object.keys(info.getStringValues(LANGUAGE)).length === 0) {
    throw new Error("Cannot name the runtime: it has no version information");
  }
  info.removeAllStringValues(LANGUAGE);
  info.setStringValues(LANGUAGE, versionTexts);
  const [major = 0, minor = 0, patch = 0] = VERSION.split(".").map(Number);
  info.setFileVersion(major, minor, patch, 0, LANGUAGE.lang);
  info.setProductVersion(major, minor, patch, 0, LANGUAGE.lang);
  // It sets the strings too, by four numbers.
  info.setStringValues(LANGUAGE, versionTexts);
  info.outputToResourceEntries(resource.entries);
  const icons = resource.entries.filter(({ type }) => ICONS.includes(type));
  // Nothing in their place, of their size, so that what comes behind the resources need not move.
  const room = new ArrayBuffer(icons.reduce((sum, { bin }) => sum + bin.byteLength, 0));
  const filler = { type: RAW, id: 1, lang: LANGUAGE.lang, codepage: LANGUAGE.codepage, bin: room };
  resource.entries = [...resource.entries.filter((entry) => !icons.includes(entry)), filler];
  resource.outputResource(executable, true);
  return new Uint8Array(executable.generate());
}
