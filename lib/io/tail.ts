import { closeSync, readSync } from "node:fs";
import { expired } from "./clock.ts";
import { FileError, openRegular } from "./files.ts";

/** How much is read at a time, in bytes. */
const BLOCK = 64 * 1024;

/** What is read before the deadline is looked at, in bytes. */
const SOON = 1024 * 1024;

const NEWLINE = 10;
const RETURN = 13;

/** The text of a line without its end; undefined if it is too long. */
function decode(bytes: Uint8Array, limit: number, decoder: TextDecoder): string | undefined {
  const end = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
  return end > limit ? undefined : decoder.decode(bytes.subarray(0, end));
}

/** What follows in a line that is read from its end. */
class Rest {
  readonly #limit: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Adds what stands before; of a line that is too long nothing is kept. */
  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    // One more, for a carriage return may end it.
    if (this.#length > this.#limit + 1) this.#pieces = [];
    else if (bytes.length > 0) this.#pieces.push(bytes.slice());
  }

  /** The text as it stands now, undefined if it is too long; then begins another line. */
  take(decoder: TextDecoder): string | undefined {
    const length = this.#length;
    const pieces = this.#pieces.reverse();
    this.#pieces = [];
    this.#length = 0;
    if (length > this.#limit + 1) return undefined;
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return decode(bytes, this.#limit, decoder);
  }
}

function readBlock(descriptor: number, block: Uint8Array, from: number, length: number): Uint8Array {
  for (let done = 0; done < length;) {
    const count = readSync(descriptor, block, done, length - done, from + done);
    if (count === 0) throw new FileError("was cut short while it was read");
    done += count;
  }
  return block.subarray(0, length);
}

/**
 * The lines of a regular file, the last one first, decoded leniently, without their ends; empty ones are left out.
 * `limits.bytes` is how far back from the end it reads, and a line that this cuts is not given; for a line of more
 * than `limits.line` bytes it gives undefined, and does not hold it in memory. What is written meanwhile is not seen.
 * Throws FileError, also when the deadline passes first.
 */
export function* readLinesBackwards(
  path: string,
  limits: { readonly bytes: number; readonly line: number },
): Generator<string | undefined> {
  const { descriptor, size } = openRegular(path);
  try {
    // The byte before the first that counts tells whether a line begins there.
    const floor = Math.max(0, size - limits.bytes - 1);
    const block = new Uint8Array(Math.min(BLOCK, size - floor));
    const decoder = new TextDecoder();
    const rest = new Rest(limits.line);
    for (let from = size; from > floor;) {
      const length = Math.min(BLOCK, from - floor);
      from -= length;
      if (size - from > SOON && expired()) throw new FileError("is too large to be read in time");
      const bytes = readBlock(descriptor, block, from, length);
      let end = length;
      // Not lastIndexOf, which takes long where lines are short.
      for (let at = length - 1; at >= 0; at--) {
        if (bytes[at] !== NEWLINE) continue;
        const line = bytes.subarray(at + 1, end);
        end = at;
        if (line.length === 0 && rest.isEmpty) continue;
        let text: string | undefined;
        if (rest.isEmpty) {
          text = decode(line, limits.line, decoder);
        } else {
          rest.add(line);
          text = rest.take(decoder);
        }
        if (text !== "") yield text;
      }
      rest.add(bytes.subarray(0, end));
    }
    if (size > limits.bytes) return;
    const text = rest.take(decoder);
    if (text !== "") yield text;
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError("cannot be read");
  } finally {
    closeSync(descriptor);
  }
}
