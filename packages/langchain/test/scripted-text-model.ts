import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel, type BaseChatModelParams } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage, type UsageMetadata } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";

/** What the model answers: a text, or text with what else providers send, or an error. */
export type Reply = string | { text: string; reasoning?: string; finish?: string } | Error;

export interface ScriptedFields extends BaseChatModelParams {
  /** One for each request, in turn; the last is repeated. A function sees the messages. */
  replies: readonly Reply[] | ((messages: BaseMessage[]) => Reply);
  /** Characters in one piece, or how to cut a reply. Default: one character, the worst case for a parser. */
  chunk?: number | ((text: string) => string[]);
  /** `true`: tokens counted as characters, in what was sent and in the reply. Or these for each request. */
  usage?: boolean | UsageMetadata;
  /** The model continues a last AI message. */
  prefill?: boolean;
  /** Milliseconds between pieces, for tests that stop in the middle. */
  pause?: number;
}

interface ScriptedCallOptions {
  stop?: string[];
  signal?: AbortSignal;
  temperature?: number;
}

/**
 * A model that only writes text, as strict as the strictest in the field: strings only, one system message first, then
 * human and AI in turn, ending in human. It has no `bindTools`.
 */
export class ScriptedTextModel extends BaseChatModel<ScriptedCallOptions & Record<string, unknown>> {
  readonly model = "scripted-1";
  /** The messages of each request. */
  readonly requests: BaseMessage[][] = [];
  /** The call options of each request. */
  readonly options: Record<string, unknown>[] = [];
  /** Pieces handed out, over all requests. */
  sent = 0;
  /** Streams that ended because the reader or the signal stopped them. */
  closed = 0;

  constructor(readonly script: ScriptedFields) {
    super(script);
  }

  override _llmType(): string {
    return "scripted";
  }

  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const reply = this.#next(messages, options);
    const message = new AIMessage({
      content: reply.text,
      response_metadata: { model_name: this.model, finish_reason: reply.finish ?? "stop" },
      ...this.#usage(messages, reply.text),
    });
    return { generations: [{ text: reply.text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const reply = this.#next(messages, options);
    let finished = false;
    try {
      if (reply.reasoning) {
        const message = new AIMessageChunk({ content: "", additional_kwargs: { reasoning_content: reply.reasoning } });
        yield new ChatGenerationChunk({ message, text: "" });
      }
      for (const text of this.#cut(reply.text)) {
        (options.signal as AbortSignal | undefined)?.throwIfAborted();
        this.sent++;
        yield new ChatGenerationChunk({ message: new AIMessageChunk(text), text });
        await runManager?.handleLLMNewToken(text);
        if (this.script.pause) await new Promise((resolve) => setTimeout(resolve, this.script.pause));
      }
      finished = true;
      const message = new AIMessageChunk({
        content: "",
        response_metadata: { model_name: this.model, finish_reason: reply.finish ?? "stop" },
        ...this.#usage(messages, reply.text),
      });
      yield new ChatGenerationChunk({ message, text: "" });
    } finally {
      if (!finished) this.closed++;
    }
  }

  #next(messages: BaseMessage[], options: Record<string, unknown>): Exclude<Reply, string | Error> {
    const begun = this.script.prefill && messages.at(-1)?.getType() === "ai";
    assertTextOnly(begun ? messages.slice(0, -1) : messages);
    const { replies } = this.script;
    const at = Math.min(this.requests.length, replies.length - 1);
    this.requests.push(messages);
    this.options.push(options);
    const reply = typeof replies === "function" ? replies(messages) : (replies[at] ?? "");
    if (reply instanceof Error) throw reply;
    return typeof reply === "string" ? { text: reply } : reply;
  }

  #cut(text: string): string[] {
    const { chunk = 1 } = this.script;
    if (typeof chunk === "function") return chunk(text);
    return Array.from({ length: Math.ceil(text.length / chunk) }, (_, i) => text.slice(i * chunk, (i + 1) * chunk));
  }

  #usage(messages: BaseMessage[], text: string) {
    const { usage } = this.script;
    if (!usage) return {};
    if (usage !== true) return { usage_metadata: usage as never };
    const input = messages.reduce((sum, message) => sum + message.text.length, 0);
    return {
      usage_metadata: { input_tokens: input, output_tokens: text.length, total_tokens: input + text.length } as never,
    };
  }
}

function assertTextOnly(messages: BaseMessage[]): void {
  for (const [i, message] of messages.entries()) {
    if (typeof message.content !== "string") throw new Error("scripted model: non-string message content");
    if (message.content === "") throw new Error("scripted model: empty message");
    const type = message.getType();
    const isFirst = i === 0 || (i === 1 && messages[0]?.getType() === "system");
    const expected = isFirst ? "human" : messages[i - 1]?.getType() === "human" ? "ai" : "human";
    if (i === 0 && type === "system") continue;
    if (type !== expected) throw new Error(`scripted model: message ${i} is ${type}, not ${expected}`);
  }
  if (messages.at(-1)?.getType() !== "human") throw new Error("scripted model: the last message is not human");
}

/** A call as hermes models write it. */
export const call = (name: string, args: Record<string, unknown>) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })
    .replace(/^{"name":/, '{"name": ')
    .replace(',"arguments":', ', "arguments": ')}\n</tool_call>`;
