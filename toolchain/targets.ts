/** The system and processor that executables are built for, and the words that each tool has for it. */
export interface Target {
  /** The Rust triple, as Deno writes it. */
  readonly triple: string;
  readonly format: "ELF" | "Mach-O" | "PE";
  readonly cpu: "x64" | "arm64";
  /** What ends an executable's name. */
  readonly exe: "" | ".exe";
  /** The npm package that carries the Bun runtime, and the file in it. */
  readonly bun: { readonly package: string; readonly file: string; readonly target: string };
  /** The npm package that carries Deno; there is none for musl. */
  readonly deno?: { readonly package: string; readonly file: string };
  /** How npm is told to install for this target on any machine. */
  readonly npm: { readonly os: string; readonly cpu: string; readonly libc?: string };
}

/** Every target that is built. */
export const targets: readonly Target[] = [
  {
    triple: "x86_64-unknown-linux-gnu",
    format: "ELF",
    cpu: "x64",
    exe: "",
    bun: { package: "@oven/bun-linux-x64", file: "bin/bun", target: "bun-linux-x64" },
    deno: { package: "@deno/linux-x64-glibc", file: "deno" },
    npm: { os: "linux", cpu: "x64", libc: "glibc" },
  },
  {
    triple: "aarch64-unknown-linux-gnu",
    format: "ELF",
    cpu: "arm64",
    exe: "",
    bun: { package: "@oven/bun-linux-aarch64", file: "bin/bun", target: "bun-linux-arm64" },
    deno: { package: "@deno/linux-arm64-glibc", file: "deno" },
    npm: { os: "linux", cpu: "arm64", libc: "glibc" },
  },
  {
    triple: "x86_64-unknown-linux-musl",
    format: "ELF",
    cpu: "x64",
    exe: "",
    bun: { package: "@oven/bun-linux-x64-musl", file: "bin/bun", target: "bun-linux-x64-musl" },
    npm: { os: "linux", cpu: "x64", libc: "musl" },
  },
  {
    triple: "aarch64-unknown-linux-musl",
    format: "ELF",
    cpu: "arm64",
    exe: "",
    bun: { package: "@oven/bun-linux-aarch64-musl", file: "bin/bun", target: "bun-linux-arm64-musl" },
    npm: { os: "linux", cpu: "arm64", libc: "musl" },
  },
  {
    triple: "x86_64-apple-darwin",
    format: "Mach-O",
    cpu: "x64",
    exe: "",
    bun: { package: "@oven/bun-darwin-x64", file: "bin/bun", target: "bun-darwin-x64" },
    deno: { package: "@deno/darwin-x64", file: "deno" },
    npm: { os: "darwin", cpu: "x64" },
  },
  {
    triple: "aarch64-apple-darwin",
    format: "Mach-O",
    cpu: "arm64",
    exe: "",
    bun: { package: "@oven/bun-darwin-aarch64", file: "bin/bun", target: "bun-darwin-arm64" },
    deno: { package: "@deno/darwin-arm64", file: "deno" },
    npm: { os: "darwin", cpu: "arm64" },
  },
  {
    triple: "x86_64-pc-windows-msvc",
    format: "PE",
    cpu: "x64",
    exe: ".exe",
    bun: { package: "@oven/bun-windows-x64", file: "bin/bun.exe", target: "bun-windows-x64" },
    deno: { package: "@deno/win32-x64", file: "deno.exe" },
    npm: { os: "win32", cpu: "x64" },
  },
  {
    triple: "aarch64-pc-windows-msvc",
    format: "PE",
    cpu: "arm64",
    exe: ".exe",
    bun: { package: "@oven/bun-windows-aarch64", file: "bin/bun.exe", target: "bun-windows-arm64" },
    deno: { package: "@deno/win32-arm64", file: "deno.exe" },
    npm: { os: "win32", cpu: "arm64" },
  },
];

/**
 * The target of that triple; `host` is this machine's.
 *
 * @throws {Error} Where there is no such target.
 */
export function findTarget(name: string): Target {
  const triple = name === "host" ? Deno.build.target : name;
  const found = targets.find((target) => target.triple === triple);
  if (found) return found;
  const known = targets.map((target) => `  ${target.triple}`).join("\n");
  throw new Error(`Cannot build for "${triple}": no such target. There are:\n${known}`);
}
