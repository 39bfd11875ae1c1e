/** Transcripts of Claude Code for tests, written short. */

/** A line: what the user says, what the agent says, a tool that it uses with what came of it, or any line as it is. */
export type Line =
  | { readonly user: string }
  | { readonly agent: string }
  | {
    readonly tool: string;
    readonly input: Readonly<Record<string, unknown>>;
    /** What it returned; absent: nothing came back. */
    readonly result?: string;
    readonly fails?: boolean;
  }
  | { readonly line: unknown }
  | { readonly raw: string };

const ENVELOPE = {
  userType: "external",
  sessionId: "6f1c9a52-40d3-4a53-9d5e-0b6a3c1d2e4f",
  version: "2.1.332",
  timestamp: "2026-11-30T10:00:00.000Z",
};

function expand(line: Line, at: number, isSidechain: boolean): readonly string[] {
  const envelope = { ...ENVELOPE, isSidechain };
  if ("raw" in line) return [line.raw];
  if ("line" in line) return [JSON.stringify(line.line)];
  if ("user" in line) {
    const message = { role: "user", content: line.user };
    return [JSON.stringify({ ...envelope, type: "user", uuid: `u${at}`, message })];
  }
  const assistant = (content: unknown) =>
    JSON.stringify({
      ...envelope,
      type: "assistant",
      uuid: `a${at}`,
      message: { id: `msg_${at}`, type: "message", role: "assistant", model: "model", content: [content] },
    });
  if ("agent" in line) return [assistant({ type: "text", text: line.agent })];
  const id = `toolu_${at}`;
  const use = assistant({ type: "tool_use", id, name: line.tool, input: line.input });
  if (line.result === undefined) return [use];
  const content = {
    type: "tool_result",
    tool_use_id: id,
    content: line.result,
    ...line.fails ? { is_error: true } : {},
  };
  const message = { role: "user", content: [content] };
  return [use, JSON.stringify({ ...envelope, type: "user", uuid: `r${at}`, message })];
}

/** The text of a transcript, a subagent's where `isSidechain`, its lines ended. */
export function transcript(lines: readonly Line[], isSidechain: boolean = false): string {
  return lines.flatMap((line, at) => expand(line, at, isSidechain)).map((line) => `${line}\n`).join("");
}
