import { concat } from "../../lib/release/ssh-wire.ts";

/** What an archive holds, in its order. Folders come before what is in them, files before links to them. */
export type ArchiveEntry =
  | { readonly kind: "folder"; readonly name: string }
  | { readonly kind: "file"; readonly name: string; readonly bytes: Uint8Array; readonly executable: boolean }
  /** One more name for a file of the archive, by its name there. */
  | { readonly kind: "link"; readonly name: string; readonly target: string };

/** 1 January 1980, 0:00 UTC, in seconds: the earliest moment that a zip file can say, too. */
export const MOMENT = 315_532_800;

const BLOCK = 512;
const KINDS = { file: "0", link: "1", folder: "5" } as const;

/** Where the fields of a header begin, and how long they are (POSIX.1-1988, ustar). */
const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  time: [136, 12],
  sum: [148, 8],
  kind: [156, 1],
  target: [157, 100],
  magic: [257, 8],
  prefix: [345, 155],
} as const;

type Field = keyof typeof FIELDS;

function put(header: Uint8Array, field: Field, text: string): void {
  const [at, length] = FIELDS[field];
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > length) {
    throw new Error(`Cannot archive "${text}": it is too long for a header's ${field}`);
  }
  header.set(bytes, at);
}

function putNumber(header: Uint8Array, field: Field, value: number): void {
  put(header, field, `${value.toString(8).padStart(FIELDS[field][1] - 1, "0")}\0`);
}

/** A name of up to 255 characters in two fields. */
function putName(header: Uint8Array, name: string): void {
  const [, length] = FIELDS.name;
  const cut = name.length <= length ? -1 : name.indexOf("/", name.length - length - 1);
  // A folder's name ends in a slash, behind which nothing would be left.
  const parts = cut > 0 && cut < name.length - 1 ? [name.slice(0, cut), name.slice(cut + 1)] : ["", name];
  put(header, "prefix", parts[0] ?? "");
  put(header, "name", parts[1] ?? "");
}

function header(entry: ArchiveEntry): Uint8Array {
  const bytes = new Uint8Array(BLOCK);
  putName(bytes, entry.kind === "folder" ? `${entry.name}/` : entry.name);
  putNumber(bytes, "mode", entry.kind === "file" && !entry.executable ? 0o644 : 0o755);
  for (const owner of ["uid", "gid"] as const) putNumber(bytes, owner, 0);
  putNumber(bytes, "size", entry.kind === "file" ? entry.bytes.length : 0);
  putNumber(bytes, "time", MOMENT);
  put(bytes, "kind", KINDS[entry.kind]);
  if (entry.kind === "link") put(bytes, "target", entry.target);
  put(bytes, "magic", "ustar\x0000");
  // The sum is of the header with spaces in its own place.
  put(bytes, "sum", " ".repeat(8));
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  put(bytes, "sum", `${sum.toString(8).padStart(6, "0")}\0 `);
  return bytes;
}

/**
 * A tar file: every owner 0 without a name, every time the same, modes 0755 and 0644.
 *
 * @throws {Error} Where a name is too long.
 */
export function tar(entries: readonly ArchiveEntry[]): Uint8Array<ArrayBuffer> {
  const blocks = entries.flatMap((entry) => {
    if (entry.kind !== "file") return [header(entry)];
    return [header(entry), entry.bytes, new Uint8Array(-entry.bytes.length & BLOCK - 1)];
  });
  return concat(...blocks, new Uint8Array(2 * BLOCK));
}
