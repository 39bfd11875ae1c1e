import * as z from "zod/mini";
import {
  type Call,
  type CallText,
  type Command,
  type Destination,
  EventError,
  type Harness,
} from "../contract/call.ts";
import { describe, strings } from "./shape.ts";

const Event = z.looseObject({
  tool_name: z.string(),
  tool_input: z.looseObject({}),
  cwd: z.string(),
  transcript_path: z.optional(z.string()),
  scratchpad_dir: z.optional(z.string()),
});

const Replacement = z.looseObject({
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.optional(z.boolean()),
});

const Inputs = {
  Write: z.looseObject({ file_path: z.string(), content: z.string() }),
  Edit: z.extend(Replacement, { file_path: z.string() }),
  MultiEdit: z.looseObject({ file_path: z.string(), edits: z.array(Replacement) }),
  NotebookEdit: z.looseObject({ notebook_path: z.string(), new_source: z.optional(z.string()) }),
  Bash: z.looseObject({ command: z.string() }),
};

/** Tools that only read, or only talk. */
const READERS = /^(?:Read|Glob|Grep|LS|Agent|Task|Web[A-Za-z]*|Todo[A-Za-z]*)$/;

/** A tool of an unknown name writes where its name says so. */
const WRITES = /write|edit|create|delete|move|rename|patch|save/i;

/** Keys of an unknown tool's input that name a file or folder, without case and separators. */
const PATH_KEYS = new Set(
  ("path paths file files filename filenames filepath filepaths fullpath absolutepath relativepath dir directory " +
    "folder source sourcepath src destination destinationpath dest target targetpath targetfile from to oldpath " +
    "newpath outputpath outputfile notebookpath uri fileuri").split(" "),
);

/** Keys that hold what an edit takes out, without case and separators. */
const OLD_KEYS = new Set(["oldstring", "oldstr", "oldtext"]);

const plain = (key: string) => key.toLowerCase().replace(/[_-]/g, "");

function parse<T>(schema: z.ZodMiniType<T>, input: unknown): T {
  const parsed = z.safeParse(schema, input);
  if (!parsed.success) throw new EventError(describe(parsed.error, "tool_input"));
  return parsed.data;
}

interface Parts {
  readonly destinations: readonly Destination[];
  readonly commands: readonly Command[];
  readonly texts: readonly CallText[];
}

function readWrite(input: unknown): Parts {
  const { file_path, content } = parse(Inputs.Write, input);
  return {
    destinations: [{ field: "file_path", path: file_path, change: { content } }],
    commands: [],
    texts: [{ field: "content", text: content, destination: 0 }],
  };
}

function readEdits(
  path: string,
  edits: readonly z.infer<typeof Replacement>[],
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
  const { notebook_path, new_source } = parse(Inputs.NotebookEdit, input);
  return {
    destinations: [{ field: "notebook_path", path: notebook_path, change: {} }],
    commands: [],
    texts: new_source === undefined ? [] : [{ field: "new_source", text: new_source, destination: 0 }],
  };
}

function readCommand(input: unknown, shell: Command["shell"]): Parts {
  const { command } = parse(Inputs.Bash, input);
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
      if (names && !/^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(value)) {
        found.push({ field: key, path: fromFileUri(value), change: {} });
      }
    } else if (Array.isArray(value)) {
      for (const inner of value) open.push({ value: inner, key, names });
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        open.push({ value: inner, key, names: PATH_KEYS.has(plain(key)) });
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
  const tool = name.startsWith("mcp__") ? name.slice(name.lastIndexOf("__") + 2) : name;
  return {
    destinations: WRITES.test(tool) ? paths(input) : [],
    commands: [],
    texts: strings(input, "tool_input", (key) => OLD_KEYS.has(plain(key))),
  };
}

function readTool(name: string, input: unknown): Parts {
  switch (name) {
    case "Write":
      return readWrite(input);
    case "Edit": {
      const edit = parse(Inputs.Edit, input);
      return readEdits(edit.file_path, [edit], () => "new_string");
    }
    case "MultiEdit": {
      const { file_path, edits } = parse(Inputs.MultiEdit, input);
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
    const parsed = z.safeParse(Event, event);
    if (!parsed.success) throw new EventError(describe(parsed.error));
    const { tool_name, tool_input, cwd, transcript_path, scratchpad_dir } = parsed.data;
    if (READERS.test(tool_name)) return undefined;
    return {
      cwd,
      root: "worktree",
      folders: ["~/.claude/plans", ...(scratchpad_dir ? [scratchpad_dir] : [])],
      ...readTool(tool_name, tool_input),
      spending: { transcript: transcript_path },
    };
  },
};
