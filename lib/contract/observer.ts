/** An instruction file that the agent has loaded; what the event does not say is null. */
export interface Load {
  readonly filePath: string | null;
  readonly loadReason: string | null;
  readonly cwd: string | null;
}

/** A hook that is told of something and decides nothing. It exits 0 whatever happens. */
export type Observer =
  & {
    readonly kind: "observer";
    readonly name: string;
    /** One line for help and documents. */
    readonly summary: string;
  }
  & (
    /** Told that a session starts: what the agent is given to know, by the texts of the project's memory files. */
    | { readonly says: (memory: readonly string[]) => string | undefined }
    /** Told that instructions were loaded: a line for a file in the agent's own folder. */
    | {
      readonly file: string;
      /** `time` is now, as ISO 8601 in UTC. */
      readonly line: (load: Load, time: string) => Readonly<Record<string, string | null>>;
    }
  );
