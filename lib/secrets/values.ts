/**
 * Judgments about the text that stands where a secret may stand: is it a placeholder, an identifier, words, or
 * does it look like chance. They serve the patterns that know no vendor's prefix.
 */

/** A place where a pattern matched, before it is judged. */
export interface Found {
  readonly text: string;
  /** Where the match begins, in UTF-16 units: for an assignment at its key, for a token at its first character. */
  readonly at: number;
  /** Where the secret itself begins and ends. */
  readonly start: number;
  readonly end: number;
  /** What varies from one secret to the next: the token without its prefix, the value of an assignment. */
  readonly value: string;
}

/** A value of an assignment that is shorter than this is not judged. */
export const MIN_LENGTH = 16;
/** Shannon's entropy that a value must have, in bits for each of its characters: 48 bits at the least length. */
export const MIN_BITS = 3;

/** The Shannon entropy of an ASCII value's own characters, in bits a character; 0 for an empty one. */
export function bitsPerCharacter(value: string): number {
  const counts: number[] = new Array(128).fill(0);
  for (let i = 0; i < value.length; i++) counts[value.charCodeAt(i) & 127]!++;
  let repeats = 0;
  for (let code = 0; code < 128; code++) {
    const count = counts[code]!;
    if (count > 1) repeats += count * Math.log2(count);
  }
  return value === "" ? 0 : Math.log2(value.length) - repeats / value.length;
}

/** Whether each run of letters and digits is one character repeated, as in `xxxx-xxxx`, or there is no such run. */
export function isRepeated(value: string): boolean {
  let run = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i) | 0x20;
    const alphanumeric = (code >= 97 && code <= 122) || (code >= 48 && code <= 57 && value[i]! >= "0");
    if (!alphanumeric) run = 0;
    else if (run === 0) run = code;
    else if (run !== code) return false;
  }
  return true;
}

/** The letters that often follow each letter, `a` to `z`, in English words and identifiers: 94 % of all their pairs. */
const FOLLOWERS =
  ("bcdgiklmnprstuvwy aeilorsu acehiklorstu adeilorsu abcdefgilmnopqrstvwxy aefiloru aehilnorsu aeiort " +
    "abcdefglmnoprstvxz aeou eis adeilostuy abeimopsu acdefgiknopstuv abcdfgiklmnoprstuvw aehiloprstuy u " +
    "acdegiklmnoprstuvy acehiklopstuy acehilorstuy abcegilmnprst aei aehinors eipt ps e").split(" ");

/** The place of a letter in the alphabet, from 0, in either case; -1 for any other character. */
function letterAt(value: string, i: number): number {
  const letter = (value.charCodeAt(i) | 0x20) - 97;
  return letter >= 0 && letter < 26 ? letter : -1;
}

/**
 * Whether a value reads as words: more than a third of it is pairs of letters, seven in ten of which are common
 * in English. Chance letters make four in ten. A change from lower to upper case begins a word.
 */
export function readsAsWords(value: string): boolean {
  let pairs = 0;
  let common = 0;
  let last = -1;
  for (let i = 0; i < value.length; i++) {
    const letter = letterAt(value, i);
    const begins = value.charCodeAt(i) < 97 && value.charCodeAt(i - 1) >= 97;
    if (letter >= 0 && last >= 0 && !begins) {
      pairs++;
      if (FOLLOWERS[last]!.includes(String.fromCharCode(letter + 97))) common++;
    }
    last = letter;
  }
  return pairs >= value.length * 0.35 && common >= pairs * 0.7;
}

/**
 * Whether a value looks like chance: at least {@linkcode MIN_LENGTH} characters with a digit and two letters, at
 * least {@linkcode MIN_BITS} bits each, and not words. Of random values of 16 characters about nine in ten do
 * (most of the others have no digit), of 32 ninety-nine in a hundred.
 */
export function looksRandom(value: string): boolean {
  return value.length >= MIN_LENGTH && /[0-9]/.test(value) && /[A-Za-z][^A-Za-z]*[A-Za-z]/.test(value) &&
    bitsPerCharacter(value) >= MIN_BITS && !readsAsWords(value);
}

