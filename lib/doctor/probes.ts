/** The events that a hook is sent to see what it does with them. Nothing of what they tell is ever done. */
import type { Hook } from "../contract/entry.ts";

/** Two events for one hook: one that it must let be, and one that it must refuse, where it ever refuses. */
export interface Probe {
  readonly harmless: string;
  readonly mustRefuse: string | undefined;
}

/** The folder that the events speak of: absolute, made for that alone. */
export interface Stage {
  readonly folder: string;
  /** Joins names below it, as the system does. */
  readonly path: (...names: readonly string[]) => string;
}

/** The files that the events speak of, below the folder. */
export const STAGE_FILES: Readonly<Record<string, string | null>> = {
  // A worktree, so that the folder itself is the root that writes must stay in.
  "project/.git": null,
  "agent": null,
  "transcript.jsonl": [
    { type: "user", message: { role: "user", content: "Write notes.txt." } },
    {
      type: "assistant",
      message: {
        id: "msg_1",
        role: "assistant",
        content: [{
          type: "tool_use",
          id: "toolu_1",
          name: "Write",
          input: { file_path: "notes.txt", content: "notes" },
        }],
      },
    },
    {
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "File created." }],
      },
    },
  ].map((line) => `${JSON.stringify(line)}\n`).join(""),
};

/** Where an observer's log must be found, below the folder. */
export const AGENT_FOLDER = "agent";

function common(event: string, { path }: Stage) {
  return {
    session_id: "nonzero-doctor",
    transcript_path: path("transcript.jsonl"),
    cwd: path("project"),
    permission_mode: "default",
    hook_event_name: event,
  };
}

function writes(stage: Stage, file_path: string, content: string): string {
  return JSON.stringify({
    ...common("PreToolUse", stage),
    tool_name: "Write",
    tool_input: { file_path, content },
    tool_use_id: "toolu_doctor",
  });
}

function stops(event: string, stage: Stage, message: string): string {
  return JSON.stringify({
    ...common(event, stage),
    ...event === "SubagentStop" ? { agent_transcript_path: stage.path("transcript.jsonl") } : {},
    stop_hook_active: false,
    last_assistant_message: message,
    background_tasks: [],
  });
}

/** The events for a hook at one of its events. */
export function probeFor(hook: Hook, event: string, stage: Stage): Probe {
  switch (hook.kind) {
    case "guard": {
      const { path } = stage;
      // Outside of the worktree, in evidence, and a secret: each guard has a reason to refuse it.
      const header = ["-----BEGIN", "PRIVATE", "KEY-----"].join(" ");
      return {
        harmless: writes(stage, path("project", "notes.txt"), "notes\n"),
        mustRefuse: writes(stage, path("elsewhere", "evidence", "log.txt"), `${header}\n`),
      };
    }
    case "stop":
      return {
        harmless: stops(event, stage, "I wrote notes.txt. UNVERIFIED: nothing was run."),
        mustRefuse: stops(event, stage, "All done. The work is complete."),
      };
    case "observer": {
      const more = "says" in hook ? { source: "startup" } : {
        file_path: stage.path("project", "CLAUDE.md"),
        memory_type: "Project",
        load_reason: "session_start",
      };
      return { harmless: JSON.stringify({ ...common(event, stage), ...more }), mustRefuse: undefined };
    }
  }
}
