import { basename, dirname, join } from "@std/path";
import { parseArgs } from "@std/cli/parse-args";
import { UsageError } from "../contract/entry.ts";
import { hasCode } from "../io/clock.ts";
import { digestFile, digestOf, isSignedBy } from "../io/digest.ts";
import { disk } from "../io/disk.ts";
import { FileError, listFiles, readBytes, readText } from "../io/files.ts";
import {
  decodeSignature,
  encodeKey,
  NAMESPACE,
  parsePublicKey,
  signedBytes,
} from "../release/ssh-signature.ts";
import { sameBytes, toBase64, WireError } from "../release/ssh-wire.ts";
import { parseSums, SumsError } from "../release/sums.ts";
import { inert } from "../run/verdict.ts";

/** What `nonzero verify-release --help` prints. */
export const VERIFY_HELP = `nonzero verify-release: whether what was downloaded is what was released

Usage: nonzero verify-release FOLDER|FILE... [--key KEY] [--sums FILE]

Compares each file with SHA256SUMS, the one beside it or of the folder. Of a folder every file must be listed and
every listed file be there. Exit code 0: all as listed; 1: something is not, and each is named; 64: usage.

Options:
  --key KEY    a public key, "ssh-ed25519 AAAA..." or its file: SHA256SUMS.sig must be its signature
  --sums FILE  another SHA256SUMS; its signature is FILE.sig
  --help

The signature is one of SSH, for the namespace ${NAMESPACE}. Without nonzero the same is checked by:
  ssh-keygen -Y verify -f allowed_signers -I NAME -n ${NAMESPACE} -s SHA256SUMS.sig < SHA256SUMS
`;

const OK = 0;
const BAD = 1;
const USAGE = 64;

/** The largest list, signature and key that are read, in bytes. */
const LIMIT = 1024 * 1024;

