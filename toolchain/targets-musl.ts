/** What an executable for musl takes of a system: musl, and a libstdc++ for it, which Debian does not have. */
import { join } from "@std/path";
import { root as checkout } from "./root.ts";
import type { RootFile } from "./targets-root.ts";
import { exists, firstLine, output } from "./targets-run.ts";

/** A processor, in the words of those who provide for it. */
export interface Processor {
  /** Debian's name. */
  readonly debian: string;
  /** The end of the loader's name. */
  readonly musl: string;
  /** What GCC's programs for it begin with. */
  readonly gcc: string;
}

/** What glibc has and musl lacks of what libstdc++ was compiled to use. */
const GLIBC = `#include <stddef.h>
void *__dso_handle __attribute__((visibility("hidden"))) = 0;
char __libc_single_threaded = 0;
int _dl_find_object(void *address, void *result) { return -1; }
unsigned long getauxval(unsigned long);
unsigned long __getauxval(unsigned long type) { return getauxval(type); }
int getentropy(void *, size_t);
unsigned arc4random(void) { unsigned number = 0; getentropy(&number, sizeof number); return number; }
`;

/**
 * The names that an executable may take from libstdc++; those of its own among them do no harm. The tables of types are
 * copied into it, and so count as its own.
 */
async function readWanted(executable: string): Promise<readonly string[]> {
  const names = (await output(["nm", "-D", executable])).split("\n").map((line) =>
    /^.{16} [UuVBW] ([^@\s]+)/.exec(line)?.[1] ?? ""
  );
  return names.filter((name) => /^(?:_Z|__cxa_|__dynamic_cast)/.test(name));
}

/** Links what is wanted of the libstdc++ for glibc to a library that takes the rest from musl. */
async function linkLibrary(library: string, executable: string, gcc: string): Promise<void> {
  const find = (name: string) => firstLine([gcc, `-print-file-name=${name}`]);
  const archives = await Promise.all(["libstdc++.a", "libgcc_eh.a", "libgcc.a"].map(find));
  const wanted = (await readWanted(executable)).map((name) => `-Wl,-u,${name}`);
  const flags = ["-shared", "-fPIC", "-nostdlib", "-Wl,-soname,libstdc++.so.6", "-o", library];
  await output([gcc, ...flags, ...wanted, "-x", "c", "-", "-x", "none", ...archives], { input: GLIBC });
}

/** Debian's musl of another processor, unpacked: its folder. */
async function unpackMusl(folder: string, { debian, musl }: Processor): Promise<string> {
  const root = join(folder, "root");
  if (exists(join(root, "lib", `ld-musl-${musl}.so.1`))) return root;
  // Lists of packages of its own, lest the system's be of two processors from now on.
  const [lists, cache] = [join(folder, "lists"), join(folder, "cache")];
  for (const path of [join(lists, "partial"), join(cache, "archives", "partial"), root]) {
    await Deno.mkdir(path, { recursive: true });
  }
  const options = [
    `APT::Architecture=${debian}`,
    `APT::Architectures::=${debian}`,
    `Dir::State::Lists=${lists}`,
    `Dir::Cache=${cache}`,
    "Dir::State::status=/dev/null",
    "APT::Sandbox::User=root",
  ].flatMap((option) => ["-o", option]);
  await output(["apt-get", "-qq", ...options, "update"]);
  await output(["apt-get", "-qq", ...options, "download", "musl"], { cwd: folder });
  const [archive] = [...Deno.readDirSync(folder)].filter(({ name }) => name.endsWith(".deb"));
  await output(["dpkg-deb", "-x", join(folder, archive?.name ?? ""), root]);
  await Deno.remove(lists, { recursive: true });
  return root;
}

/**
 * What an executable for musl takes, and in words what that is.
 *
 * @param own Whether the processor is this machine's, which has musl then.
 * @throws {Error} Where it cannot be had.
 */
export async function provideMusl(
  executable: string,
  processor: Processor,
  own: boolean,
): Promise<{ readonly files: readonly RootFile[]; readonly by: string }> {
  const folder = join(checkout, ".cache", `musl-${processor.debian}`);
  await Deno.mkdir(folder, { recursive: true });
  const root = own ? "/" : await unpackMusl(folder, processor);
  const library = join(folder, "libstdc++.so.6");
  const gcc = `${processor.gcc}gcc`;
  await linkLibrary(library, executable, gcc);
  const loader = `/lib/ld-musl-${processor.musl}.so.1`;
  const version = /\d[\d.]*/.exec(
    await firstLine(["dpkg-query", "--show", "--showformat", "${Version}", "musl"]),
  )?.[0];
  const by = `Debian's musl ${version} and a libstdc++.so.6 linked against it of GCC ` +
    `${await firstLine([gcc, "-dumpfullversion"])}'s objects (Debian has none for musl)`;
  return {
    files: [{ from: join(root, loader), to: loader }, { from: library, to: "/usr/lib/libstdc++.so.6" }],
    by,
  };
}
