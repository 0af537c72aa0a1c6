import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import { AIMessageChunk, type BaseMessage, isAIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { concat } from "@langchain/core/utils/stream";

export interface NativeTurn {
  text?: string;
  /** `raw`: written in place of the arguments; what is no JSON becomes an invalid call. */
  calls?: { name: string; args: Record<string, unknown>; raw?: string }[];
  /** Why it ends. Default: `tool_calls` or `stop`. */
  finish?: string;
  /** Thrown, after the text if there is any. */
  error?: Error;
}

export interface NativeFields {
  /** One for each request, in turn; the last is repeated. */
  turns: NativeTurn[];
  /** Thrown when tools, or a choice among them, come with the request. */
  refuse?: { error: Error; when: "tools" | "choice" };
}

type CallOptions = BaseChatModelCallOptions & { tools?: unknown[] };

/** A model with tool calling of its own, as providers stream it: the id with the first piece, indices from 0. */
export class NativeModel extends BaseChatModel<CallOptions> {
  readonly model = "native-1";
  /** Names of the tools and options of each `bindTools`. */
  readonly bound: [string[], object][] = [];
  readonly requests: BaseMessage[][] = [];
  readonly options: CallOptions[] = [];
  refused = 0;
  #calls = 0;

  constructor(readonly script: NativeFields) {
    super({});
  }

  override _llmType(): string {
    return "native";
  }

  override bindTools(
    tools: BindToolsInput[],
    options: Partial<CallOptions> = {},
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, CallOptions> {
    this.bound.push([tools.map((tool) => (tool as { name: string }).name), options]);
    return this.withConfig({ ...options, tools });
  }

  override async _generate(messages: BaseMessage[], options: CallOptions): Promise<ChatResult> {
    let whole: AIMessageChunk | undefined;
    for await (const { message } of this._streamResponseChunks(messages, options)) {
      if (isAIMessageChunk(message)) whole = whole ? concat(whole, message) : message;
    }
    return { generations: [{ text: whole?.text ?? "", message: whole! }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: CallOptions,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { turns, refuse } = this.script;
    if (refuse && (refuse.when === "tools" ? options.tools : options.tool_choice)) {
      this.refused++;
      throw refuse.error;
    }
    const { text = "", calls = [], error, finish } = turns[Math.min(this.requests.length, turns.length - 1)] ?? {};
    this.requests.push(messages);
    this.options.push(options);
    const chunk = (fields: ConstructorParameters<typeof AIMessageChunk>[0] & object, text = "") =>
      new ChatGenerationChunk({ message: new AIMessageChunk(fields), text });
    for (const piece of text.match(/[\s\S]{1,3}/g) ?? []) yield chunk({ content: piece }, piece);
    if (error) throw error;
    for (const [index, { name, args, raw }] of calls.entries()) {
      const piece = (fields: object) =>
        chunk({ content: "", tool_call_chunks: [{ type: "tool_call_chunk", index, ...fields }] });
      yield piece({ id: `call_${++this.#calls}`, name, args: "" });
      for (const part of (raw ?? JSON.stringify(args)).match(/[\s\S]{1,4}/g) ?? []) yield piece({ args: part });
    }
    yield chunk({
      content: "",
      response_metadata: { finish_reason: finish ?? (calls.length > 0 ? "tool_calls" : "stop") },
      usage_metadata: { input_tokens: 1, output_tokens: text.length, total_tokens: 1 + text.length } as never,
    });
  }
}
