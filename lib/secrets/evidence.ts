/** What must not stand in evidence: few kinds of secrets, and whatever is assigned to an API key. */
import { ASSIGNS, type Pattern, PATTERNS } from "./patterns.ts";
import { PatternTable } from "./scan.ts";
import { type Found, isAssignedToKey, isCallOrIndex, isPlaceholder, MIN_LENGTH, readLead } from "./values.ts";

const raw = String.raw;

/** The kinds of the general table that count in evidence: private keys, `AKIA…`, `ghp_…` and `sk-…`. */
const SHARED = [
  "private-key",
  "aws-access-key-id",
  "github-token",
  "anthropic-key",
  "openai-key",
  "openai-legacy-key",
  "sk-key",
];

/** Values that say what is there or belongs there: nothing, a boolean, a type, a state. */
const SAYINGS = new Set(
  ("null none nil undefined nan empty blank true false yes no on off n/a na tbd key " +
    "string str text number int integer float bool boolean bytes any unknown object char varchar uuid option optional vec " +
    "secretstr secretstring system.string " +
    "present absent missing required valid invalid set unset ok bearer basic token hidden masked removed stripped omitted filtered scrubbed sanitized")
    .split(" "),
);

/** A name of an API key, such as `config.apiKey`, `OPENAI_API_KEY` and `x-api-key`. */
const NAME = /^(?:[a-z0-9]{0,12}[-_.#])*[a-z0-9]{0,12}api[-_]?keys?$/i;

/** Whether a value was taken out, or only says what it is: a reference, a type, a file, the address of one. */
function isRedacted(value: string, quoted: boolean): boolean {
  const plain = value.replace(/^[*?!]+|[?.!:]+$/g, "");
  return SAYINGS.has(plain.toLowerCase()) || NAME.test(plain) ||
    // Digits or letters in a row are no redaction: such a key may be in use somewhere.
    isPlaceholder(value.replace(/1234567|abcdefg|deadbeef/gi, "")) ||
    /^(?:[0-9]{1,4}|HTTP\/[0-9.]+|[a-z][a-z0-9+.-]{1,15}:\/\/.*|\.{1,2}\/.*|%(?:2a|3c|5b|7b|24).*)$/i.test(
      plain,
    ) ||
    (!quoted && value.startsWith("#"));
}

/** Whether a name that is followed by `: word word` is spoken of, not set: no key has a space in it. */
function isSpokenOf({ text, at, start, end, value }: Found): boolean {
  return value.length < MIN_LENGTH && /^[A-Za-z-]+[.:!?]?$/.test(value) &&
    /:[ \t]+$/.test(text.slice(Math.max(at, start - 8), start)) &&
    /^ [A-Za-z(]/.test(text.slice(end, end + 2));
}

/** Whether a value is cut by what stands for its rest: `abc…`. In a long text all such characters read as DEL. */
function isCutShort({ text, end, value }: Found): boolean {
  return value.length < MIN_LENGTH && /^[\u2022\u2026\u25cf\x7f]/.test(text.slice(end, end + 1));
}

/** What goes before `api-key value`: an option of a command, or the header that it is a scheme of. */
const OPTION = /(?:(?:^|[\s"'`])--?[A-Za-z-]*|authorization["'\\]*[:=][ \t"'\\]*)$/i;

/** Whether what follows the name of an API key is a value that is assigned to it, and no redaction. */
function isApiKey(found: Found): boolean {
  const { text, at, start, end, value } = found;
  const lead = readLead(found);
  const { before } = lead;
  if (!isAssignedToKey(lead, OPTION)) return false;
  // `<apiKey>value` is an element, `grep api_key > file` a redirection.
  if (/^[\w.-]*[ \t]*>/.test(text.slice(at, start)) && !/<[\w:.-]*$/.test(before)) return false;
  const quoted = /["'`]/.test(text.slice(start - 1, start));
  if (isCallOrIndex(text, end) && (!quoted || text[end] === "{")) return false;
  return !isRedacted(value, quoted) && !isSpokenOf(found) && !isCutShort(found);
}

const QUOTES = raw`["'\x60\\]{0,8}`;

/** The row for an API key of any kind: its name, what assigns, and a value. */
const API_KEY: Pattern = {
  id: "evidence-api-key",
  literals: ["apikey", "api_key", "api-key"],
  anyCase: true,
  before: "",
  source: raw`api[_-]?key[\w.-]{0,40}(?![\w.-])(?:` +
    // `apiKey: Type = "value"`
    raw`\??[ \t]{0,4}:[ \t]{0,4}&?[\w'][\w.'|?\[\]]{0,40}[ \t]{1,4}=(?!=)[ \t]{0,8}${QUOTES}` +
    // `"name": "api_key", "value": "value"`
    raw`|["'\x60\\]{0,8},?(?:\s|\\[nr]){0,64}["'\\]{0,8}value["'\\]{0,8}[ \t]{0,8}[:=][ \t]{0,8}${QUOTES}` +
    // The value in quotes on the next line.
    raw`|["'\x60\\\]]{0,8}[ \t]{0,8}[:=][ \t]{0,8}\x0d?\x0a[ \t]{0,64}["'\x60]{1,3}` +
    // `%3D` is `=` in an address.
    raw`|${ASSIGNS}|%3d)` +
    // A header may have its values in a list.
    raw`(?:\[[ \t]{0,4}${QUOTES})?(?:(?:bearer|basic|token) {1,2})?` +
    raw`([!#$%*+./0-9@A-Z^_a-z~-][!#$%*+./0-9:=?@A-Z^_a-z~-]{0,127})`,
  groupOnly: true,
  accepts: isApiKey,
};

/** All that counts in evidence. */
export const EVIDENCE_PATTERNS: PatternTable = new PatternTable([
  ...PATTERNS.filter(({ id }) => SHARED.includes(id)),
  API_KEY,
]);

/** Whether a pattern of either table has that id. */
export function isPatternId(id: string): boolean {
  return [...PATTERNS, API_KEY].some((pattern) => pattern.id === id);
}
