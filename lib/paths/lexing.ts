import type { Folder, Reading } from "./cd.ts";

/** A piece of a command line that is read by itself, such as what stands between backticks. */
export interface Piece {
  readonly text: string;
  /** `text`: not commands, but what a here-document or a string holds, where only `$(…)` is looked into. */
  readonly kind: "commands" | "text";
  /** Where it runs. */
  readonly folder: Folder;
  /** How many loops it stands in. */
  readonly loops: number;
  /** The shell that reads it, where shells differ. */
  readonly dialect: "bash" | "zsh" | "dash";
  /** It comes out of a word, in which a NUL stands for an expansion. */
  readonly derived?: boolean;
}

/** The name of a file that a command line writes. */
export interface Target {
  readonly text: string;
  /** An unquoted wildcard stands in it. */
  readonly isPattern: boolean;
}

/** Where a lexer puts what it finds. */
export interface Sink {
  /** A file that the command line writes, as seen from that folder. */
  readonly target: (target: Target, folder: Folder, repeats: boolean) => void;
  /** A `cd` into a folder; `repeats`: what stands before it may run after it. */
  readonly enter: (folder: Reading, repeats: boolean) => void;
  /** Whether it was told more than it wants to hear. */
  readonly isFull: () => boolean;
  /** Commands stand in the line that may run later. */
  readonly repeats: () => void;
  /** Here shells differ. */
  readonly differs: () => void;
  /** A piece to read later, also what may be commands after all where quotes or brackets do not match. */
  readonly later: (piece: Piece) => void;
  /** Reading on would take too long: whatever looks like a redirection is to count as one. */
  readonly giveUp: () => void;
}

/** How deep brackets and quotes of a command line may nest. */
export const DEPTH_LIMIT = 1_000;

/** How many pieces of a command line may have to be read by themselves. */
export const PIECE_LIMIT = 10_000;

/**
 * How much text may be read for a command line of that length, both in UTF-16 units. Pieces hold pieces, so that it is
 * read more than once; what goes beyond this is no honest command line.
 */
export function readingLimit(length: number): number {
  return Math.max(length, Math.min(length * 16, 16 * 1024 * 1024));
}
