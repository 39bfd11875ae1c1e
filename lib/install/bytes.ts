/**
 * The bytes of a file as a text of one character, U+0000 to U+00FF, for each: so what is not ours stays as it is
 * whatever its encoding, and can be searched all the same.
 */
export type Bytes = string;

/** How many bytes are turned into characters at once. */
const PIECE = 8192;

/** A file's content as characters. */
export function fromFile(content: Uint8Array): Bytes {
  let bytes = "";
  for (let at = 0; at < content.length; at += PIECE) {
    bytes += String.fromCharCode(...content.subarray(at, at + PIECE));
  }
  return bytes;
}

/** The content that the characters stand for. */
export function toFile(bytes: Bytes): Uint8Array {
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}

/** A text of ours as UTF-8. */
export function encode(text: string): Bytes {
  return fromFile(new TextEncoder().encode(text));
}

/** What the bytes say in UTF-8, decoded leniently, without a BOM. */
export function decode(bytes: Bytes): string {
  return new TextDecoder().decode(toFile(bytes));
}

/** The mark of UTF-8 at a file's start. */
export const BOM: Bytes = "\xef\xbb\xbf";

/** Splits a BOM off. */
export function splitBom(bytes: Bytes): { readonly bom: Bytes; readonly body: Bytes } {
  const bom = bytes.startsWith(BOM) ? BOM : "";
  return { bom, body: bytes.slice(bom.length) };
}

/** How a file ends its lines: as most of them do, and as Unix does where it has none. */
export function lineEnd(bytes: Bytes): "\n" | "\r\n" {
  const all = bytes.split("\n").length - 1;
  const windows = bytes.split("\r\n").length - 1;
  return windows * 2 > all ? "\r\n" : "\n";
}

/** How many lines a file has; what follows the last line end counts where it is not empty. */
export function countLines(bytes: Bytes): number {
  if (bytes === "") return 0;
  return bytes.split("\n").length - (bytes.endsWith("\n") ? 1 : 0);
}

/** The same content with the line ends of Unix, to compare what a checkout may have changed. */
export function withPlainEnds(bytes: Bytes): Bytes {
  return bytes.replaceAll("\r\n", "\n");
}
