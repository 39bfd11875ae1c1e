// Gives what npm installed for this machine the places where it is looked for: bin/deno, bin/bun, and the esbuild
// that `deno bundle` would else fetch by itself, outside the lock file.
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const here = import.meta.dirname;
const exe = process.platform === "win32" ? ".exe" : "";

/** The one installed package of a scope that holds the file. */
function find(scope, file) {
  const packages = join(here, "node_modules", scope);
  const names = existsSync(packages) ? readdirSync(packages) : [];
  const found = names.map((name) => join(packages, name)).find((folder) => existsSync(join(folder, file)));
  if (found) return found;
  console.error(
    `No package of ${scope} in toolchain/package.json is for ${process.platform} ${process.arch}`,
  );
  process.exit(1);
}

function place(file, link) {
  mkdirSync(dirname(link), { recursive: true });
  // Left alone where it is that already: a program may be running from it.
  if (existsSync(link) && statSync(link).ino === statSync(file).ino) return;
  rmSync(link, { force: true });
  try {
    linkSync(file, link);
  } catch {
    copyFileSync(file, link);
  }
}

place(join(find("@deno", `deno${exe}`), `deno${exe}`), join(here, "bin", `deno${exe}`));
place(join(find("@oven", `bin/bun${exe}`), "bin", `bun${exe}`), join(here, "bin", `bun${exe}`));

const esbuild = exe ? "esbuild.exe" : "bin/esbuild";
const packaged = find("@esbuild", esbuild);
// The folder that Deno 2.9.6 has for the version that it wants.
const cache = join(here, "..", ".deno", "dl", "esbuild-0.25.5-1");
place(join(packaged, esbuild), join(cache, `esbuild-${basename(packaged)}`));
