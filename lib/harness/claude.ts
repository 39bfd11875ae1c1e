import * as z from "zod/mini";
import { checkShape } from "../contract/shape.ts";
import { saysThatItWrites } from "../contract/tools.ts";
import {
  type Call,
  type CallText,
  type Command,
  type Destination,
  EventError,
  type Harness,
} from "../contract/call.ts";
import { describe, strings } from "./shape.ts";

// The schemas are made when they are needed: to make them all costs more than to judge an event.

const text = z.string();
const optionalText = z.optional(text);

const eventShape = () =>
  z.looseObject({
    tool_name: text,
    tool_input: z.looseObject({}),
    cwd: optionalText,
    transcript_path: optionalText,
    scratchpad_dir: optionalText,
  });

const replacementShape = () =>
  z.looseObject({ old_string: text, new_string: text, replace_all: z.optional(z.boolean()) });

const writeShape = () => z.looseObject({ file_path: text, content: text });
const editShape = () => z.extend(replacementShape(), { file_path: text });
const multiEditShape = () => z.looseObject({ file_path: text, edits: z.array(replacementShape()) });
const notebookShape = () => z.looseObject({ notebook_path: text, new_source: optionalText });
const commandShape = () => z.looseObject({ command: text });

type Replacement = z.infer<ReturnType<typeof replacementShape>>;

/** Tools that only read, or only talk. */
const READERS = /^(?:Read|Glob|Grep|LS|Agent|Task|Web[A-Za-z]*|Todo[A-Za-z]*)$/;

/** Whether a key of an unknown tool's input names a file or folder; without case and separators. */
const PATH_KEY = new RegExp(
  "^(?:paths?|files?|(?:file|full|abs|absolute|relative|local|save|to|from|dst|source|destination|dest|target|old|new|out|output|" +
    "notebook)(?:path|paths|file|files|filename|filenames|dir|directory)|filenames?|pathname|pathinproject|dir|directory|" +
    "folder|uri|fileuri)$",
);

/** Keys that name a file in some tools and other things in others. */
const VAGUE_KEY = /^(?:source|src|destination|dest|dst|target|from|to|out|output)$/;

/** Whether a key holds what an edit takes out. */
const OLD_KEY = /^old(?:string|str|text)$/;

const plain = (key: string) => key.toLowerCase().replace(/[_-]/g, "");

function parse<T>(schema: z.ZodMiniType<T>, input: unknown): T {
  const parsed = checkShape(schema, input);
  if (!parsed.success) throw new EventError(describe(parsed.error, "tool_input"));
  return parsed.data;
}

interface Parts {
  readonly destinations: readonly Destination[];
  readonly commands: readonly Command[];
  readonly texts: readonly CallText[];
}

function readWrite(input: unknown): Parts {
  const { file_path, content } = parse(writeShape(), input);
  return {
    destinations: [{ field: "file_path", path: file_path, change: { content } }],
    commands: [],
    texts: [{ field: "content", text: content, destination: 0 }],
  };
}

function readEdits(
  path: string,
  edits: readonly Replacement[],
  field: (index: number) => string,
): Parts {
  const change = {
    edits: edits.map((edit) => ({
      old: edit.old_string,
      new: edit.new_string,
      all: edit.replace_all ?? false,
    })),
  };
  return {
    destinations: [{ field: "file_path", path, change }],
    commands: [],
    texts: edits.map((edit, index) => ({ field: field(index), text: edit.new_string, destination: 0 })),
  };
}

function readNotebook(input: unknown): Parts {
  const { notebook_path, new_source } = parse(notebookShape(), input);
  return {
    destinations: [{ field: "notebook_path", path: notebook_path, change: {} }],
    commands: [],
    texts: new_source === undefined ? [] : [{ field: "new_source", text: new_source, destination: 0 }],
  };
}

function readCommand(input: unknown, shell: Command["shell"]): Parts {
  const { command } = parse(commandShape(), input);
  return {
    destinations: [],
    commands: [{ field: "command", text: command, shell }],
    texts: [{ field: "command", text: command }],
  };
}

/** The strings at the keys of an input that name files, however deep; the address of a site is none. */
function paths(input: unknown): Destination[] {
  const found: Destination[] = [];
  const open: { value: unknown; key: string; names: boolean }[] = [{
    value: input,
    key: "tool_input",
    names: false,
  }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, key, names } = next;
    if (typeof value === "string") {
      const named = names || (VAGUE_KEY.test(plain(key)) && /[\\/]|^[.~]/.test(value));
      if (named && !/^https?:\/\//i.test(value)) {
        found.push({ field: key, path: fromFileUri(value), change: {} });
      }
    } else if (Array.isArray(value)) {
      for (const inner of value) open.push({ value: inner, key, names });
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        open.push({ value: inner, key, names: PATH_KEY.test(plain(key)) });
      }
    }
  }
  return found;
}

/** The path of a `file:` address; any other string as it is. */
function fromFileUri(path: string): string {
  const match = /^file:(?:\/\/(?:localhost)?)?(\/.*)$/i.exec(path);
  if (!match?.[1]) return path;
  try {
    return decodeURIComponent(match[1]).replace(/^\/(?=[A-Za-z]:)/, "");
  } catch {
    return match[1];
  }
}

function readUnknown(name: string, input: unknown): Parts {
  return {
    destinations: saysThatItWrites(name) ? paths(input) : [],
    commands: [],
    texts: strings(input, "tool_input", (key) => OLD_KEY.test(plain(key))),
  };
}

function readTool(name: string, input: unknown): Parts {
  switch (name) {
    case "Write":
      return readWrite(input);
    case "Edit": {
      const edit = parse(editShape(), input);
      return readEdits(edit.file_path, [edit], () => "new_string");
    }
    case "MultiEdit": {
      const { file_path, edits } = parse(multiEditShape(), input);
      return readEdits(file_path, edits, (index) => `edits[${index}].new_string`);
    }
    case "NotebookEdit":
      return readNotebook(input);
    case "Bash":
      return readCommand(input, "sh");
    case "PowerShell":
      return readCommand(input, "powershell");
    default:
      return readUnknown(name, input);
  }
}

/** Claude Code: the event of a tool call, as its hooks reference and the client itself have it. */
export const claude: Harness = {
  name: "claude",
  recognises: (event) => Object.hasOwn(event, "hook_event_name") || Object.hasOwn(event, "tool_name"),
  answersUnnamed: false,
  allow: "",
  deny(reason) {
    const hookSpecificOutput = {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    };
    return `${JSON.stringify({ hookSpecificOutput })}\n`;
  },
  read(event): Call | undefined {
    const parsed = checkShape(eventShape(), event);
    if (!parsed.success) throw new EventError(describe(parsed.error));
    const { tool_name, tool_input, cwd, transcript_path, scratchpad_dir } = parsed.data;
    if (READERS.test(tool_name)) return undefined;
    return {
      cwd: cwd ?? "",
      root: "worktree",
      folders: [
        "~/.claude/plans",
        ...scratchpad_dir ? [scratchpad_dir] : [],
        // The client's notes on the project lie beside its transcripts.
        ...transcript_path ? [transcript_path.replace(/[^\\/]*$/, "memory")] : [],
      ],
      ...readTool(tool_name, tool_input),
      spending: { transcript: transcript_path },
    };
  },
};
