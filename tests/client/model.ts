/** A tool call that the model makes. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The call that writes a file. */
export function write(file_path: string, content = "hello\n"): ToolCall {
  return { tool: "Write", input: { file_path, content } };
}

/** What the client told the model of a tool call. */
export interface ToolResult {
  readonly isError: boolean;
  readonly text: string;
}

/** The calls that the model makes in one answer. */
export type Turn = readonly ToolCall[];

/** What the model does. */
export interface Script {
  /** A conversation's turns by words of the prompt that opens it, the user's or a subagent's; then it ends. */
  readonly conversations: Readonly<Record<string, readonly Turn[]>>;
  /** Runs before the client gets a turn. */
  readonly before?: ((turn: Turn) => Promise<void>) | undefined;
}

/** The stand-in while it listens. */
export interface Model {
  readonly address: string;
  readonly results: ReadonlyMap<ToolCall, ToolResult>;
  /** The call that an identifier in the client's own output stands for. */
  readonly callOf: (id: string) => ToolCall | undefined;
  readonly stop: () => Promise<void>;
}

type Said =
  | { readonly type: "text"; readonly text: string }
  | {
    readonly type: "tool_use";
    readonly id: string;
    readonly name: string;
    readonly input: unknown;
  };

interface Heard {
  readonly type: string;
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: string | readonly Heard[];
}

interface Request {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly Heard[];
  }[];
  readonly tools?: readonly unknown[];
}

function textOf(content: string | readonly Heard[] | undefined): string {
  if (content === undefined || typeof content === "string") {
    return content ?? "";
  }
  return content.map((block) => block.text ?? textOf(block.content)).join("\n");
}

/** One answer as the events of the Messages API. */
function stream(model: string, id: string, said: readonly Said[]): string {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    usage,
  };
  const stop_reason = said.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
  const blocks = said.flatMap((block, index) => {
    const [content_block, delta] = block.type === "text"
      ? [{ type: "text", text: "" }, { type: "text_delta", text: block.text }]
      : [{ ...block, input: {} }, {
        type: "input_json_delta",
        partial_json: JSON.stringify(block.input),
      }];
    return [
      { type: "content_block_start", index, content_block },
      { type: "content_block_delta", index, delta },
      { type: "content_block_stop", index },
    ];
  });
  const end = [{ type: "message_delta", delta: { stop_reason }, usage }, {
    type: "message_stop",
  }];
  return [{ type: "message_start", message }, ...blocks, ...end]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}

/** Starts a stand-in for the model on a free port of the loopback interface: it says what the script has it say. */
export function startModel({ conversations, before }: Script): Model {
  const calls = Object.values(conversations).flat(2);
  const results = new Map<ToolCall, ToolResult>();
  const callOf = (id: string) => calls[Number(/^toolu_(\d+)$/.exec(id)?.[1])];
  let answers = 0;

  function listen({ messages }: Request): void {
    for (
      const block of messages.flatMap(({ content }) => typeof content === "string" ? [] : content)
    ) {
      const call = block.type === "tool_result" ? callOf(block.tool_use_id ?? "") : undefined;
      if (call) {
        results.set(call, {
          isError: block.is_error ?? false,
          text: textOf(block.content),
        });
      }
    }
  }

  async function think({ messages, tools }: Request): Promise<readonly Said[]> {
    const opening = textOf(
      messages.find(({ role }) => role === "user")?.content,
    );
    const prompt = Object.keys(conversations).find((prompt) => opening.includes(prompt));
    // A request without tools is none of the conversation's: the client asks for a title or the like.
    if (prompt === undefined || !tools?.length) {
      return [{ type: "text", text: "{}" }];
    }
    const turn = conversations[prompt]
      ?.[messages.filter(({ role }) => role === "assistant").length];
    if (!turn) return [{ type: "text", text: "That was all." }];
    await before?.(turn);
    return turn.map((call) => (
      {
        type: "tool_use",
        id: `toolu_${calls.indexOf(call)}`,
        name: call.tool,
        input: call.input,
      }
    ));
  }

  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      if (
        request.method !== "POST" ||
        new URL(request.url).pathname !== "/v1/messages"
      ) {
        return Response.json({ input_tokens: 1 });
      }
      const body: Request = await request.json();
      listen(body);
      const events = stream(body.model, `msg_${answers++}`, await think(body));
      return new Response(events, {
        headers: { "content-type": "text/event-stream" },
      });
    },
  );
  return {
    address: `http://127.0.0.1:${server.addr.port}`,
    results,
    callOf,
    stop: () => server.shutdown(),
  };
}