/** What a value has in it that stands for another: words for that, and what masks one. */
export const STANDS_IN =
  /example|sample|dummy|placeholder|change[_-]?me|your|x{4,}|redacted|replace|insert|to[_-]do|fake|mock|foobar|lorem|1234567|abcdefg|deadbeef|not[_-]?a?[_-]?real|\*{3,}|\.{3,}|[<>{}]|process\.env|import\.meta|environ|getenv|test[_-]?(?:key|token|secret|pass)/i;

/** What masks a secret or tells that it was taken out; beside a whole one it does neither. */
const MASK = /x{4,}|\*{3,}|redacted/i;

/** Whether a value says of itself that it stands for another. */
export function isPlaceholder(value: string): boolean {
  if (/^(?:\$|%[A-Z_a-z({]|@[A-Z_]+@)/.test(value)) return true;
  if (!STANDS_IN.test(value)) return false;
  // The header of a JSON Web Token before a mask tells nothing.
  return !MASK.test(value) || !value.split(MASK).some((part) => looksRandom(part) && !part.startsWith("eyJ"));
}

/** Whether a value is a UUID, which names things far more often than it opens them. */
export function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value);
}

/** What has the length of a secret and is none: names, versions, dates, digests and addresses. */
export function isIdentifier(value: string): boolean {
  return isUuid(value) ||
    /^0x[0-9a-f]{40}$/i.test(value) || // an account or contract on a chain: public
    /^[~^=v]{0,2}[0-9]+\.[0-9]/.test(value) || // a version
    /^(?:19|20)[0-9]{2}[-01]/.test(value) || // a date, or a tag that begins with one
    /^(?:sha[0-9]{1,3}|md5)[-_=]/i.test(value) || // a digest that says so
    /\.[a-z][a-z0-9]{1,10}$/.test(value); // a file, a host, a mail address
}

/** Ends of keys that say that the value is about a secret and not one. */
const ABOUT =
  /(?:ids?|name|ur[il]|path|file|dir|arn|type|hash|digest|checksum|sha[0-9]*|fingerprint|public|count|length|limit|version|endpoint|expir(?:y|es|ation)|prefix|suffix|pattern|regexp?|format|label|hint|description|help|title|message|error|ref|host|port|scopes?|algorithm|kind|server|region|e?mail|address|selector|icon|class|signature|nonce|timestamp|tx|mint)$/;

/**
 * Keys that name no secret by what stands before its word: `AWS::AppSync::ApiKey` is a type, `checksum/secret` a digest
 * of one, `:123456789012:secret:name` the end of a name, a public key's token is its digest, and tokens that mark a
 * place in a list or one request open nothing.
 */
const OTHER =
  /(?:AWS::\w+::\w+|checksum\/[\w-]+|:[0-9]{12}:secret|public[_-]?key[\w-]*|(?:page|next|starting|continuation|csrf|xsrf|idempotency|request)[_-]?tokens?)$/i;

/** Calls of what gets or sets the value of a key, up to that key. */
const GETS_OR_SETS =
  /(?:get|env|fetch|config|propert(?:y|ies)|header|set|put|add|append|option|param|variable|default)\w{0,20}[ \t]?\([ \t]?["'`\\]{1,4}[\w.-]{0,40}$/i;

/** Whether `pass` or `pwd` is a word of its own in a key: not so in `compass` and `OLDPWD`. */
function isOwnWord(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 8), at);
  return !/[A-Za-z]$/.test(before) || /[a-z]$/.test(before) && text[at] === "P" ||
    /(?:^|[^a-z])(?:db|user|my|root|admin|sql|mysql|pg)$/i.test(before);
}

