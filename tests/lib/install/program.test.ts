import { assertEquals, assertMatch } from "@std/assert";
import { enabledPlugins } from "../../../lib/install/plugin.ts";
import {
  type Answer,
  doubtAnswers,
  doubtProgram,
  hasOwnName,
  isRuntime,
} from "../../../lib/install/program.ts";

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

Deno.test("hasOwnName: the program, whatever follows its name, and no other", () => {
  const own = ["/usr/bin/nonzero", "C:\\x\\nonzero.exe", "nonzero-2", "/a/nonzero 2"];
  assertEquals(own.filter((path) => !hasOwnName(path)), []);
  assertEquals(["/bin/true", "/nonzero/x", "/opt/my-nonzero", "/opt/NONZERO"].filter(hasOwnName), []);
});

Deno.test("doubtAnswers: a version and a refusal, and whatever else is no program of ours", () => {
  const answer = (code: number | null, stdout = "", stderr = ""): Answer => ({ code, stdout, stderr });
  const version = answer(0, "nonzero 1.20.3\n");
  const refusal = answer(2, "{}", "DENY  some-rule: no\nFIX   some-rule: do\n");
  assertEquals(doubtAnswers(version, refusal), undefined);
  const others = [
    answer(0),
    answer(0, "1.3.4\n"),
    answer(0, "nonzero\n"),
    answer(1, version.stdout),
    { ...answer(null), problem: "took too long" },
  ];
  for (const other of others) assertMatch(doubtAnswers(other, refusal) ?? "", /^asked for its version/);
  assertMatch(doubtAnswers(others[4] ?? version, refusal) ?? "", /\(took too long\)$/);
  for (const other of [answer(0), answer(2), answer(1, "", refusal.stderr), answer(2, refusal.stderr)]) {
    assertMatch(doubtAnswers(version, other) ?? "", /^it does not refuse .* \(exit code \d\)$/);
  }
});

Deno.test("enabledPlugins: the more local settings win", () => {
  const plugins = (enabledPlugins: unknown) => ({ enabledPlugins });
  const on = plugins({ "nonzero@tools": true, "other@tools": true });
  const off = plugins({ "nonzero@tools": false });
  assertEquals(enabledPlugins([on, {}]), ["nonzero@tools"]);
  assertEquals(enabledPlugins([off, on, plugins({ "nonzero@x": true })]), ["nonzero@tools", "nonzero@x"]);
  for (
    const none of [[on, off], [{}], [plugins({ "nonzero-like@tools": true, "nonzero@x": "true" })], [
      plugins(null),
    ]]
  ) {
    assertEquals(enabledPlugins(none), []);
  }
});
