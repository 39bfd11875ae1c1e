/** A call of a tool, and what came of it. */
export interface ToolUse {
  /** The tool's name; "" where the line has none. */
  readonly name: string;
  readonly input: unknown;
  /** Missing where the transcript has none, or not yet. */
  readonly result?: { readonly text: string; readonly isError: boolean };
}

/** The end of a transcript: what the agent said and did, oldest first. */
export interface Window {
  /** The blocks of text that the agent said. */
  readonly texts: readonly string[];
  readonly uses: readonly ToolUse[];
  /** It reaches back to the prompt that opened the turn, and all that may be a call since then was read. */
  readonly whole: boolean;
}

/** How many lines of the user and the agent count. */
const LINES = 40;

/** How the texts begin that the client writes as if the user had. */
const MACHINE =
  /^\s*(?:(?:Subagent)?Stop hook (?:feedback|blocking error)|\[Request interrupted by user|Caveat: The messages below|<(?:task-notification|local-command-\w+|bash-(?:stdout|stderr)|user-prompt-submit-hook)\b)/i;

/** The end of what the client adds to a prompt. */
const REMINDER_END = "</system-reminder>";

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? value as Fields : {};
}

/** The blocks of a message's content, which may also be one text. */
function blocksOf(content: unknown): readonly Fields[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.map(fieldsOf) : [];
}

function textOf(content: unknown): string {
  return blocksOf(content).flatMap(({ text }) => typeof text === "string" ? [text] : []).join("\n");
}

/** A line of the user's or the agent's. */
interface Line {
  readonly type: "user" | "assistant";
  readonly blocks: readonly Fields[];
  readonly opensTurn: boolean;
}

/** Whether a text may be such a line at all. A quote inside of a string has a backslash before it. */
function mayBeLine(text: string): boolean {
  return text.includes('"type":"user"') || text.includes('"type":"assistant"') ||
    text.includes('"type": "user"') || text.includes('"type": "assistant"');
}

/** Whether a call may have stood in a line whose end, with its type, is missing. */
function mayBeCutCall(text: string): boolean {
  return !/\}\s*$/.test(text.slice(-20)) && text.includes('"tool_use"') && !/^\{"type":/.test(text);
}

/** Whether the user wrote it: reminders of the client may stand before. */
function isWritten(text: string): boolean {
  if (MACHINE.test(text)) return false;
  if (!/^\s*<system-reminder>/.test(text)) return true;
  const end = text.lastIndexOf(REMINDER_END);
  return end >= 0 && text.slice(end + REMINDER_END.length).trim() !== "";
}

function opensTurn(line: Fields, blocks: readonly Fields[]): boolean {
  if (line["isMeta"] === true || line["isCompactSummary"] === true) return false;
  if (line["isVisibleInTranscriptOnly"] === true || line["rowSource"] === "hook") return false;
  if (fieldsOf(line["origin"])["kind"] === "task-notification") return false;
  if (blocks.some(({ type }) => type === "tool_result")) return false;
  return blocks.some(({ type, text }) =>
    type === "text" ? typeof text === "string" && isWritten(text) : typeof type === "string"
  );
}

function parseLine(text: string, sidechain: boolean): Line | "other" | "broken" {
  if (!mayBeLine(text)) return mayBeCutCall(text) ? "broken" : "other";
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text.includes('"tool_use"') ? "broken" : "other";
  }
  const line = fieldsOf(value);
  const { type } = line;
  if (type !== "user" && type !== "assistant") return "other";
  if (line["isSidechain"] === !sidechain) return "other";
  const message = fieldsOf(line["message"]);
  const blocks = blocksOf(message["content"]);
  if (type === "user") return { type, blocks, opensTurn: opensTurn(line, blocks) };
  // What the client says in the agent's name.
  const isError = line["isApiErrorMessage"] === true;
  return { type, blocks: isError ? [] : blocks, opensTurn: false };
}

/** The calls of the lines, oldest first, each with its result. */
function usesOf(lines: readonly Line[]): ToolUse[] {
  const results = new Map<unknown, { readonly text: string; readonly isError: boolean }>();
  const calls = new Map<unknown, ToolUse>();
  for (const { type, blocks } of lines) {
    for (const block of blocks) {
      if (type === "user" && block["type"] === "tool_result") {
        results.set(block["tool_use_id"], {
          text: textOf(block["content"]),
          isError: block["is_error"] === true,
        });
      } else if (type === "assistant" && block["type"] === "tool_use") {
        const { id, name, input } = block;
        calls.set(id ?? block, { name: typeof name === "string" ? name : "", input });
      }
    }
  }
  return [...calls].map(([id, use]) => {
    const result = results.get(id);
    return result ? { ...use, result } : use;
  });
}

/**
 * Reads the end of a transcript from its lines, newest first: the last 40 lines of the user and the agent, no further
 * back than the prompt that opened the turn. A line that is given as undefined, too long to be read, is one of the 40.
 * Lines of subagents are passed over, or with `sidechain` those of anyone else; so are lines of other types, cut and
 * invalid ones. What the user wrote, results apart, and what hooks said is not in it. Never throws by itself, and
 * takes no more lines than it needs.
 */
export function readWindow(lines: Iterable<string | undefined>, sidechain = false): Window {
  const found: Line[] = [];
  let count = 0;
  let reached = false;
  let unread = false;
  for (const text of lines) {
    if (text === undefined) {
      unread = true;
      if (++count === LINES) break;
      continue;
    }
    const line = parseLine(text, sidechain);
    if (line === "broken") unread = true;
    if (typeof line === "string") continue;
    if (line.opensTurn) {
      reached = true;
      break;
    }
    found.push(line);
    if (++count === LINES) break;
  }
  found.reverse();
  const texts = found.flatMap(({ type, blocks }) =>
    type === "assistant"
      ? blocks.flatMap(({ type, text }) => type === "text" && typeof text === "string" ? [text] : [])
      : []
  );
  return { texts, uses: usesOf(found), whole: reached && !unread };
}
