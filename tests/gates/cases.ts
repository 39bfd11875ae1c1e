/** The cases of tests/cases/gates: what is declared, the files, and what has to come of it. */
import { fromFileUrl } from "@std/path";
import type { Gate } from "../../lib/contract/gate.ts";
import { registry } from "../../toolchain/registry.ts";

/** A file of a case; `false`: not there, null: a folder. */
export type File =
  | string
  | null
  | false
  | { readonly base64: string }
  /** `before`, then `text` so many times, then `then`. */
  | { readonly text: string; readonly times: number; readonly then: string; readonly before?: string }
  | { readonly link: string }
  | { readonly fifo: true };

/** One line of a file of cases. */
export interface Case {
  readonly case: string;
  readonly args?: readonly string[];
  /** What is declared otherwise than at the head of the file; null: not declared. */
  readonly env?: Readonly<Record<string, string | null>>;
  readonly files?: Readonly<Record<string, File>>;
  readonly exit: 0 | 64 | 65 | 70;
  /** The lines on standard error, each and no others, without the name of the gate before them. */
  readonly lines?: readonly string[];
  /** Needs what only POSIX has: symlinks, FIFOs, devices, names that Windows forbids. */
  readonly posix?: boolean;
}

/** A file of cases: a gate, what lets it pass, and the cases. */
export interface Cases {
  readonly name: string;
  readonly gate: Gate;
  readonly passing: Pick<Written, "env" | "files">;
  readonly cases: readonly Case[];
}

interface Written {
  readonly gate: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, File>>;
  readonly cases: readonly Case[];
}

const FOLDER = fromFileUrl(new URL("../cases/gates", import.meta.url));

/** The gate of that name. */
export function findGate(name: string): Gate {
  const unit = registry.find(({ unit }) => unit.name === name)?.unit;
  if (unit?.kind !== "gate") throw new Error(`No gate is named "${name}"`);
  return unit;
}

/** All cases, each with all that it declares and all its files. */
export function readCases(): readonly Cases[] {
  return [...Deno.readDirSync(FOLDER)].map(({ name }) => name).sort().map((name) => {
    const { gate, env, files, cases }: Written = JSON.parse(Deno.readTextFileSync(`${FOLDER}/${name}`));
    return {
      name: name.replace(/\.json$/, ""),
      gate: findGate(gate),
      passing: { env, files },
      cases: cases.map((test) => ({
        ...test,
        env: { ...env, ...test.env },
        files: { ...files, ...test.files },
      })),
    };
  });
}

/** What a file holds; undefined where it is none that holds anything. */
export function contentOf(file: File | undefined): Uint8Array<ArrayBuffer> | undefined {
  const encode = (text: string) => new TextEncoder().encode(text);
  if (typeof file === "string") return encode(file);
  if (!file) return undefined;
  if ("base64" in file) return Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0));
  if ("text" in file) return encode((file.before ?? "") + file.text.repeat(file.times) + file.then);
  return undefined;
}

/** The variables that a case declares. */
export function declaredBy({ env = {} }: Case): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => value === null ? [] : [[name, value]]),
  );
}

/** What a file of cases is called in titles. */
export function titleOf(name: string, gate: string): string {
  return name === gate ? name : `${gate}, ${name}`;
}
