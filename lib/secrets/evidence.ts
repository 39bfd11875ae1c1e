/** What must not stand in evidence: every kind of secret, and whatever is assigned to an API key. */
import type { Text } from "../contract/hook.ts";
import { ASSIGNS, type Pattern, PATTERNS } from "./patterns.ts";
import { isKeyByItsLooks, linesWithKeys, readAsShown } from "./readings.ts";
import { isRedacted, isWhole } from "./redactions.ts";
import { PatternTable } from "./scan.ts";
import { findSecrets, type SecretInText } from "./texts.ts";
import {
  type Found,
  isAssignedToKey,
  isCallOrIndex,
  isUuid,
  looksRandom,
  MIN_LENGTH,
  readLead,
} from "./values.ts";

const raw = String.raw;

/** Whether a name that is followed by `: word word` is spoken of, not set: no key has a space in it. */
function isSpokenOf({ text, at, start, end, value }: Found): boolean {
  return value.length < MIN_LENGTH && /^[A-Za-z-]+[.:!?]?$/.test(value) &&
    /:[ \t]*$/.test(text.slice(Math.max(at, start - 8), start)) &&
    /^ [A-Za-z(]/.test(text.slice(end, end + 2));
}

/** Whether a value is cut by what stands for its rest: `abc…`. In a long text all such characters read as DEL. */
function isCutShort({ text, end, value }: Found): boolean {
  return /^[\u2022\u2026\u25cf\x7f\p{L}]/u.test(text.slice(end, end + 1)) && !isWhole(value, true);
}

/** Whether a value follows what says that it was taken out: `[REDACTED]…`, `•••…`. */
function isMarked(lead: string): boolean {
  return /(?:\[[A-Za-z _-]{3,20}\]|<[A-Za-z _-]{3,20}>|\([A-Za-z _-]{3,20}\)|[\u2022\u2026\u25cf\x7f])$/.test(
    lead,
  );
}

/** What goes before `NAME value` on a line: the instruction that sets it. */
const SETS = /(?:^|[\r\n;&|])[ \t]*(?:#[ \t]*define|env|arg|setenv|setx|set[ \t]+-[a-z]+)[ \t]+\w*$/i;

/** What goes before `api-key value`: an option of a command, or the header that it is a scheme of. */
const OPTION = new RegExp(
  raw`(?:(?:^|[\s"'\x60])--?[A-Za-z-]*|authorization["'\\]*[:=][ \t"'\\]*)$|${SETS.source}`,
  "i",
);

/** Names that are about a key: when, whether and from where; and the names of files. */
const ABOUT =
  /[._-](?:at|on|by|date|time|status|state|enabled|required|valid|present|exists|source|age|ttl|header|param|field|env|var|provider|masked|[cm]?[jt]sx?|pyi?|go|rs|rb|php|java|kts?|cs|cc|cpp|hpp?|swift|scala|ex|exs|vue|svelte|s?css|html?|json|ya?ml|toml|sql|sh|ps1|tf|mdx?|txt|log|snap|lock)$|(?:created|updated|expires|rotated|revoked|used)at$/;

/** Whether a value is code: what a key is compared with (without spaces `==` sets what a request sends), its type, a shell's command, what a search looks for. */
function isCode({ text, start, end, value }: Found, between: string, quoted: boolean): boolean {
  const isCommand = text[start - 1] === "`" && /[ \t]/.test(text.slice(end, end + 1));
  if (quoted) return isCommand;
  return /[ \t][!=]==?[ \t]/.test(between) || (text[end] === "<" && /^[A-Z][A-Za-z]*$/.test(value)) ||
    /^\.[*+]/.test(value) ||
    (text[start - 1] === "\\" && /^[SsWwDd][*+{]/.test(value));
}

/** Whether a value belongs to the name before it: after `ENV NAME` to the line's end, after `NAME=` without a space. */
function belongs({ text, at, end }: Found, key: string, before: string, between: string): boolean {
  const name = text.slice(at, at + key.length);
  if (/^=[ \t]+$/.test(between)) return name !== name.toUpperCase();
  if (!/^[ \t]+["'`]?$/.test(between) || !SETS.test(before)) return true;
  return /^["'`]?[ \t]*(?:$|[\r\n;&|#])/.test(text.slice(end, end + 16));
}

/** Whether what follows the name of an API key is a value that is assigned to it, and no redaction. */
function isApiKey(found: Found): boolean {
  const { text, at, start, end, value } = found;
  const lead = readLead(found);
  const { before, key, between } = lead;
  if (!isAssignedToKey(lead, OPTION)) return false;
  // `<apiKey>value` is an element, `grep api_key > file` a redirection.
  if (/^[\w.-]*[ \t]*>/.test(text.slice(at, start)) && !/<[\w:.-]*$/.test(before)) return false;
  // `<a href="#api_key">words` is a link.
  if (/^["']>/.test(between) && /(?:href|src|id|class|for)=["'][^"'<>]*$/i.test(before)) return false;
  const quoted = /["'`]/.test(text.slice(start - 1, start));
  if (isCallOrIndex(text, end) && (!quoted || text[end] === "{")) return false;
  if (isRedacted(value, quoted) || isSpokenOf(found) || isCutShort(found)) return false;
  return looksRandom(value) ||
    !(ABOUT.test(key) || isMarked(text.slice(at, start)) || isCode(found, between, quoted)) &&
      belongs(found, key, before, between);
}

/** Whether a value is a key by its looks, where only its place beside the name of one tells so. */
function isSpokenKey(found: Found): boolean {
  const { text, at, start, end, value } = found;
  const lead = text.slice(at, start);
  const name = /^api[._ -]?key[\w.-]*/i.exec(lead)![0];
  if (!isAssignedToKey({ before: "", key: name.toLowerCase(), between: ":" }, OPTION)) return false;
  const gap = lead.slice(name.length);
  if (ABOUT.test(name.toLowerCase()) || !isKeyByItsLooks(value)) return false;
  // What only follows the word may be its id.
  if (!/[^\s"'`]/.test(gap) && isUuid(value.slice(0, 36))) return false;
  // On a line of its own a key is all there is.
  const isBelow = /[\r\n]/.test(gap) && /^[\s"'`\]*-]*$/.test(gap);
  return !isBelow || /^["'`]*[ \t]*(?:$|[\r\n])/.test(text.slice(end, end + 16));
}

const QUOTES = raw`["'\x60\\]{0,8}`;

const LITERALS = ["apikey", "api_key", "api-key", "api key", "api.key"];

/** The row for an API key of any kind: its name, what assigns, and a value. */
const API_KEY: Pattern = {
  id: "evidence-api-key",
  literals: LITERALS,
  anyCase: true,
  before: "",
  source: raw`api[._-]?key[\w.-]{0,40}(?![\w.-])(?:\[[0-9]{1,3}(?=\]))?(?:` +
    // `apiKey: Type = "value"`
    raw`\??[ \t]{0,4}:[ \t]{0,4}&?[\w'][\w.'|?\[\]]{0,40}[ \t]{1,4}=(?!=)[ \t]{0,8}${QUOTES}` +
    // `"name": "api_key", "value": "value"`
    raw`|["'\x60\\]{0,8},?(?:\s|\\[nr]){0,64}["'\\]{0,8}value["'\\]{0,8}[ \t]{0,8}[:=][ \t]{0,8}${QUOTES}` +
    // The value in quotes on the next line.
    raw`|["'\x60\\\]]{0,8}[ \t]{0,8}[:=][ \t]{0,8}\x0d?\x0a[ \t]{0,64}["'\x60]{1,3}` +
    // `%3D` is `=` in an address.
    raw`|${ASSIGNS}|%3d)` +
    // YAML's anchor, and what says that the value behind it was taken out.
    raw`(?:&[\w-]{1,20} )?(?:\[[A-Za-z _-]{3,20}\]|<[A-Za-z _-]{3,20}>|\([A-Za-z _-]{3,20}\)|[` +
    "\u2022\u2026\u25cf" + raw`\x7f]{1,64})?` +
    // `b"value"`, `("value")`, `SecretStr("value")`
    raw`(?:(?:secret\w{0,8}|str|string|some|bytes|buffer\.from)?\([ \t]{0,4}(?=[bfru"'\x60]))?(?:[bfru]{1,2}(?=["'])["']{1,3}|["'\x60]{1,3})?` +
    // A header may have its values in a list.
    raw`(?:\[[ \t]{0,4}${QUOTES})?(?:(?:bearer|basic|token) {1,2})?` +
    raw`([!#$%*+./0-9@A-Z^_a-z~-][!#$%*+./0-9:=?@A-Z^_a-z~-]{0,127})`,
  groupOnly: true,
  accepts: isApiKey,
};

/** The row for what stands beside the name of an API key: in prose, in a table, on the next line, in a call. */
const SPOKEN_KEY: Pattern = {
  id: API_KEY.id,
  literals: LITERALS,
  anyCase: true,
  before: "",
  source: raw`api[._ -]?key[\w.-]{0,40}(?![\w.-])["'\x60\]]{0,8}(?:` +
    raw`[ \t]{1,4}(?:is|was|are)[ \t]{0,4}:?[ \t]{1,4}` +
    // Cells of Markdown, CSV and HTML, and arrows.
    raw`|[ \t]{0,64}[|,;\t][ \t]{0,64}|[ \t]{0,4}-{1,2}>[ \t]{0,4}|</[a-z]{1,8}>\s{0,64}<[a-z][^<>]{0,64}>` +
    // A call around the value.
    raw`|[ \t]{0,8}[:=]{1,2}[ \t]{0,8}[A-Za-z_][\w.:]{0,40}\([ \t]{0,4}[A-Za-z]{0,2}["'\x60]{1,3}` +
    // The next line, perhaps as YAML's text or list.
    raw`|[ \t]{0,8}[:=]{0,2}[ \t]{0,8}(?:[|>][+-]?[ \t]{0,4})?\x0d?\x0a[ \t]{0,64}(?:[*-][ \t]{1,4})?` +
    raw`|[ \t]{0,8}[:=]{1,2}[ \t]{0,8}|[ \t]{1,8})["'\x60]{0,8}` +
    raw`([A-Za-z0-9+/_.~!@#%^*?$-]{16,})`,
  groupOnly: true,
  accepts: isSpokenKey,
};

/** All that counts in evidence. What the general table knows keeps the name that it has there. */
export const EVIDENCE_PATTERNS: PatternTable = new PatternTable([...PATTERNS, API_KEY, SPOKEN_KEY]);

/** Whether a pattern of either table has that id. */
export function isPatternId(id: string): boolean {
  return EVIDENCE_PATTERNS.patterns.some((pattern) => pattern.id === id);
}

/** Whether the general table has no pattern of that id: outside of evidence such a secret may be written. */
export function isOfEvidenceAlone(id: string): boolean {
  return id === API_KEY.id;
}

/**
 * The secrets in texts for evidence, by each way to read them: as written, as shown, as tables. The same secret may
 * be found by more than one. Where the texts are too large to be scanned, the objection to that.
 */
export function findInEvidence(
  texts: readonly Text[],
): readonly (readonly SecretInText[])[] | { readonly reason: string; readonly satisfy: string } {
  const written = findSecrets(texts, EVIDENCE_PATTERNS);
  if ("reason" in written) return written;
  const shown = texts.map((text) => ({ ...text, text: readAsShown(text.text) }));
  const changed = shown.filter(({ text }, at) => text !== texts[at]?.text);
  const found = findSecrets(changed, EVIDENCE_PATTERNS);
  if ("reason" in found) return found;
  const inTables = shown.flatMap((text) =>
    linesWithKeys(text.text).map((line) => ({ id: API_KEY.id, text, line }))
  );
  return [written, found, inTables];
}
