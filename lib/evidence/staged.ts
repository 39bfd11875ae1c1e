/** A private key's header in a diff, in the file and line that it will have. */
export interface KeyHeader {
  readonly file: string;
  readonly line: number;
}

/** The header of a private key of any kind, as it stands in PEM and OpenPGP armour. */
const HEADER = /-----BEGIN (?:(?:RSA|DSA|EC|OPENSSH|ENCRYPTED|PGP) )?PRIVATE KEY(?: BLOCK)?-----/;

/** The longest line that is looked at as one; of a longer one each piece is, with what could span two. */
const LINE_LIMIT = 64 * 1024;

/** Searches the added lines of a diff, given piece by piece, for headers of private keys. */
export function findKeyHeaders(): { take(bytes: Uint8Array): void; end(): readonly KeyHeader[] } {
  const found: KeyHeader[] = [];
  const decoder = new TextDecoder("latin1");
  let rest = "";
  let file = "";
  let line = 0;
  let inHunk = 0;
  const look = (text: string) => {
    if (inHunk > 0) {
      if (text.startsWith("\\")) return;
      inHunk--;
      if (!text.startsWith("+")) return;
      if (HEADER.test(text.replaceAll("\0", ""))) found.push({ file, line });
      line++;
      return;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (hunk) {
      line = Number(hunk[2]);
      inHunk = Number(hunk[1] ?? 1) + Number(hunk[3] ?? 1);
    } else if (text.startsWith("+++ ")) file = text.slice(4).replace(/^b\//, "").replace(/\t$/, "");
  };
  return {
    take(bytes) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) look(text);
      if (rest.length > LINE_LIMIT) {
        if (inHunk > 0 && rest.startsWith("+") && HEADER.test(rest.replaceAll("\0", ""))) {
          found.push({ file, line });
        }
        rest = rest.slice(0, 1) + rest.slice(-200);
      }
    },
    end() {
      if (rest !== "") look(rest);
      return found;
    },
  };
}
