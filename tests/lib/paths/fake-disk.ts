import type { Platform } from "../../../lib/contract/hook.ts";
import type { Disk, Kind } from "../../../lib/paths/disk.ts";
import { joinPath, parsePath } from "../../../lib/paths/parse.ts";

/**
 * A file system as data: each path is `folder`, `file`, `other`, `-> ` and the text of a link, `= ` and the name in
 * the same folder that it is the short name of, or `!` and the code of the error for all that is at and below it.
 * Folders above a path are there too.
 */
export type Tree = Readonly<Record<string, string>>;

interface Node {
  name: string;
  what: string;
  readonly children: Map<string, Node>;
}

function parse(path: string, platform: Platform): { root: string; segments: readonly string[] } {
  const parsed = parsePath(path, platform);
  if (parsed.kind !== "absolute") throw new Error(`Cannot use "${path}": it is not absolute`);
  return parsed;
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** A disk of that platform that holds a tree. It also counts how often it was asked. */
export function fakeDisk(tree: Tree, platform: Platform): Disk & { asked: number } {
  const key = (name: string) => platform === "linux" ? name : name.normalize("NFC").toLowerCase();
  const roots = new Map<string, Node>();
  for (const [path, what] of Object.entries(tree)) {
    const { root, segments } = parse(path, platform);
    let node = roots.get(key(root)) ?? { name: root, what: "folder", children: new Map() };
    roots.set(key(root), node);
    for (const name of segments) {
      const child = node.children.get(key(name)) ?? { name, what: "folder", children: new Map() };
      node.children.set(key(name), child);
      node = child;
    }
    node.what = what;
  }

  /** The nodes from the root to a path; undefined where it is missing. Throws as a system does. */
  function find(path: string): { root: string; nodes: Node[] } | undefined {
    disk.asked++;
    const { root, segments } = parse(path, platform);
    let node = roots.get(key(root));
    if (!node) return undefined;
    const found = { root: node.name, nodes: [] as Node[] };
    for (const name of segments) {
      // A mounted disk is a link in name only.
      if (node.what !== "folder" && !node.what.includes("\\Volume{")) throw failure("ENOTDIR");
      let child: Node | undefined = node.children.get(key(name));
      if (child?.what.startsWith("= ")) child = node.children.get(key(child.what.slice(2)));
      if (!child) return undefined;
      if (child.what.startsWith("!")) throw failure(child.what.slice(1));
      found.nodes.push(child);
      node = child;
    }
    return found;
  }

  const disk = {
    asked: 0,
    kind(path: string): Kind {
      const found = find(path);
      if (!found) return "missing";
      const what = found.nodes.at(-1)?.what ?? "folder";
      return what.startsWith("-> ") ? "link" : what as Kind;
    },
    readLink(path: string): string {
      const what = find(path)?.nodes.at(-1)?.what ?? "";
      if (!what.startsWith("-> ")) throw failure("EINVAL");
      return what.slice(3);
    },
    canonical(path: string): string {
      const found = find(path);
      if (!found) throw failure("ENOENT");
      return joinPath(found.root, found.nodes.map(({ name }) => name), platform);
    },
  };
  return disk;
}
