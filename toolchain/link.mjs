// Gives the Deno that npm installed for this machine one name, bin/deno, and the Bun runtime bin/bun.
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const exe = process.platform === "win32" ? ".exe" : "";
mkdirSync(join(here, "bin"), { recursive: true });

for (const [name, scope, inside] of [["deno", "@deno", ""], ["bun", "@oven", "bin"]]) {
  const packages = join(here, "node_modules", scope);
  const found = (existsSync(packages) ? readdirSync(packages) : [])
    .map((folder) => join(packages, folder, inside, name + exe)).find((file) => existsSync(file));
  if (!found) {
    console.error(
      `No ${name} for ${process.platform} ${process.arch} among the packages of toolchain/package.json`,
    );
    process.exit(1);
  }
  const link = join(here, "bin", name + exe);
  rmSync(link, { force: true });
  try {
    linkSync(found, link);
  } catch {
    copyFileSync(found, link);
  }
  utimesSync(link, new Date(), new Date());
}
