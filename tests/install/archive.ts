/** Writes archives as no well-meant program would, to see them refused, and small releases of a stand-in. */
import { createHash } from "node:crypto";

/** One entry of a tar archive; a file unless it has a type. */
export interface TarEntry {
  readonly name: string;
  readonly text?: string;
  readonly mode?: number;
  /** As the format has it: 0 a file, 1 a hard link, 2 a symlink, 5 a folder, 6 a pipe. */
  readonly type?: "0" | "1" | "2" | "5" | "6";
  readonly link?: string;
}

const BLOCK = 512;
const encoder = new TextEncoder();

function header({ name, text = "", mode = 0o644, type = "0", link = "" }: TarEntry): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const put = (at: number, value: string) => block.set(encoder.encode(value), at);
  const octal = (at: number, length: number, value: number) =>
    put(at, `${value.toString(8).padStart(length - 1, "0")}\0`);
  put(0, name);
  octal(100, 8, mode);
  octal(108, 8, 0);
  octal(116, 8, 0);
  octal(124, 12, encoder.encode(text).length);
  octal(136, 12, 0);
  put(148, " ".repeat(8));
  put(156, type);
  put(157, link);
  put(257, "ustar\x0000");
  put(148, `${block.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, "0")}\0 `);
  return block;
}

/** A gzipped tar archive of exactly those entries. */
export async function tarGz(entries: readonly TarEntry[]): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (const entry of entries) {
    const body = encoder.encode(entry.text ?? "");
    parts.push(header(entry), body, new Uint8Array((BLOCK - body.length % BLOCK) % BLOCK));
  }
  const blob = new Blob([...parts, new Uint8Array(2 * BLOCK)]);
  const zipped = blob.stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(zipped).arrayBuffer());
}

/** The SHA-256 of bytes, in hexadecimal. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The text of SHA256SUMS for those files. */
export function sumsOf(files: Readonly<Record<string, Uint8Array>>): string {
  return Object.entries(files).map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`).join("");
}

/** What a stand-in for the program is like. */
export interface Fake {
  readonly version: string;
  readonly target: string;
  /** The script that stands in for the executable; without it one that says its version. */
  readonly program?: string;
  /** Entries beside the usual ones. */
  readonly more?: readonly TarEntry[];
  readonly buildRecord?: string;
}

/** The entries of a release's archive whose executable is a small script; one hook is a link to it. */
export function fakeEntries({ version, target, program, more = [], buildRecord }: Fake): TarEntry[] {
  const top = `nonzero-${version}-${target}`;
  const script = program ??
    `#!/bin/sh\ncase "$1" in --version) echo "nonzero ${version}" ;; *) exit 64 ;; esac\n`;
  const record = buildRecord ?? `${JSON.stringify({ name: "nonzero", version, target }, null, 2)}\n`;
  return [
    { name: `${top}/`, type: "5", mode: 0o755 },
    { name: `${top}/BUILD.json`, text: record },
    { name: `${top}/nonzero`, text: script, mode: 0o755 },
    { name: `${top}/hooks/`, type: "5", mode: 0o755 },
    { name: `${top}/hooks/pre-tool-use`, type: "1", mode: 0o755, link: `${top}/nonzero` },
    ...more,
  ];
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ value >>> 1 : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (crcTable[(value ^ byte) & 0xff] ?? 0) ^ value >>> 8;
  return ~value >>> 0;
}

/** Numbers as a zip archive has them: each with its width in bytes. */
function little(...fields: readonly (readonly [number, 2 | 4])[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    fields.flatMap(([value, width]) => Array.from({ length: width }, (_, at) => value >>> 8 * at & 0xff)),
  );
}

/** A zip archive of those entries, as they are; a type other than a file's or folder's goes into their attributes. */
export function zip(entries: readonly TarEntry[]): Uint8Array<ArrayBuffer> {
  const KINDS: Readonly<Record<string, number>> = { "0": 0o100000, "2": 0o120000, "5": 0o040000 };
  const [parts, list]: [Uint8Array[], Uint8Array[]] = [[], []];
  let offset = 0;
  let listed = 0;
  for (const { name, text = "", link = "", type = "0", mode = 0o644 } of entries) {
    const [path, body] = [encoder.encode(name), encoder.encode(type === "2" ? link : text)];
    const common = little(
      [20, 2],
      [0, 2],
      [0, 2],
      [0, 2],
      [0x21, 2],
      [crc32(body), 4],
      [body.length, 4],
      [body.length, 4],
      [path.length, 2],
      [0, 2],
    );
    const attributes = (((KINDS[type] ?? 0) | mode) << 16) >>> 0;
    const entry = [little([0x04034b50, 4]), common, path, body];
    const row = [
      little([0x02014b50, 4], [0x0314, 2]),
      common,
      little([0, 2], [0, 2], [0, 2], [attributes, 4], [offset, 4]),
      path,
    ];
    parts.push(...entry);
    list.push(...row);
    offset += entry.reduce((sum, part) => sum + part.length, 0);
    listed += row.reduce((sum, part) => sum + part.length, 0);
  }
  const count = entries.length;
  const end = little([0x06054b50, 4], [0, 4], [count, 2], [count, 2], [listed, 4], [offset, 4], [0, 2]);
  const whole = [...parts, ...list, end];
  const bytes = new Uint8Array(whole.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of whole) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
