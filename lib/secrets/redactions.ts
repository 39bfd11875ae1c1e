/** Judges what is assigned to an API key in evidence: is it a key, or does it only say what is or was there. */
import { isPlaceholder, looksRandom, readsAsWords, STANDS_IN } from "./values.ts";

/** Words that no key is made of: a type, a state, and what a test takes for a key that must be refused. */
const SAYINGS = new Set(
  ("null none nil undefined nan void empty blank true false yes no on off n a an the na tbd " +
    "string str text number int integer float bool boolean bytes byte any unknown never object symbol bigint char varchar " +
    "json jsonb date datetime uuid option optional vec list array dict map enum partial record promise secretstr secretstring system " +
    "key keys apikey api value token header field param parameter argument name " +
    "present absent missing required valid invalid set unset not is was has been in here from for ok bearer basic " +
    "hidden masked removed stripped omitted filtered scrubbed sanitized redacted private confidential withheld obscured obfuscated encrypted hashed " +
    "configured enabled disabled loaded found provided given passed failed accepted rejected denied allowed authorized unauthorized forbidden " +
    "active inactive verified checked validated rotated revoked expired created deleted updated generated stored saved available unavailable " +
    "used unused skipped ignored pending default expected actual same different " +
    "wrong bad nope bogus incorrect nonexistent malformed garbage junk old new other another some test tests testing demo development abc foo bar baz")
    .split(" "),
);

/** A name of an API key, such as `config.apiKey`, `OPENAI_API_KEY` and `x-api-key`. */
const NAME = /^(?:[a-z0-9]{0,12}[-_.#])*[a-z0-9]{0,12}api[-_]?keys?$/i;

/** A name of a constant or variable. */
const CONSTANT = /^(?:[A-Z]{1,20}_){1,6}(?:KEY|TOKEN|SECRET)$/;

/** A number, a version of a protocol, a date, a digest, an address, a place relative to another, and what is escaped. */
const REFERENCE = new RegExp(
  "^(?:[0-9]{1,4}(?::[0-9]+)*|HTTP/[0-9.]+|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.+Z-]*)?|(?:sha[0-9]{1,3}|md5)[:-].*|" +
    "[a-z][a-z0-9+.-]{1,15}://.*|(?:arn|vault|ssm|env|file):.*|\\.{1,2}/.*|%(?:2a|3c|5b|7b|24).*)$",
  "i",
);

/** What reads a variable, or puts its value in. */
const READS = /^(?:\$|%[A-Z_a-z({]|@[A-Z_]+@)|process\.env|import\.meta|environ|getenv/i;

/** The longest beginning or end of a key that is shown beside what masks the rest. */
const SHOWN = 12;

/** Whether each word of a value is one of those; punctuation alone says as little. */
function isSaying(value: string): boolean {
  if (value.length > 64) return false;
  const words = value.replace(/([a-z])(?=[A-Z])/g, "$1 ").toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);
  return words.every((word) => SAYINGS.has(word) || /^[0-9]{1,2}$/.test(word));
}

/** Whether a value is the path of a file: from the root, or of plain words, and nothing in it looks like chance. */
function isPath(value: string): boolean {
  return /^(?:(?:\/[\w.@-]+){2,}|[a-z_.-]+(?:\/[a-z_.-]+){2,})\/?$/i.test(value) &&
    !value.split("/").some(looksRandom);
}

/** Whether an unquoted value is read from elsewhere: a member of an object, a tag of YAML. */
function isMember(value: string): boolean {
  return /^!?[A-Za-z_][\w.:]*$/.test(value) &&
    (value.startsWith("!") || /^[a-z_]+\.[a-z_]+$/i.test(value) || /^\w+(?:\.[a-z_]\w*){2,}$/i.test(value)) &&
    !value.split(".").some(looksRandom);
}

/**
 * Whether what is left beside a mark is a whole key all the same, a vendor's prefix not counted.
 *
 * @param isMask the mark masks the rest, so that only a few characters may be shown; else it is a word
 */
export function isWhole(part: string, isMask: boolean): boolean {
  if (part.length <= SHOWN) return false;
  const bare = part.replace(/^(?:[a-z]{2,8}[0-9]{0,2}[-_]){1,3}/i, "");
  if (bare.startsWith("eyJ")) return false;
  return looksRandom(bare) ||
    (isMask && bare.length > SHOWN && (/[0-9]/.test(bare) ? /[A-Za-z]/.test(bare) : !readsAsWords(bare)));
}

/** Whether a value stands for a key, and the key does not stand beside what says so. */
function standsForKey(value: string): boolean {
  // Digits or letters in a row are no redaction: such a key may be in use somewhere.
  const bare = value.replace(/1234567|abcdefg|deadbeef/gi, "");
  if (!isPlaceholder(bare)) return false;
  if (READS.test(bare)) return true;
  const isMask = /\*{3}|\.{3}|x{4}|redacted/i.test(bare);
  return !bare.split(STANDS_IN).some((part) => isWhole(part, isMask));
}

/** Whether a value was taken out, or only says what it is: a state, a reference, a type, a file, the address of one. */
export function isRedacted(value: string, quoted: boolean): boolean {
  const plain = value.replace(/^[*?!]+|[?.!:*]+$/g, "");
  return isSaying(plain) || (/key/i.test(plain.slice(-4)) && NAME.test(plain)) || CONSTANT.test(plain) ||
    REFERENCE.test(plain) || isPath(plain) || standsForKey(value) ||
    (!quoted && (value.startsWith("#") || isMember(value)));
}
