/** Bytes are not of the form that SSH gives keys and signatures; the message says why, in half a sentence. */
export class WireError extends Error {
  override readonly name = "WireError";
}

/** Bytes one after the other. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Text as bytes. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A number of 32 bits, as SSH writes it. */
export function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** Bytes or text with their length before them. */
export function lengthPrefixed(value: Uint8Array | string): Uint8Array {
  const bytes = typeof value === "string" ? utf8(value) : value;
  return concat(uint32(bytes.length), bytes);
}

/** Whether two runs of bytes are the same. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** Bytes as text of base64. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** The bytes that text of base64 stands for. Throws WireError. */
export function fromBase64(text: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) throw new WireError("is no base64");
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Reads what SSH wrote, from its beginning on. Every method throws WireError where the bytes end too soon. */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next so many bytes. */
  take(count: number): Uint8Array {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new WireError("is cut short");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  /** The next number of 32 bits. */
  uint32(): number {
    const bytes = this.take(4);
    return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0);
  }

  /** The next bytes that have their length before them. */
  bytes(): Uint8Array {
    return this.take(this.uint32());
  }

  /** The same as text. */
  text(): string {
    return new TextDecoder().decode(this.bytes());
  }

  /** What is left. */
  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  /** Throws WireError where anything is left. */
  end(): void {
    if (this.rest().length > 0) throw new WireError("has something behind its end");
  }
}
