/** A piece of a command line that is read by itself, such as what stands between backticks. */
export interface Piece {
  readonly text: string;
  /** `text`: not commands, but what a here-document or a string holds, where only `$(…)` is looked into. */
  readonly kind: "commands" | "text";
}

/** Where a lexer puts what it finds. */
export interface Sink {
  /** A file that the command line writes. */
  readonly target: (path: string) => void;
  /** A piece to read later, also what may be commands after all where quotes or brackets do not match. */
  readonly later: (piece: Piece) => void;
  /** Reading on would take too long: whatever looks like a redirection is to count as one. */
  readonly giveUp: () => void;
}

/** How many times over a command line may be read, since pieces hold pieces. What goes beyond is no honest one. */
export const READINGS = 16;
