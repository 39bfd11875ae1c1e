import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { FileError } from "../../../lib/io/files.ts";
import { LockError, withLock } from "../../../lib/io/lock.ts";
import {
  missingFolders,
  removeFolders,
  replaceAll,
  type Replacement,
  type Steps,
  SYSTEM,
  targetOf,
} from "../../../lib/io/replace.ts";

const POSIX = Deno.build.os !== "windows";

const bytes = (text: string) => new TextEncoder().encode(text);

async function inFolder(use: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "nonzero-" }));
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** All that is in a folder: the content and mode of files, where links lead. */
function snapshot(folder: string, below = ""): Record<string, string> {
  return Object.fromEntries(
    [...Deno.readDirSync(join(folder, below))].flatMap(({ name, isDirectory, isSymlink }) => {
      const path = join(below, name);
      const full = join(folder, path);
      if (isSymlink) return [[path, `-> ${Deno.readLinkSync(full)}`]];
      if (isDirectory) return [[path, "folder"], ...Object.entries(snapshot(folder, path))];
      return [[path, `${Deno.lstatSync(full).mode} ${Deno.readTextFileSync(full)}`]];
    }).sort(),
  );
}

/** Four files of each kind of change, and two folders. */
function setUp(folder: string): { all: Replacement[]; folders: string[] } {
  const at = (name: string) => join(folder, name);
  Deno.writeTextFileSync(at("changed"), "before", { mode: 0o640 });
  Deno.writeTextFileSync(at("removed"), "gone", { mode: 0o604 });
  return {
    folders: [at("a"), at(join("a", "b"))],
    all: [
      { path: at("changed"), before: bytes("before"), after: bytes("after") },
      { path: at(join("a", "b", "new")), before: undefined, after: bytes("new") },
      { path: at("removed"), before: bytes("gone"), after: undefined },
      { path: at("secret"), before: undefined, after: bytes("s"), secret: true },
    ],
  };
}

/** Steps of which one fails, and how many were taken. */
function failing(at: number): Steps & { readonly count: () => number } {
  let count = 0;
  const wrap = <Args extends readonly unknown[]>(step: (...args: Args) => void) => (...args: Args) => {
    if (count++ === at) throw new Error("ENOSPC: no space left on device");
    step(...args);
  };
  return {
    makeFolder: wrap(SYSTEM.makeFolder),
    write: wrap(SYSTEM.write),
    keep: wrap(SYSTEM.keep),
    rename: wrap(SYSTEM.rename),
    remove: wrap(SYSTEM.remove),
    count: () => count,
  };
}

Deno.test("replaceAll: all files, with the mode that they had, and nothing beside them", () =>
  inFolder((folder) => {
    const { all, folders } = setUp(folder);
    replaceAll(all, folders);
    const found = snapshot(folder);
    assertEquals(
      Object.keys(found),
      ["a", join("a", "b"), join("a", "b", "new"), "changed", "secret"].toSorted(),
    );
    assertMatch(found["changed"] ?? "", / after$/);
    if (!POSIX) return;
    assertEquals(Deno.statSync(join(folder, "changed")).mode! & 0o777, 0o640);
    assertEquals(Deno.statSync(join(folder, "secret")).mode! & 0o777, 0o600);
    assertEquals(Deno.statSync(join(folder, "a", "b", "new")).mode! & 0o777, 0o666 & ~Deno.umask());
  }));

Deno.test("replaceAll: whichever step fails, everything is as before", async () => {
  let steps = 0;
  for (let at = 0; at === 0 || at < steps; at++) {
    await inFolder((folder) => {
      const { all, folders } = setUp(folder);
      const before = snapshot(folder);
      const taken = failing(at);
      const error = assertThrows(() => replaceAll(all, folders, taken), FileError, "no space left");
      assert(error.message.startsWith(folder), error.message);
      assertEquals(snapshot(folder), before, `step ${at}`);
      const counting = failing(-1);
      replaceAll(all, folders, counting);
      steps = counting.count();
    });
  }
  assertEquals(steps, 2 + 3 + 2 + 4);
});

Deno.test("replaceAll: is not ended half way by a signal", () =>
  inFolder((folder) => {
    if (!POSIX) return;
    const { all, folders } = setUp(folder);
    const signalled: Steps = {
      ...SYSTEM,
      rename(from, to) {
        for (const signal of ["SIGTERM", "SIGHUP"] as const) Deno.kill(Deno.pid, signal);
        SYSTEM.rename(from, to);
      },
    };
    replaceAll(all, folders, signalled);
    assertEquals(Deno.readTextFileSync(join(folder, "changed")), "after");
  }));

