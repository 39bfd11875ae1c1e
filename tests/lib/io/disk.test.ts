import { assert, assertEquals, assertThrows } from "@std/assert";
import { disk, isSameFile } from "../../../lib/io/disk.ts";

function withFolder(run: (folder: string) => void): void {
  const folder = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    run(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("disk: tells files, folders, links and what is missing apart", () =>
  withFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/file`, "");
    assertEquals(disk.kind(folder), "folder");
    assertEquals(disk.kind(`${folder}/file`), "file");
    assertEquals(disk.kind(`${folder}/none`), "missing");
    assertEquals(disk.kind(`${folder}/none/none`), "missing");
    if (Deno.build.os === "windows") return;
    Deno.symlinkSync("none", `${folder}/link`);
    assertEquals(disk.kind(`${folder}/link`), "link");
    assertEquals(disk.readLink(`${folder}/link`), "none");
    assertEquals(disk.kind("/dev/null"), "other");
  }));

Deno.test("disk: throws with the system's code", () =>
  withFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/file`, "");
    const codeOf = (run: () => unknown) => (assertThrows(run) as Error & { code?: string }).code;
    if (Deno.build.os !== "windows") assertEquals(codeOf(() => disk.kind(`${folder}/file/x`)), "ENOTDIR");
    assert(["ENAMETOOLONG", "ENOENT", "EINVAL"].includes(
      codeOf(() => disk.kind(`${folder}/${"x".repeat(5000)}`)) ?? "",
    ));
    assertEquals(
      codeOf(() => disk.canonical(`${folder}/none`)),
      "ENOENT",
    );
    assert(codeOf(() => disk.readLink(`${folder}/file`)) !== undefined);
  }));

Deno.test("isSameFile: by whatever name, and never for what is missing", () =>
  withFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/one`, "");
    Deno.writeTextFileSync(`${folder}/two`, "");
    Deno.linkSync(`${folder}/one`, `${folder}/hard`);
    assert(isSameFile(`${folder}/one`, `${folder}/hard`));
    assert(!isSameFile(`${folder}/one`, `${folder}/two`));
    assert(!isSameFile(`${folder}/one`, `${folder}/none`));
    assert(!isSameFile(`${folder}/none`, `${folder}/none`));
    assert(!isSameFile(`${folder}/one`, `${folder}/one/x`));
    if (Deno.build.os === "windows") return;
    Deno.symlinkSync("one", `${folder}/soft`);
    assert(isSameFile(`${folder}/soft`, `${folder}/hard`));
  }));
