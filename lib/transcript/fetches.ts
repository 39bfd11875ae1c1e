/** What a curl command printed of the status that it got. */

/** A status that curl printed, or none where it got no response. */
interface Sign {
  readonly at: number;
  readonly status: number | undefined;
}

/** Errors of curl after which a response may have come all the same: cut short, not written on, or out of time. */
const LATE = /^(?:18|23|28)$/;

/** The statuses that stand in lines which begin a response, and where there was none. */
function* statusLines(text: string): Generator<Sign> {
  for (
    const { 1: line, 2: field, 3: error, index: at } of text.matchAll(
      /(?<![\w/])HTTP\/\d(?:\.\d)?[ \t]+(\d{3})(?!\d)|^StatusCode[ \t]*:[ \t]*(\d{3})[ \t]*$|^curl: \((\d+)\)/gm,
    )
  ) {
    if (error === undefined) yield { at, status: Number(line ?? field) };
    else if (!LATE.test(error)) yield { at, status: undefined };
  }
}

/** The longest format that is read, in UTF-16 units. */
const FORMAT = 500;

/** The formats that a command line has curl print. */
function formatsOf(command: string): string[] {
  const option =
    /(?<!\S)["']?(?:-[a-zA-Z]{0,12}w|--write-out)[ \t=]{0,8}("(?:[^"\\]|\\.)*"|'[^']*'|\$'(?:[^'\\]|\\.)*'|[^\s"']+)/g;
  return [...command.matchAll(option)].flatMap(([, raw = ""]) => {
    const format = raw.replace(/^\$?["']|["']$/g, "").replaceAll("%%", "%");
    return format.length <= FORMAT && /%\{(?:http_code|response_code)\}/.test(format) ? [format] : [];
  });
}

/** A text of a format, whatever the spaces in it. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&").replace(/\s+/g, "\\s{1,8}");
}

/**
 * What stands around the status that a format prints, up to the next field of it, with the status as the first group;
 * undefined where that is nothing.
 */
function expressionOf(format: string): RegExp | undefined {
  const parts = format.replace(/\\[nrt]/g, "\n").split(/(%\{\w+\}|\$\w+|\$\{\w+\})/);
  const at = parts.findIndex((part) => /^%\{(?:http|response)_code\}$/.test(part));
  const [before = "", after = ""] = [parts[at - 1]?.trimStart(), parts[at + 1]?.trimEnd()];
  if (before.trim() === "" && after.trim() === "") return undefined;
  return new RegExp(`(?<!\\d)${literal(before)}(\\d{3})(?!\\d)${literal(after)}`, "g");
}

/** The statuses in a line of which nothing more is known than that curl printed one there: numbers of three digits. */
function numbersOf(line: string): number[] {
  return [...line.matchAll(/(?<![\d.,])(\d{3})(?=\s|$)/g)].map(([number]) => Number(number));
}

/** Whether curl's own table of progress stands in it. */
const PROGRESS = /--:--:--|% Total|Dload/;

/** What curl printed where it was told to print the status and nothing else: it stands in the last line that may. */
function bareStatus(text: string, wanted: number): Sign | undefined {
  for (const { 0: line, index: at } of [...text.matchAll(/[^\r\n]+/g)].toReversed()) {
    const numbers = PROGRESS.test(line) ? [] : numbersOf(line);
    const bad = numbers.find((number) => number >= 400 && number < 600);
    const status = bad ?? numbers.find((number) => number === wanted) ?? numbers[0];
    if (status !== undefined) return { at, status };
  }
  return undefined;
}

/** The status that a format printed last. */
function writtenStatus(format: string, text: string, wanted: number): Sign | undefined {
  const expression = expressionOf(format);
  if (!expression) return bareStatus(text, wanted);
  const last = [...text.matchAll(expression)].at(-1);
  if (last) return { at: last.index, status: Number(last[1]) };
  // What was cut out of it.
  const end = text.trimEnd();
  const line = end.slice(Math.max(end.lastIndexOf("\n"), end.lastIndexOf("\r")) + 1).trim();
  return line === String(wanted) ? { at: end.length - line.length, status: wanted } : undefined;
}

/** Whether the command's own end is that it holds the status against one, so that it is an error where that differs. */
function isHeldAgainst(command: string, wanted: number): boolean {
  const end = new RegExp(
    `(?:\\bgrep (?:-\\w{1,8} ){0,4}|\\s={1,2} ?|\\s-eq )["'^]{0,2}${wanted}[$"']{0,2}(?:\\s*\\]{1,2})?\\s*$`,
  );
  return end.test(command) && !/\|\||(?:^|\s)!\s|\bif\b|\bgrep -\w*v/.test(command);
}

/**
 * Whether the last response that a curl command got had a status, told by what it printed without an error: a line
 * that begins a response, what `-w` printed, or else a field `status` of JSON. Any other number is none. Where the
 * command ends in a comparison of what `-w` printed with the status, that is enough. Takes linear time.
 */
export function gotStatus(command: string, text: string, wanted: number): boolean {
  const formats = formatsOf(command);
  const signs: Sign[] = [
    ...statusLines(text),
    ...formats.flatMap((format) => writtenStatus(format, text, wanted) ?? []),
  ];
  const last = signs.reduce<Sign | undefined>(
    (one, other) => one && one.at > other.at ? one : other,
    undefined,
  );
  if (last) return last.status === wanted;
  if (formats.length > 0 && isHeldAgainst(command, wanted)) return true;
  const fields = [...text.matchAll(/"status(?:_?code)?"\s{0,8}:\s{0,8}"?(\d{3})(?![\d.])/gi)];
  return Number(fields.at(-1)?.[1]) === wanted;
}
