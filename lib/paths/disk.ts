/** What stands at a path, a link itself not followed. */
export type Kind = "file" | "folder" | "link" | "other" | "missing";

/**
 * The little of a file system that resolving a path takes. Every function throws an error with the system's `code`,
 * such as `EACCES`, `ENOTDIR` or `ENAMETOOLONG`, where the system does not answer.
 */
export interface Disk {
  /** What is there; a name that does not exist is `missing`, not an error. */
  kind(path: string): Kind;
  /** The text of a link. */
  readLink(path: string): string;
  /** An existing path as the system itself spells it: no links, true case, long names, its own Unicode form. */
  canonical(path: string): string;
}

/** The same disk, asked once about each path: one verdict goes by one look. */
export function remember(disk: Disk): Disk {
  const seen = new Map<string, Kind>();
  return {
    ...disk,
    kind(path) {
      const known = seen.get(path);
      if (known !== undefined) return known;
      const kind = disk.kind(path);
      seen.set(path, kind);
      return kind;
    },
  };
}
