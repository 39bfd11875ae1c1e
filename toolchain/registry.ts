import { loadRegistry } from "../lib/cli/registry.ts";
import type { Entry } from "../lib/contract/entry.ts";
import { rows } from "../nonzero.ts";

/** Every hook and gate, and what each may do. */
export const registry: readonly Entry[] = await loadRegistry(rows);
