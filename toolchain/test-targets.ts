/**
 * Runs the black-box suite on builds for other systems, by emulation: arm64 Linux under qemu, Windows under Wine. What
 * it needs is installed with Debian's apt-get where that can be done; a target that cannot be run is reported so.
 */
import { join } from "@std/path";
import { root } from "./root.ts";

interface Target {
  readonly triple: string;
  /** Debian's packages. */
  readonly packages: readonly string[];
  /** A file of each, by which it is seen to be there. */
  readonly needs: readonly string[];
  /** The words that run an executable of the target, and what they need in the environment. */
  readonly runner: () => Promise<
    { readonly words: string; readonly env: Readonly<Record<string, string>> }
  >;
  /** Cases that the emulation cannot show, and why. */
  readonly without?: string;
}

const WINE = "/usr/lib/wine/wine64";

/** Wine 8 lacks the library by which Windows gives random bytes to newer programs; it exports one function. */
const RANDOM = `#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL ProcessPrng(PBYTE bytes, SIZE_T length) { return SystemFunction036(bytes, (ULONG)length); }
`;

/** Wine sets the variables that name the user's folders itself, so a test's own are set within. */
const LAUNCH = `#include <windows.h>
static void set(const wchar_t *to, const wchar_t *from) {
  static wchar_t value[32768];
  SetLastError(0);
  DWORD length = GetEnvironmentVariableW(from, value, 32768);
  if (length > 0 || GetLastError() != ERROR_ENVVAR_NOT_FOUND) SetEnvironmentVariableW(to, length > 0 ? value : NULL);
}
int main(void) {
  set(L"USERPROFILE", L"NONZERO_USERPROFILE");
  set(L"APPDATA", L"NONZERO_APPDATA");
  wchar_t *line = GetCommandLineW();
  wchar_t end = *line == '"' ? *line++ : ' ';
  while (*line && *line != end) line++;
  if (*line == '"') line++;
  while (*line == ' ') line++;
  STARTUPINFOW start = { .cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES };
  start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
  start.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
  start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
  PROCESS_INFORMATION child;
  if (!CreateProcessW(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child)) return 99;
  WaitForSingleObject(child.hProcess, INFINITE);
  DWORD code = 99;
  GetExitCodeProcess(child.hProcess, &code);
  return (int)code;
}
`;

const TARGETS: readonly Target[] = [
  {
    triple: "aarch64-unknown-linux-gnu",
    packages: ["qemu-user-static", "libc6-arm64-cross"],
    needs: [
      "/usr/bin/qemu-aarch64-static",
      "/usr/aarch64-linux-gnu/lib/libc.so.6",
    ],
    runner: () =>
      Promise.resolve({
        words: "/usr/bin/qemu-aarch64-static -L /usr/aarch64-linux-gnu",
        env: {},
      }),
  },
  {
    triple: "x86_64-pc-windows-msvc",
    packages: ["wine64", "wine", "gcc-mingw-w64-x86-64"],
    needs: [WINE, "/usr/bin/x86_64-w64-mingw32-gcc"],
    without: "Wine has no symlinks, FIFOs or /dev: those cases are left out",
    async runner() {
      const prefix = join(root, ".cache", "wine");
      const env = {
        WINEPREFIX: prefix,
        WINEDEBUG: "-all",
        HOME: join(root, ".cache"),
      };
      const library = join(prefix, "drive_c", "windows", "system32", "bcryptprimitives.dll");
      const launch = join(prefix, "launch.exe");
      if (!exists(library) || !exists(launch)) {
        await Deno.mkdir(prefix, { recursive: true });
        await run([WINE, "wineboot", "--init"], env);
        await compile(RANDOM, [library, "-shared"], prefix);
        await compile(LAUNCH, [launch], prefix);
      }
      return { words: `${WINE} ${launch}`, env };
    },
  },
];

function exists(path: string): boolean {
  try {
    return Deno.statSync(path) !== undefined;
  } catch {
    return false;
  }
}

/** Runs a program in the checkout with its output shown. Throws where it fails. */
async function run(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const [program = "", ...args] = words;
  const { success, code } = await new Deno.Command(program, {
    args: [...args],
    env: { ...env },
    cwd: root,
  }).spawn()
    .status;
  if (!success) {
    throw new Error(`${words.join(" ")} failed with exit code ${code}`);
  }
}

/** Compiles a C program for Windows. */
async function compile(
  source: string,
  [output = "", ...flags]: readonly string[],
  folder: string,
): Promise<void> {
  const file = join(folder, "source.c");
  await Deno.writeTextFile(file, source);
  await run(["x86_64-w64-mingw32-gcc", ...flags, "-o", output, file, "-ladvapi32"], {});
}

/** Installs what is missing; says why it cannot. */
async function provide(
  { packages, needs }: Target,
): Promise<string | undefined> {
  const missing = () => needs.filter((path) => !exists(path));
  if (missing().length === 0) return undefined;
  if (Deno.build.os !== "linux" || !exists("/usr/bin/apt-get")) {
    return `${missing().join(", ")} cannot be installed here`;
  }
  try {
    await run(["apt-get", "update", "-qq"], {});
    await run([
      "apt-get",
      "install",
      "-y",
      "-qq",
      "--no-install-recommends",
      ...packages,
    ], {
      DEBIAN_FRONTEND: "noninteractive",
    });
  } catch (error) {
    return error instanceof Error ? error.message : "apt-get failed";
  }
  return missing().length === 0 ? undefined : `${missing().join(", ")} is missing after apt-get install`;
}

/** Whether all tests passed; throws where the target cannot be built or its runner not made ready. */
async function test(target: Target): Promise<boolean> {
  await run([
    "make",
    "--no-print-directory",
    "dist",
    `TARGET=${target.triple}`,
    "COMPILER=bun",
  ], {});
  const { words, env } = await target.runner();
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "--config",
      "deno.json",
      "--frozen",
      "--allow-all",
      "--reporter=dot",
      "tests/hooks",
      "tests/gates",
    ],
    cwd: root,
    env: {
      ...env,
      NONZERO_DIST: join(root, "dist", target.triple),
      NONZERO_RUNNER: words,
    },
  }).spawn().status;
  return success;
}

const rows: string[] = [];
let failed = false;
for (const target of TARGETS) {
  const reason = await provide(target);
  let outcome: string;
  if (reason !== undefined) {
    outcome = `cannot be run here: ${reason}`;
  } else {
    const passed = await test(target);
    failed ||= !passed;
    outcome = (passed ? "passed" : "FAILED") +
      (target.without ? ` (${target.without})` : "");
  }
  rows.push(`${target.triple.padEnd(28)}${outcome}`);
}
await Deno.stdout.write(new TextEncoder().encode(`\n${rows.join("\n")}\n`));
if (failed) Deno.exit(1);