/** Whether what ends there is called, indexed or a template's beginning: code, not a value. */
export function isCallOrIndex(text: string, end: number): boolean {
  return /^[([{:]/.test(text.slice(end, end + 1));
}

/** Whether a value that has no other mark than its key's name and its length looks like chance. */
export function isAssignedChance({ text, end, value }: Found): boolean {
  return !isCallOrIndex(text, end) && looksRandom(value);
}

/** What leads to a value. */
export interface Lead {
  /** The key in lower case, as far as its pattern tells it. */
  readonly key: string;
  /** The 40 characters before it. */
  readonly before: string;
  /** What stands between it and the value, in lower case. */
  readonly between: string;
}

/** Takes apart what leads to the value of an assignment. */
export function readLead({ text, at, start }: Found): Lead {
  const lead = text.slice(at, start).toLowerCase();
  const key = /^[\w. -]*/.exec(lead)![0].trimEnd();
  return { before: text.slice(Math.max(0, at - 40), at), key, between: lead.slice(key.length) };
}

/**
 * Whether a key names a secret, not what is about one (`tokenUrl`, `password_hash`), and the value is assigned to it.
 *
 * @param option what stands before a key whose value only a space parts from it, such as `--` before an option
 */
export function isAssignedToKey({ before, key, between }: Lead, option: RegExp): boolean {
  if (ABOUT.test(key) || OTHER.test(before + key)) return false;
  if (/^[\s"'`]*$/.test(between) && !option.test(before)) return false;
  // What a comma parts from the key is its value where something is set, or its default where something is got.
  return !/^["'`\\]*,/.test(between) || /value["'\\]*[ \t]*[:=]/.test(between) || GETS_OR_SETS.test(before);
}

/**
 * Whether an assignment to a key that names a secret holds one. Not where the key says that it is about a secret
 * (`tokenUrl`, `password_hash`), nor where the value is a placeholder, a call, an expression, an identifier (a
 * UUID is taken for one), words, or does not look like chance: see {@linkcode looksRandom}. A value that is
 * too short to tell counts where it is a quoted password of all kinds of characters.
 */
export function isSecretAssignment(found: Found): boolean {
  const { text, at, start, end, value } = found;
  const isShort = value.length < MIN_LENGTH;
  if (isShort && !/["'`]/.test(text[start - 1]!)) return false;
  const lead = readLead(found);
  const { key } = lead;
  if (!isAssignedToKey(lead, /--[A-Za-z-]*$/)) return false;
  if (/^(?:pass(?![wp])|pwd)/.test(key) && !isOwnWord(text, at)) return false;
  // The working directory, and the name of a key that signs commits.
  if (/^pwd/.test(key) && /^[~/]/.test(value)) return false;
  if (/^signing/.test(key) && /^(?:[0-9A-F]{16}|[0-9A-F]{40})$/.test(value)) return false;
  if (isShort) return isQuotedPassword(found, key);
  if (isCallOrIndex(text, end) || isPlaceholder(value) || isIdentifier(value)) return false;
  const quoted = /["'`]/.test(text.slice(start - 1, start));
  if (!quoted && value.includes(".")) return value.split(".").some(looksRandom);
  return looksRandom(value);
}

/** Whether a value assigned to a key that is only ever a secret's is one, however it looks. */
export function isFilledIn({ value }: Found): boolean {
  return !isPlaceholder(value);
}

/** What a password says that people make up, for a document or for themselves, with letters as the signs like them. */
const MADE_UP = /pass|pwd|secret|admin|test|user|demo|welcome|qwert|letmein|abc|1234|hello|login|dummy/;

/**
 * Whether a short value looks like a password that was made by chance: eight characters or more of at least three of
 * the four kinds, a digit among them, and nothing that reads as a word.
 */
function looksLikePassword(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /[!#$%&*+,:;=?@^~]/].filter((kind) => kind.test(value)).length;
  const plain = value.toLowerCase().replace(/[@4]/g, "a").replace(/0/g, "o").replace(/[$5]/g, "s").replace(
    /3/g,
    "e",
  );
  return value.length >= 8 && kinds >= 2 && /[0-9]/.test(value) && !/[A-Za-z][a-z]{4}|[A-Z]{5}/.test(value) &&
    !MADE_UP.test(plain) && !MADE_UP.test(value) && !/A-Z|a-z|0-9/.test(value);
}

/** Whether a value is in quotes, its key ends in the word, and it was made by chance of all four kinds of characters. */
function isQuotedPassword({ text, start, end, value }: Found, key: string): boolean {
  return /["'`]/.test(text.slice(start - 1, start)) && /^["'`\\]/.test(text.slice(end, end + 1)) &&
    /(?:passw(?:or)?d|pwd)$/.test(key) && !isPlaceholder(value) && looksLikePassword(value) &&
    /[a-z]/.test(value) && /[A-Z]/.test(value) && /[!#$%&*+,:;=?@^~]/.test(value);
}

/** Whether a password that is passed to a command looks like chance. */
export function isPasswordOfChance({ value }: Found): boolean {
  return !isPlaceholder(value) && (looksRandom(value) || looksLikePassword(value));
}

/** Whether the user of a URL without a password is a token: not the key of a Sentry address, which is public. */
export function isUserToken({ text, end, value }: Found): boolean {
  return looksRandom(value) && !isPlaceholder(value) && !isIdentifier(value) &&
    !RESERVED.test(text.slice(end + 1, end + 256)) &&
    !/^[\w.:-]{0,100}(?:sentry|ingest|\\?\/[0-9]{1,20}(?![\w.\/-]))/.test(text.slice(end + 1, end + 256));
}

/** Hosts that are reserved for examples (RFC 2606), and digests of images. */
const RESERVED =
  /^(?:sha256:|sha512:|(?:[\w-]+\.){0,8}(?:example(?:\.(?:com|net|org|edu))?|test|invalid)(?![\w.-]*\w))/i;

/** Hosts that are reached from the same machine, or by one name alone from the same network of containers. */
const NEAR =
  /^(?:127(?:\.[0-9]{1,3}){3}|0\.0\.0\.0|\[::1\]|host\.docker\.internal|[A-Za-z][\w-]{0,62})(?![\w.-]*\w)/i;

/** Whether a password is short and reads as words, perhaps with a number behind: `dev123`, `user_pw`. */
function isEasy(value: string): boolean {
  return value.length < 24 &&
    /^(?:[a-z]{2,12}|[A-Z][a-z]{1,11}|[A-Z]{2,12})(?:[_.-]?(?:[a-z]{1,12}|[A-Z][a-z]{1,11}))?[_.-]?[0-9]{0,4}!?$/
      .test(value) &&
    (value.length < 9 || readsAsWords(value));
}

/** Passwords that stand for a password. */
const STAND_INS = new Set(
  ("password passwd passwort pass pwd pw p secret token apikey key user username name admin root test testing demo " +
    "guest anonymous anoncvs pserver mypassword mypass mysecret yourpassword userpass userpassword dbpass dbpassword secretpassword " +
    "supersecret topsecret changeit foo bar baz redacted removed hidden my your the some a db database auth credentials")
    .split(" "),
);

/**
 * Whether the password of a URL is one: not a placeholder, not the user's name again, not a version or a port, of
 * four characters or more, not for a host that is reserved for examples, and not an easy one for a host that is near.
 */
export function isSecretPassword({ text, at, start, end, value }: Found): boolean {
  if (
    value.length < 4 || isPlaceholder(value) || /^(?:[0-9]{1,5}(?:,.*)?|v?[0-9]+(?:\.[0-9]+)+.*)$/.test(value)
  ) {
    return false;
  }
  const user = /[^/]*$/.exec(text.slice(at, start - 1))![0];
  if (user.toLowerCase() === value.toLowerCase()) return false;
  const words = value.toLowerCase().replace(/[0-9]{1,3}$/, "").split(/[-_.:]+/);
  if (words.every((word) => STAND_INS.has(word))) return false;
  const host = text.slice(end + 1, end + 256);
  return !RESERVED.test(host) && !(isEasy(value) && NEAR.test(host));
}

/** A word, an abbreviation, a small number, or what vendors write between `sk-` and the secret. */
const WORD =
  /^(?:[a-z]{1,20}|[A-Z][a-z]{1,19}|[A-Z]{2,4}|[0-9]{1,4}|v[0-9]{1,2}|(?:api|admin|oat|ort|sid)[0-9]{2}|)$/;

/**
 * Whether a token that has only a short, common prefix holds more than words: `sk-` also begins class names such as
 * `sk-text-repr-fallback` and `sk-cubeGridScaleDelay`, and what documents write for a key, `sk-your-key-here`.
 */
export function isMoreThanWords({ value }: Found): boolean {
  if (/^(?:ssh-ed25519|ecdsa-sha2)/.test(value)) return false; // kinds of SSH keys
  const parts = value.replace(/([a-z])(?=[A-Z])/g, "$1-").split(/[-_.]+/);
  const left = parts.filter((part) => !WORD.test(part));
  return parts.length === 1 || (left.length > 0 && !left.every(isRepeated));
}
