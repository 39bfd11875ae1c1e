/** A SHA256SUMS that does not count; the message says where and why. */
export class SumsError extends Error {
  override readonly name = "SumsError";
}

/** What is wrong with the name of a file in SHA256SUMS; undefined where it stays below its folder on every system. */
function problemOf(name: string): string | undefined {
  // deno-lint-ignore no-control-regex -- a name that moves the cursor is none
  if (/[\0-\x1f\x7f]/.test(name)) return "holds a control character";
  if (/[\\:]/.test(name)) return "holds a backslash or a colon";
  if (name.startsWith("/")) return "is absolute";
  if (name.split("/").some((part) => part === "" || part === "." || part === "..")) return "leads elsewhere";
  return undefined;
}

/**
 * Reads the text of SHA256SUMS as `sha256sum` writes it: digests in hexadecimal by file names, in the file's order.
 *
 * @throws {SumsError} Where a line is of another form, a name is there twice or may lead out of the folder, or there
 *   is no line at all.
 */
export function parseSums(text: string): ReadonlyMap<string, string> {
  const lines = text.split("\n");
  if (lines.pop() !== "") throw new SumsError("its last line is cut short");
  if (lines.length === 0) throw new SumsError("it is empty");
  const sums = new Map<string, string>();
  lines.forEach((line, index) => {
    const fail = (why: string) => new SumsError(`line ${index + 1} ${why}`);
    const [, sum, name] = /^([0-9a-f]{64}) [ *](.+)$/s.exec(line) ?? [];
    if (sum === undefined || name === undefined) throw fail("is no digest with a name");
    const problem = problemOf(name);
    if (problem !== undefined) throw fail(`has a name that ${problem}`);
    if (sums.has(name)) throw fail(`has "${name}" again`);
    sums.set(name, sum);
  });
  return sums;
}
