import { crc32 } from "node:zlib";
import { fromFileUrl } from "@std/path";
import { concat } from "../../lib/release/ssh-wire.ts";
import { getRuntime } from "../runtime.ts";
import { findTarget } from "../targets.ts";
import type { ArchiveEntry } from "./tar.ts";

/** Makes bytes smaller by deflate. */
export type Deflate = (bytes: Uint8Array) => Promise<Uint8Array>;

async function pipe(program: string, args: readonly string[], input: Uint8Array): Promise<Uint8Array> {
  const path = Deno.env.get("PATH");
  const child = new Deno.Command(program, {
    args: [...args],
    clearEnv: true,
    env: path === undefined ? {} : { PATH: path },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const feed = async () => {
    const writer = child.stdin.getWriter();
    await writer.write(input);
    await writer.close();
  };
  const [, { success, stdout, stderr }] = await Promise.all([feed().catch(() => {}), child.output()]);
  if (!success) throw new Error(`Cannot compress: ${program} failed\n${new TextDecoder().decode(stderr)}`);
  return stdout;
}

/**
 * Deflates by the libdeflate that this machine's pinned Bun has in it: two per cent smaller than zlib does, and the
 * same bytes on every machine.
 */
export async function deflateWithBun(bytes: Uint8Array): Promise<Uint8Array> {
  const bun = await getRuntime(findTarget("host"), "bun");
  return await pipe(bun.path, [fromFileUrl(new URL("./deflate.mjs", import.meta.url))], bytes);
}

/** Compresses by this machine's xz. Throws where there is none. */
export async function xz(bytes: Uint8Array): Promise<Uint8Array> {
  return await pipe("xz", ["--format=xz", "-9e", "--threads=1", "--stdout"], bytes);
}

/** Numbers of 16 (`s`) and 32 (`l`) bits, little-endian. */
function pack(form: string, ...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array([...form].reduce((sum, kind) => sum + (kind === "s" ? 2 : 4), 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  [...form].forEach((kind, index) => {
    const value = values[index] ?? 0;
    if (kind === "s") view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += kind === "s" ? 2 : 4;
  });
  return bytes;
}

/** A gzip file without a time, a name or a system: the same for the same bytes. */
export async function gzip(bytes: Uint8Array, deflate: Deflate): Promise<Uint8Array<ArrayBuffer>> {
  const head = Uint8Array.of(0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255);
  return concat(head, await deflate(bytes), pack("ll", crc32(bytes), bytes.length % 2 ** 32));
}

/** 1 January 1980, as MS-DOS wrote it. */
const DATE = 1 << 5 | 1;
const UNIX = 3;
const VERSION = 20;
const NAMES_IN_UTF8 = 0x0800;

/**
 * A zip file of the folders and files: every time the same, modes as in a tar file.
 *
 * @throws {Error} Where an entry is a link: zip has none that every system follows.
 */
export async function zip(
  entries: readonly ArchiveEntry[],
  deflate: Deflate,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  const index: Uint8Array[] = [];
  let at = 0;
  for (const entry of entries) {
    if (entry.kind === "link") throw new Error(`Cannot archive "${entry.name}": zip has no links`);
    const folder = entry.kind === "folder";
    const name = new TextEncoder().encode(folder ? `${entry.name}/` : entry.name);
    const bytes = folder ? new Uint8Array() : entry.bytes;
    const deflated = await deflate(bytes);
    const small = deflated.length < bytes.length;
    const data = small ? deflated : bytes;
    const common = pack("sssss", VERSION, NAMES_IN_UTF8, small ? 8 : 0, 0, DATE);
    const sizes = pack("lllss", crc32(bytes), data.length, bytes.length, name.length, 0);
    const mode = folder ? 0o040755 : entry.executable ? 0o100755 : 0o100644;
    const local = concat(pack("l", 0x04034B50), common, sizes, name);
    index.push(concat(
      pack("ls", 0x02014B50, UNIX << 8 | VERSION),
      common,
      sizes,
      pack("sssll", 0, 0, 0, mode * 2 ** 16 + (folder ? 0x10 : 0), at),
      name,
    ));
    parts.push(local, data);
    at += local.length + data.length;
  }
  const size = index.reduce((sum, { length }) => sum + length, 0);
  const end = pack("lsssslls", 0x06054B50, 0, 0, index.length, index.length, size, at, 0);
  return concat(...parts, ...index, end);
}
