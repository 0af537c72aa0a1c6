import {
  BaseLLM,
  type ChatMessage,
  type ChatResponse,
  type ChatResponseChunk,
  type LLMChatParamsNonStreaming,
  type LLMChatParamsStreaming,
} from "@llamaindex/core/llms";

/** What the model answers: a text, or an error. */
export type Reply = string | Error;

export interface Script {
  /** One for each request, in turn; the last is repeated. A function sees the messages. */
  replies: readonly Reply[] | ((messages: ChatMessage[]) => Reply);
  /** Characters in one piece. Default 1, the worst case for a parser. */
  chunk?: number;
  /** The fields after the last chunk, as the provider sends them. */
  raw?: object;
  contextWindow?: number;
}

type Params = LLMChatParamsStreaming | LLMChatParamsNonStreaming;

/**
 * An LLM that only writes text, as strict as the strictest in the field: strings only, one system message first, then user
 * and assistant in turn, ending in user, and nothing said of tools.
 */
export class ScriptedLLM extends BaseLLM {
  /** The content of each request. */
  readonly requests: Params[] = [];
  /** Streams that ended because their reader stopped. */
  closed = 0;
  readonly metadata;

  constructor(readonly script: Script) {
    super();
    this.metadata = {
      model: "scripted-1",
      temperature: 0,
      topP: 1,
      contextWindow: script.contextWindow ?? 4096,
      tokenizer: undefined,
      structuredOutput: false,
    };
  }

  override chat(params: LLMChatParamsStreaming): Promise<AsyncIterable<ChatResponseChunk>>;
  override chat(params: LLMChatParamsNonStreaming): Promise<ChatResponse>;
  override async chat(params: Params): Promise<AsyncIterable<ChatResponseChunk> | ChatResponse> {
    assertTextOnly(params);
    const { replies } = this.script;
    const at = Math.min(this.requests.length, replies.length - 1);
    this.requests.push(params);
    const reply = typeof replies === "function" ? replies(params.messages) : (replies[at] ?? "");
    if (reply instanceof Error) throw reply;
    if (params.stream) return this.#stream(reply);
    return { message: { role: "assistant", content: reply }, raw: this.script.raw ?? null };
  }

  /** The whole text of a request. */
  text(request: number): string {
    return (this.requests.at(request)?.messages ?? []).map(({ content }) => content).join("\n");
  }

  async *#stream(reply: string): AsyncGenerator<ChatResponseChunk> {
    const { chunk = 1, raw = null } = this.script;
    let finished = false;
    try {
      for (let at = 0; at < reply.length; at += chunk) yield { delta: reply.slice(at, at + chunk), raw: null };
      finished = true;
      yield { delta: "", raw };
    } finally {
      if (!finished) this.closed++;
    }
  }
}

function assertTextOnly({ messages, ...rest }: Params): void {
  if ("tools" in rest) throw new Error("scripted model: it is told of tools");
  for (const [i, { role, content }] of messages.entries()) {
    if (typeof content !== "string" || content === "") throw new Error("scripted model: a message without text");
    if (i === 0 && role === "system") continue;
    const isFirst = i === 0 || (i === 1 && messages[0]?.role === "system");
    const expected = isFirst || messages[i - 1]?.role === "assistant" ? "user" : "assistant";
    if (role !== expected) throw new Error(`scripted model: message ${i} is of the ${role}, not the ${expected}`);
  }
  if (messages.at(-1)?.role !== "user") throw new Error("scripted model: the last message is not the user's");
}

/** A call as hermes models write it. */
export const call = (name: string, input: object) =>
  `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${JSON.stringify(input)}}\n</tool_call>`;