Deno.test("replaceAll: where the file system knows no second names, a copy is kept", () =>
  inFolder((folder) => {
    const { all, folders } = setUp(folder);
    const before = snapshot(folder);
    const noLinks: Steps = {
      ...SYSTEM,
      keep() {
        throw Object.assign(new Error("EPERM: operation not permitted"), { code: "EPERM" });
      },
    };
    const late: Steps = {
      ...noLinks,
      remove() {
        throw new Error("EROFS: read-only file system");
      },
    };
    assertThrows(() => replaceAll(all, folders, late), FileError, "EROFS");
    assertEquals(snapshot(folder), before);
    replaceAll(all, folders, noLinks);
    assertEquals(Deno.readTextFileSync(join(folder, "changed")), "after");
  }));

Deno.test("replaceAll: a file that somebody else changed meanwhile is left, as are all others", () =>
  inFolder((folder) => {
    for (const other of ["other", undefined]) {
      const { all, folders } = setUp(folder);
      if (other === undefined) Deno.removeSync(join(folder, "removed"));
      else Deno.writeTextFileSync(join(folder, "removed"), other);
      const before = snapshot(folder);
      assertThrows(() => replaceAll(all, folders), FileError, join(folder, "removed"));
      assertEquals(snapshot(folder), before);
    }
    const { all, folders } = setUp(folder);
    Deno.writeTextFileSync(join(folder, "secret"), "mine");
    assertThrows(() => replaceAll(all, folders), FileError, "somebody else");
    assertEquals(Deno.readTextFileSync(join(folder, "secret")), "mine");
  }));

Deno.test("targetOf: through links, also of folders, with what is not there yet", () =>
  inFolder((folder) => {
    if (!POSIX) return;
    const at = (...names: string[]) => join(folder, ...names);
    Deno.mkdirSync(at("real"));
    Deno.writeTextFileSync(at("real", "file"), "");
    Deno.symlinkSync("real", at("link"));
    Deno.symlinkSync("link/file", at("deep"));
    Deno.symlinkSync("nowhere", at("dangling"));
    Deno.symlinkSync("round", at("round"));
    assertEquals(targetOf(at("link", "file")), at("real", "file"));
    assertEquals(targetOf(at("deep")), at("real", "file"));
    assertEquals(targetOf(at("link", "new", "er")), at("real", "new", "er"));
    for (const name of ["dangling", "round"]) assertThrows(() => targetOf(at(name)), FileError, at(name));
  }));

Deno.test("missingFolders and removeFolders: what is made is what is removed, where it is empty", () =>
  inFolder((folder) => {
    const at = (...names: string[]) => join(folder, ...names);
    Deno.mkdirSync(at("a"));
    const missing = missingFolders([at("a", "b", "c", "f"), at("a", "g"), at("a", "b", "h")]);
    assertEquals(missing, [at("a", "b"), at("a", "b", "c")]);
    for (const path of missing) Deno.mkdirSync(path);
    Deno.writeTextFileSync(at("a", "b", "mine"), "");
    removeFolders(missing);
    assertEquals(Object.keys(snapshot(folder)), ["a", join("a", "b"), join("a", "b", "mine")].toSorted());
  }));

Deno.test("withLock: one at a time, and the lock goes whatever happens", () =>
  inFolder((folder) => {
    const path = join(folder, "state", "lock");
    const inner = () => withLock(path, () => "inner");
    assertEquals(
      withLock(path, () => assertThrows(inner, LockError, `process ${Deno.pid} has ${path}`).name),
      "LockError",
    );
    assertThrows(
      () =>
        withLock(path, () => {
          throw new Error("work");
        }),
      Error,
      "work",
    );
    assertEquals(inner(), "inner");
    assertEquals(Object.keys(snapshot(folder)), ["state"]);
  }));

Deno.test("withLock: a lock that nobody holds any more is taken", () =>
  inFolder((folder) => {
    const path = join(folder, "lock");
    const old = (Date.now() - 120_000) / 1000;
    for (const said of ["", "garbage", `${Deno.pid}\n`]) {
      Deno.writeTextFileSync(path, said);
      assertThrows(() => withLock(path, () => {}), LockError);
      Deno.utimeSync(path, old, old);
      assertEquals(withLock(path, () => "done"), "done");
    }
    if (Deno.build.os !== "linux") return;
    // No process has that number: it is above the highest one.
    Deno.writeTextFileSync(path, "4194305\n");
    assertEquals(withLock(path, () => "done"), "done");
  }));

Deno.test("withLock: where no lock can be made, nothing is done", () =>
  inFolder((folder) => {
    Deno.writeTextFileSync(join(folder, "file"), "");
    assertThrows(
      () => withLock(join(folder, "file", "lock"), () => assert(false)),
      FileError,
      "cannot be written",
    );
  }));
