import type { Permissions } from "../lib/contract/entry.ts";

/** The kinds of permission that an entry can have, in Deno's words. */
const kinds = ["read", "write", "env", "sys", "run"] as const;

/** Deno's flags for exactly these permissions, the same for `deno run` and `deno compile`: what is not given is denied unasked. */
export function denoFlags(permissions: Permissions): string[] {
  const granted = kinds.flatMap((kind) => {
    const scope = permissions[kind];
    if (scope === undefined) return [];
    if (scope === true) return [`--allow-${kind}`];
    if (scope.length === 0) return [];
    // Deno has commas between the values and no way to write one in a value.
    const odd = scope.find((value) => value === "" || value.includes(","));
    if (odd !== undefined) throw new Error(`Cannot allow ${kind} of "${odd}"`);
    return [`--allow-${kind}=${scope.join(",")}`];
  });
  return ["--no-prompt", ...granted];
}

/** What a program may do that is all of these in one. */
export function unite(all: readonly Permissions[]): Permissions {
  return Object.fromEntries(kinds.flatMap((kind) => {
    const scopes = all.flatMap<string | true>((permissions) => permissions[kind] ?? []);
    if (scopes.length === 0) return [];
    return [[kind, scopes.includes(true) ? true : [...new Set(scopes)].sort()]];
  }));
}
