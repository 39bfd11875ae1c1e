/** Compares an executable with the checksums that came with it. */
import { FileError, readText } from "../io/files.ts";
import { digestFile } from "../io/digest.ts";
import { realPath } from "../io/programs.ts";
import { platform as currentPlatform } from "../io/system.ts";
import { ancestors, below } from "../run/roots.ts";
import type { Finding } from "./finding.ts";

const NAME = "SHA256SUMS";

/** The digests of a file of checksums, in lower case. */
export function digestsOf(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(/^\\?([0-9a-f]{64})[ \t]/gim)].map((match) => (match[1] ?? "").toLowerCase()),
  );
}

function readSums(file: string): string | undefined {
  try {
    return readText(file, 1024 * 1024);
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

async function tryDigest(file: string): Promise<string | undefined> {
  try {
    return await digestFile(file);
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** What the checksums beside an executable, or in the folder above, say of it. */
export async function checkDigest(program: string): Promise<Finding[]> {
  const platform = currentPlatform();
  const real = realPath(program);
  if (real === undefined) return [];
  const folders = [...ancestors(real, platform)].slice(1, 3);
  const sums = folders.flatMap((folder) => {
    const file = below(folder, platform, NAME);
    const text = readSums(file);
    return text === undefined ? [] : [{ file, digests: digestsOf(text) }];
  });
  const [first] = sums;
  if (!first) {
    return [{
      level: "note",
      id: "no-checksums",
      message:
        `There is no ${NAME} beside "${program}" or in the folder above, so it was not compared with one.`,
      fix: `Compare it with the ${NAME} of its release.`,
      file: program,
    }];
  }
  const digest = await tryDigest(real);
  if (digest !== undefined && sums.some(({ digests }) => digests.has(digest))) return [];
  return [{
    level: "warning",
    id: "digest",
    message: digest === undefined
      ? `"${program}" cannot be read, so it was not compared with ${first.file}.`
      : `"${program}" is not what ${first.file} has: it was changed, or put there from elsewhere.`,
    fix: "Put the executable of a release in its place, with its checksums.",
    file: program,
  }];
}
