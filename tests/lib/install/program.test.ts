import { assertEquals, assertMatch } from "@std/assert";
import { enabledPlugin } from "../../../lib/install/plugin.ts";
import { doubtProgram, isRuntime } from "../../../lib/install/program.ts";

const STAYS = [
  "/usr/local/bin/nonzero",
  "/home/a/.local/bin/nonzero",
  "/opt/x86_64-unknown-linux-gnu/nonzero",
  "/home/a/2024/tools/nonzero",
  "/home/tmp/nonzero",
  "C:\\Program Files\\nonzero\\nonzero.exe",
];

const MOVES: readonly (readonly [path: string, why: RegExp])[] = [
  ["/opt/homebrew/Cellar/nonzero/1.2.3/bin/nonzero", /a version in its path \("1\.2\.3"\)/],
  ["/opt/nonzero-v0.1/nonzero", /"nonzero-v0\.1"/],
  ["/home/a/.nvm/versions/node/v22.1.0/bin/nonzero", /"v22\.1\.0"/],
  ["/store/nonzero@2/bin/nonzero", /"nonzero@2"/],
  ["C:\\Tools\\nonzero-1.0.0\\nonzero.exe", /"nonzero-1\.0\.0"/],
  ["/tmp/nonzero", /temporary folder or a cache/],
  ["/private/var/folders/ab/T/nonzero", /temporary folder or a cache/],
  ["/home/a/.npm/_npx/12ab/node_modules/nonzero/nonzero", /temporary folder or a cache/],
  ["/home/a/.cache/pnpm/dlx-1/nonzero", /temporary folder or a cache/],
  ["/scratch/nonzero", /temporary folder or a cache/],
  ["C:\\Users\\a\\AppData\\Local\\Temp\\nonzero.exe", /temporary folder or a cache/],
  ["C:\\Users\\a\\AppData\\Local\\npm-cache\\_npx\\1\\nonzero.exe", /temporary folder or a cache/],
];

const doubt = (path: string) =>
  doubtProgram(path, ["/scratch/"], path.startsWith("C:") ? "windows" : "linux");

Deno.test("doubtProgram: paths that stay", () =>
  assertEquals(STAYS.filter((path) => doubt(path) !== undefined), []));

for (const [path, why] of MOVES) {
  Deno.test(`doubtProgram: ${path}`, () => assertMatch(doubt(path) ?? "", why));
}

Deno.test("isRuntime: what runs sources, and no program that is only called so in part", () => {
  assertEquals(["/usr/bin/deno", "C:\\x\\Bun.exe", "/n/node"].filter(isRuntime).length, 3);
  assertEquals(["/usr/bin/nonzero", "/deno/nonzero", "/x/denon", "/x/node-nonzero"].filter(isRuntime), []);
});

Deno.test("enabledPlugin: the more local settings win", () => {
  const plugins = (enabledPlugins: unknown) => ({ enabledPlugins });
  const on = plugins({ "nonzero@tools": true, "other@tools": true });
  const off = plugins({ "nonzero@tools": false });
  assertEquals(enabledPlugin([on, {}]), "nonzero@tools");
  assertEquals(enabledPlugin([off, on]), "nonzero@tools");
  for (
    const none of [[on, off], [{}], [plugins({ "nonzero-like@tools": true, "nonzero@x": "true" })], [
      plugins(null),
    ]]
  ) {
    assertEquals(enabledPlugin(none), undefined);
  }
});