/** What a command prints, and its exit code. */
export interface Report {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Request {
  readonly paths: readonly string[];
  readonly key: Uint8Array | undefined;
  readonly sums: string | undefined;
}

/** Something that is not as released: what, and why. */
interface Problem {
  readonly name: string;
  readonly why: string;
}

/** A list that was read: what it says, or why it does not count. */
type List = { readonly sums: ReadonlyMap<string, string> } | { readonly problems: readonly Problem[] };

/** A file to compare: what it is called in the list, and where it is. */
interface Item {
  readonly name: string;
  readonly path: string;
}

function readKey(value: string): Uint8Array {
  const literal = /^(?:ssh|ecdsa|sk)-\S+\s/.test(value);
  try {
    return parsePublicKey(literal ? value : readText(value, LIMIT));
  } catch (error) {
    if (error instanceof FileError || error instanceof WireError) {
      throw new UsageError(`--key ${literal ? "" : `${value} `}${error.message}`);
    }
    throw error;
  }
}

function parseRequest(args: readonly string[]): Request | undefined {
  const options = parseArgs(args, {
    boolean: ["help"],
    string: ["key", "sums", "_"],
    unknown(argument, key) {
      if (key !== undefined) throw new UsageError(`unknown argument "${argument}"`);
    },
  });
  if (options.help === true) return undefined;
  const { key, sums } = options;
  // An unset variable in a script must not be taken for a check that was not asked for.
  if (key === "") throw new UsageError("--key is empty");
  if (sums === "") throw new UsageError("--sums is empty");
  const paths = options._.map(String);
  if (paths.length === 0) throw new UsageError("no folder or file given");
  return {
    paths,
    key: typeof key === "string" ? readKey(key) : undefined,
    sums: typeof sums === "string" ? sums : undefined,
  };
}

/** Where a path leads; undefined where it leads nowhere. */
function find(path: string): { readonly real: string; readonly folder: boolean } | undefined {
  try {
    const real = disk.canonical(path);
    return { real, folder: disk.kind(real) === "folder" };
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

async function checkSignature(list: string, bytes: Uint8Array, key: Uint8Array): Promise<Problem[]> {
  const file = `${list}.sig`;
  const problem = (why: string) => [{ name: basename(file), why }];
  try {
    const found = decodeSignature(readText(file, LIMIT));
    if (found.namespace !== NAMESPACE) return problem(`is for "${found.namespace}", not for ${NAMESPACE}`);
    if (!sameBytes(found.key, key)) return problem("is by another key");
    const signed = signedBytes(await digestOf(bytes, found.hash), found.hash);
    return await isSignedBy(key, signed, found.signature)
      ? []
      : problem(`is not of this ${basename(list)}: one of the two was changed`);
  } catch (error) {
    if (error instanceof FileError || error instanceof WireError) return problem(error.message);
    throw error;
  }
}

async function readList(path: string, key: Uint8Array | undefined): Promise<List> {
  try {
    // Read once: what is checked is what is then believed.
    const bytes = readBytes(path, LIMIT);
    const problems = key === undefined ? [] : await checkSignature(path, bytes, key);
    return problems.length > 0 ? { problems } : { sums: parseSums(new TextDecoder().decode(bytes)) };
  } catch (error) {
    if (error instanceof FileError) return { problems: [{ name: path, why: error.message }] };
    if (error instanceof SumsError) {
      return { problems: [{ name: path, why: `does not count: ${error.message}` }] };
    }
    throw error;
  }
}

async function compare({ name, path }: Item, sums: ReadonlyMap<string, string>): Promise<Problem[]> {
  const wanted = sums.get(name);
  if (wanted === undefined) return [{ name, why: "is not listed" }];
  try {
    return await digestFile(path) === wanted ? [] : [{ name, why: "is not what was released" }];
  } catch (error) {
    if (error instanceof FileError) return [{ name, why: error.message }];
    throw error;
  }
}

/** Every file of a folder, and every one that should be there. */
function itemsOf(folder: string, list: string, sums: ReadonlyMap<string, string>): Item[] {
  const own = [list, `${list}.sig`].flatMap((path) => find(path)?.real ?? []);
  const isOwn = (real: string | undefined) => real !== undefined && own.includes(real);
  const found = listFiles(folder).filter((path) => !isOwn(find(path)?.real))
    .map((path) => path.slice(folder.length + 1).replaceAll("\\", "/"));
  return [...new Set([...sums.keys(), ...found])].sort().map((name) => ({ name, path: join(folder, name) }));
}

/** What a file is called in a list: its path from there, or its name where it lies elsewhere. */
function nameOf(path: string, list: string): string {
  const slashes = (text: string) => text.replaceAll("\\", "/");
  const folder = slashes(find(dirname(path))?.real ?? dirname(path));
  const base = slashes(find(dirname(list))?.real ?? dirname(list));
  const full = `${folder}/${basename(path)}`;
  return full.startsWith(`${base}/`) ? full.slice(base.length + 1) : basename(path);
}

interface Outcome {
  readonly good: readonly string[];
  readonly problems: readonly Problem[];
}

async function verify({ paths, key, sums: named }: Request): Promise<Outcome> {
  const lists = new Map<string, List>();
  const good: string[] = [];
  const problems: Problem[] = [];
  for (const path of paths) {
    const found = find(path);
    const list = named ?? join(found?.folder ? path : dirname(path), "SHA256SUMS");
    // Given too where a shell wrote out `folder/*`.
    if ([list, `${list}.sig`].some((own) => found !== undefined && find(own)?.real === found.real)) continue;
    let known = lists.get(list);
    if (known === undefined) {
      lists.set(list, known = await readList(list, key));
      if ("problems" in known) problems.push(...known.problems);
    }
    if ("problems" in known) continue;
    const items = found?.folder
      ? itemsOf(found.real, list, known.sums)
      : [{ name: nameOf(path, list), path }];
    for (const item of items) {
      const wrong = await compare(item, known.sums);
      problems.push(...wrong);
      if (wrong.length === 0) good.push(item.name);
    }
  }
  if (good.length + problems.length === 0) {
    throw new UsageError("no folder or file given but the list itself");
  }
  return { good, problems };
}

async function describe({ good, problems }: Outcome, key: Uint8Array | undefined): Promise<Report> {
  const bad = problems.map(({ name, why }) => `BAD  ${inert(name)}: ${inert(why)}\n`).join("");
  const files = (count: number) => count === 1 ? "1 file" : `${count} files`;
  if (bad !== "") {
    const count = `${files(good.length)} as listed. Do not use what was downloaded.\n`;
    return { code: BAD, stdout: "", stderr: bad + count };
  }
  const lines = good.map((name) => `ok  ${inert(name)}\n`).join("");
  const signed = key === undefined
    ? "no signature was looked at, for want of --key"
    : `the list is signed by SHA256:${toBase64(await digestOf(encodeKey(key), "sha256")).replace(/=+$/, "")}`;
  return { code: OK, stdout: `${lines}${files(good.length)} as listed; ${signed}\n`, stderr: "" };
}

/** Checks the files that the command line names. Throws nothing of its own: a mistake on the command line is told too. */
export async function verifyRelease(args: readonly string[]): Promise<Report> {
  try {
    const request = parseRequest(args);
    if (request === undefined) return { code: OK, stdout: VERIFY_HELP, stderr: "" };
    return await describe(await verify(request), request.key);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const stderr = `nonzero verify-release: ${inert(error.message)}\nRun nonzero verify-release --help.\n`;
    return { code: USAGE, stdout: "", stderr };
  }
}
