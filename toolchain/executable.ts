import type { Target } from "./targets.ts";

/** The processor's number in each format's header. */
const cpus = {
  ELF: { 0x3E: "x64", 0xB7: "arm64" },
  "Mach-O": { 0x0100_0007: "x64", 0x0100_000C: "arm64" },
  PE: { 0x8664: "x64", 0xAA64: "arm64" },
} as const;

/** What an executable runs on. */
export type Kind = Pick<Target, "format" | "cpu">;

function kind(format: Target["format"], cpu: number): Kind | undefined {
  const known: Readonly<Record<number, Target["cpu"]>> = cpus[format];
  return known[cpu] === undefined ? undefined : { format, cpu: known[cpu] };
}

/** What an executable's header says it runs on; undefined if it is none that is known. */
export function executableKind(header: Uint8Array): Kind | undefined {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  if (view.byteLength < 64) return undefined;
  if (view.getUint32(0) === 0x7F454C46) return kind("ELF", view.getUint16(18, true));
  if (view.getUint32(0, true) === 0xFEEDFACF) return kind("Mach-O", view.getUint32(4, true));
  const pe = view.getUint32(0x3C, true);
  if (view.getUint16(0) !== 0x4D5A || pe + 6 > view.byteLength || view.getUint32(pe) !== 0x50450000) {
    return undefined;
  }
  return kind("PE", view.getUint16(pe + 4, true));
}

/**
 * Reads a file's header.
 *
 * @throws {Error} Where it is no executable for the target.
 */
export async function checkExecutable(path: string, target: Target): Promise<void> {
  const header = new Uint8Array(4096);
  using file = await Deno.open(path);
  const length = await file.read(header) ?? 0;
  const found = executableKind(header.subarray(0, length));
  if (found?.format === target.format && found.cpu === target.cpu) return;
  const what = found ? `${found.format} for ${found.cpu}` : "no executable";
  throw new Error(`Cannot use ${path} for ${target.triple}: it is ${what}`);
}
