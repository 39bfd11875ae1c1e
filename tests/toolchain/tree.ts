/** Copies of this checkout, to build in without touching it. */
import { join } from "@std/path";
import { ROOT } from "../black-box.ts";

/** What is fetched or built, and what has nothing to do with a build. */
const LEFT_OUT = new Set([
  ".git",
  ".cache",
  ".deno",
  "dist",
  "artifacts",
  "node_modules",
  "bin",
  "tests",
  "bench",
]);

async function copyInto(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory, isFile } of Deno.readDir(from)) {
    if (LEFT_OUT.has(name)) continue;
    if (isDirectory) await copyInto(join(from, name), join(to, name));
    else if (isFile) await Deno.copyFile(join(from, name), join(to, name));
  }
}

/** Copies the sources to a folder, and lets the copy use this checkout's tools. */
export async function copyTree(to: string): Promise<void> {
  await copyInto(ROOT, to);
  await Deno.symlink(join(ROOT, "toolchain/node_modules"), join(to, "toolchain/node_modules"), {
    type: "junction",
  });
}

/** Runs a script of a copy's toolchain, and says how it ended. */
export async function runTool(
  tree: string,
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; text: string }> {
  const allow = ["read", "write", "env", "run", "sys"].map((kind) => `--allow-${kind}`);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--config",
      "deno.json",
      "--frozen",
      "--cached-only",
      "--quiet",
      "--no-prompt",
      ...allow,
      script,
      ...args,
    ],
    cwd: tree,
    env: { NO_COLOR: "1", ...env },
  }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** The names in a folder, sorted. */
export async function list(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}
