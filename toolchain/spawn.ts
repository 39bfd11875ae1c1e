/**
 * Starts programs by posix_spawn itself. Deno's own way takes as long again as what is measured here, and gives a file
 * that is no program to a shell. For Linux and macOS.
 */

const open = () =>
  Deno.dlopen(Deno.build.os === "darwin" ? "libSystem.dylib" : "libc.so.6", {
    posix_spawn: {
      parameters: ["buffer", "buffer", "buffer", "pointer", "buffer", "buffer"],
      result: "i32",
    },
    posix_spawn_file_actions_init: { parameters: ["buffer"], result: "i32" },
    posix_spawn_file_actions_destroy: { parameters: ["buffer"], result: "i32" },
    posix_spawn_file_actions_adddup2: {
      parameters: ["buffer", "i32", "i32"],
      result: "i32",
    },
    posix_spawn_file_actions_addclose: {
      parameters: ["buffer", "i32"],
      result: "i32",
    },
    posix_spawn_file_actions_addopen: {
      parameters: ["buffer", "i32", "buffer", "i32", "u16"],
      result: "i32",
    },
    pipe: { parameters: ["buffer"], result: "i32" },
    write: { parameters: ["i32", "buffer", "usize"], result: "isize" },
    close: { parameters: ["i32"], result: "i32" },
    kill: { parameters: ["i32", "i32"], result: "i32" },
    wait4: { parameters: ["i32", "buffer", "i32", "buffer"], result: "i32" },
  }).symbols;

let opened: ReturnType<typeof open> | undefined;

/** The C library, opened when it is needed. */
function library(): ReturnType<typeof open> {
  return opened ??= open();
}

type Bytes = Uint8Array<ArrayBuffer>;

function cString(text: string): Bytes {
  return new TextEncoder().encode(`${text}\0`);
}

/** A NULL-ended array of C strings, kept alive together with what it points to. */
class Strings {
  readonly pointers: BigUint64Array<ArrayBuffer>;
  readonly #kept: readonly Bytes[];

  constructor(texts: readonly string[]) {
    this.#kept = texts.map(cString);
    const pointers = this.#kept.map((bytes) => Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes)));
    this.pointers = BigUint64Array.from([...pointers, 0n]);
  }
}

/** A program that is ready to be started again and again. */
export interface Program {
  readonly name: string;
  readonly path: Bytes;
  readonly args: Strings;
  readonly environment: Strings;
  /** Files that exist and get what it prints. */
  readonly stdout: Bytes;
  readonly stderr: Bytes;
}

/**
 * Makes a program ready.
 *
 * @param words Its path and arguments.
 * @param environment All that it gets of it.
 * @param output Files that exist and get what it prints; without them that is thrown away.
 */
export function prepare(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  output: { readonly stdout: string; readonly stderr: string } = {
    stdout: "/dev/null",
    stderr: "/dev/null",
  },
): Program {
  return {
    name: words[0] ?? "",
    path: cString(words[0] ?? ""),
    args: new Strings(words),
    environment: new Strings(
      Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    ),
    stdout: cString(output.stdout),
    stderr: cString(output.stderr),
  };
}

/** The system does not run it. */
export class StartError extends Error {
  override readonly name = "StartError";
}

const WRITE_ONLY = 1;

/** Starts a program with a pipe as its standard input, and says by which descriptor that is written to. */
function start(program: Program): { pid: number; stdin: number } {
  const libc = library();
  const ends = new Int32Array(2);
  if (libc.pipe(ends) !== 0) throw new Error("Cannot make a pipe");
  const [reader, writer] = [ends[0] ?? -1, ends[1] ?? -1];
  // 80 bytes on Linux, a pointer on macOS.
  const actions = new Uint8Array(256);
  libc.posix_spawn_file_actions_init(actions);
  libc.posix_spawn_file_actions_addclose(actions, writer);
  libc.posix_spawn_file_actions_adddup2(actions, reader, 0);
  libc.posix_spawn_file_actions_addclose(actions, reader);
  libc.posix_spawn_file_actions_addopen(
    actions,
    1,
    program.stdout,
    WRITE_ONLY,
    0,
  );
  libc.posix_spawn_file_actions_addopen(
    actions,
    2,
    program.stderr,
    WRITE_ONLY,
    0,
  );
  const pid = new Int32Array(1);
  const { path, args, environment } = program;
  const failed = libc.posix_spawn(
    pid,
    path,
    actions,
    null,
    args.pointers,
    environment.pointers,
  );
  libc.posix_spawn_file_actions_destroy(actions);
  libc.close(reader);
  if (failed === 0) return { pid: pid[0] ?? -1, stdin: writer };
  libc.close(writer);
  throw new StartError(`Cannot start ${program.name}: error ${failed}`);
}

function writeAll(descriptor: number, bytes: Bytes): void {
  const libc = library();
  for (let done = 0; done < bytes.length;) {
    const count = Number(
      libc.write(descriptor, bytes.subarray(done), BigInt(bytes.length - done)),
    );
    // It may have ended without reading.
    if (count <= 0) return;
    done += count;
  }
}

/** An exit code as a shell has it: 128 and the signal's number where a signal ended the program. */
function exitCode(status: number): number {
  const signal = status & 0x7f;
  return signal === 0 ? status >> 8 & 0xff : 128 + signal;
}

/** What a program took, in milliseconds. */
export interface Sample {
  /** From before the start to after the end. */
  readonly elapsed: number;
  /** Of the processor's time, by it and its children. */
  readonly cpu: number;
  readonly exit: number;
}

/** Runs a program on an input and measures it. Throws StartError. */
export function measure(program: Program, input: Bytes): Sample {
  const libc = library();
  const status = new Int32Array(1);
  const usage = new BigInt64Array(18);
  const begin = performance.now();
  const { pid, stdin } = start(program);
  writeAll(stdin, input);
  libc.close(stdin);
  libc.wait4(pid, status, 0, usage);
  const elapsed = performance.now() - begin;
  const [
    userSeconds = 0n,
    userMicros = 0n,
    systemSeconds = 0n,
    systemMicros = 0n,
  ] = usage;
  // On macOS the microseconds are 32 bits wide.
  const micros = Number(BigInt.asIntN(32, userMicros)) +
    Number(BigInt.asIntN(32, systemMicros));
  return {
    elapsed,
    cpu: 1000 * Number(userSeconds + systemSeconds) + micros / 1000,
    exit: exitCode(status[0] ?? 0),
  };
}

const NO_HANG = 1;
const KILL = 9;
const cell = new Int32Array(new SharedArrayBuffer(4));
const pause = (milliseconds: number) => Atomics.wait(cell, 0, 0, milliseconds);

/**
 * Runs a program on an input to its end, or kills it when it takes too long. Throws StartError.
 *
 * @param signal The number of a signal that is sent when it has got half of its input.
 * @returns Its exit code.
 */
export function runToEnd(
  program: Program,
  input: Bytes,
  { limit, signal }: { limit: number; signal?: number | undefined },
): number {
  const libc = library();
  const status = new Int32Array(1);
  const end = performance.now() + limit;
  const { pid, stdin } = start(program);
  if (signal === undefined) {
    writeAll(stdin, input);
  } else {
    writeAll(stdin, input.subarray(0, input.length >> 1));
    // Long enough to have started, and to wait for the rest.
    pause(300);
    libc.kill(pid, signal);
  }
  libc.close(stdin);
  while (libc.wait4(pid, status, NO_HANG, null) === 0) {
    if (performance.now() > end) libc.kill(pid, KILL);
    pause(1);
  }
  return exitCode(status[0] ?? 0);
}
