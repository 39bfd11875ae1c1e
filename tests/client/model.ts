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

/** What the model answers: calls, or words that end its turn. */
export type Answer = Turn | string;

/** What the model that a prompt hook asks answers. */
export interface Verdict {
  readonly ok: boolean;
  readonly reason: string;
  readonly impossible?: boolean;
}

/** A request that the client made of the model. */
export interface Asked {
  /** The conversation's next answer, a prompt hook's verdict, or something else, such as a title. */
  readonly kind: "turn" | "verdict" | "aside";
  /** All text that the model was given: the system's, then that of the messages. */
  readonly text: string;
  /** The text of the last message alone. */
  readonly last: string;
  /** The format that the answer must have. */
  readonly format: unknown;
}

/** What the model does. */
export interface Script {
  /** A conversation's answers by words of the prompt that opens it, the user's or a subagent's; then it ends. */
  readonly conversations: Readonly<Record<string, readonly Answer[]>>;
  /** What prompt hooks are answered, one after the other; then that all is well. */
  readonly verdicts?: readonly Verdict[] | undefined;
  /** Runs before the client gets a turn. */
  readonly before?: ((turn: Turn) => Promise<void>) | undefined;
}

/** The stand-in while it listens. */
export interface Model {
  readonly address: string;
  readonly results: ReadonlyMap<ToolCall, ToolResult>;
  /** What the client asked, in order. */
  readonly asked: readonly Asked[];
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
  readonly system?: string | readonly Heard[];
  readonly tools?: readonly unknown[];
  readonly output_config?: {
    readonly format?: {
      readonly schema?: { readonly properties?: Readonly<Record<string, unknown>> };
    };
  };
}

function textOf(content: string | readonly Heard[] | undefined): string {
  if (content === undefined || typeof content === "string") {
    return content ?? "";
  }
  return content.map((block) => block.text ?? textOf(block.content)).join("\n");
}

/** What a request is for: a prompt hook asks for a verdict of a given shape, and only the conversation has tools. */
function kindOf({ output_config, tools }: Request): Asked["kind"] {
  if (output_config?.format?.schema?.properties?.ok) return "verdict";
  return tools?.length ? "turn" : "aside";
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
export function startModel({ conversations, verdicts = [], before }: Script): Model {
  const calls = Object.values(conversations).flat().flatMap((turn) => typeof turn === "string" ? [] : turn);
  const results = new Map<ToolCall, ToolResult>();
  const asked: Asked[] = [];
  const callOf = (id: string) => calls[Number(/^toolu_(\d+)$/.exec(id)?.[1])];
  let answers = 0;

  function listen(request: Request): void {
    const { messages, system } = request;
    const texts = messages.map(({ content }) => textOf(content));
    asked.push({
      kind: kindOf(request),
      text: [textOf(system), ...texts].join("\n"),
      last: texts.at(-1) ?? "",
      format: request.output_config?.format,
    });
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

  function judge(): Verdict {
    const earlier = asked.filter(({ kind }) => kind === "verdict").length - 1;
    return verdicts[earlier] ?? { ok: true, reason: "" };
  }

  async function think(request: Request): Promise<readonly Said[]> {
    const { messages } = request;
    const kind = kindOf(request);
    if (kind === "verdict") return [{ type: "text", text: JSON.stringify(judge()) }];
    const opening = textOf(
      messages.find(({ role }) => role === "user")?.content,
    );
    const prompt = Object.keys(conversations).find((prompt) => opening.includes(prompt));
    if (prompt === undefined || kind === "aside") {
      return [{ type: "text", text: "{}" }];
    }
    const turn = conversations[prompt]
      ?.[messages.filter(({ role }) => role === "assistant").length];
    if (!turn) return [{ type: "text", text: "That was all." }];
    if (typeof turn === "string") return [{ type: "text", text: turn }];
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
    asked,
    callOf,
    stop: () => server.shutdown(),
  };
}
