/** Something that happens to the guard's executable. */
export interface Damage {
  readonly name: string;
  readonly apply: (executable: string) => Promise<void>;
}

/** Leaves the beginning alone. */
function truncate(name: string, length: (size: number) => number): Damage {
  return {
    name,
    apply: async (executable) => Deno.truncate(executable, length((await Deno.stat(executable)).size)),
  };
}

/** Takes 16 bytes out at a fraction of the length. */
function cut(name: string, fraction: number): Damage {
  return {
    name,
    async apply(executable) {
      const bytes = await Deno.readFile(executable);
      const at = Math.floor(bytes.length * fraction);
      await Deno.writeFile(
        executable,
        bytes.copyWithin(at, at + 16).subarray(0, -16),
      );
    },
  };
}

function replace(name: string, script: string): Damage {
  return {
    name,
    apply: (executable) => Deno.writeTextFile(executable, `#!/bin/sh\n${script}\n`),
  };
}

async function strip(executable: string): Promise<void> {
  const { success, stderr } = await new Deno.Command("strip", {
    args: [executable],
  }).output();
  if (!success) {
    throw new Error(
      `Cannot strip ${executable}: ${new TextDecoder().decode(stderr)}`,
    );
  }
}

export const truncatedToHalf: Damage = truncate(
  "truncated to half",
  (size) => size >> 1,
);

/** Leaves the bare runtime, which looks for something to run by the arguments it is given. */
export const cutNearEnd: Damage = cut("without 16 bytes near the end", 0.999);

/** The same, as packaging tools and hands do it. */
export const stripped: Damage = { name: "stripped", apply: strip };

/** May leave the guard as it was. */
export const truncatedSlightly: Damage = truncate(
  "truncated by 16 bytes",
  (size) => size - 16,
);

export const mute: Damage = replace("outlives its time-out", "exec sleep 60");

/** What leaves no guard, but an executable that fails or none. */
export const fatal: readonly Damage[] = [
  { name: "deleted", apply: (executable) => Deno.remove(executable) },
  {
    name: "not executable",
    apply: (executable) => Deno.chmod(executable, 0o644),
  },
  truncate("zero bytes long", () => 0),
  truncate("truncated to its ELF header", () => 64),
  truncatedToHalf,
  cut("without 16 bytes in the middle", 1 / 2),
  cutNearEnd,
  stripped,
  replace("exits 1", "exit 1"),
  replace("killed by a signal", "kill -9 $$"),
];
