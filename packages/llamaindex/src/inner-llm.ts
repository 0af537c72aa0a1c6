import type { ChatMessage, ChatResponse, ChatResponseChunk, LLM } from "@llamaindex/core/llms";
import {
  type FinishReason,
  readFinishReason,
  type TextModel,
  type TextModelChunk,
  type TextModelRequest,
} from "@toolingua/core";
import { textOf } from "./messages.js";

type Fields = Record<string, unknown>;

/** The wrapped LLM as a `TextModel` for one turn, with the metadata of its replies. */
export class InnerLLM {
  /** The provider's raw objects of all chunks, for all requests of the turn. */
  readonly raw: object[] = [];

  /** `options`: the caller's `additionalChatOptions`; `responseFormat`: the caller's, for an LLM that supports it. */
  constructor(
    private readonly llm: LLM,
    private readonly options: Fields,
    private readonly responseFormat: object | undefined,
  ) {}

  readonly generate: TextModel = (request) => this.#generate(request);

  async *#generate({ messages, prefill, constraint, signal }: TextModelRequest): AsyncGenerator<TextModelChunk> {
    signal?.throwIfAborted();
    const sent: ChatMessage[] = messages.map(({ role, content }) => ({ role, content }));
    if (prefill !== undefined) sent.push({ role: "assistant", content: prefill });
    const options = { ...this.options, ...(constraint && { constraint }) };
    const answer: AsyncIterable<ChatResponseChunk> | ChatResponse = await this.llm.chat({
      messages: sent,
      stream: true,
      // Some servers refuse keys without a value.
      ...(Object.keys(options).length > 0 && { additionalChatOptions: options }),
      ...(this.responseFormat && { responseFormat: this.responseFormat }),
    });
    let finish: FinishReason | undefined;
    let isOfOpenAI = false;
    for await (const { delta, raw } of pieces(answer)) {
      if (raw) this.raw.push(raw);
      finish = finishOf(raw) ?? finish;
      isOfOpenAI ||= isOpenAIChunk(raw);
      if (delta) yield delta;
    }
    // OpenAI's API ends a stream with a finish reason. One without it was cut off, as at the token limit.
    if (isOfOpenAI) finish ??= "length";
    if (finish) yield { finish };
  }
}

/** The chunks of an answer. Some LLMs cannot stream and always answer whole. */
async function* pieces(answer: AsyncIterable<ChatResponseChunk> | ChatResponse): AsyncGenerator<ChatResponseChunk> {
  if (Symbol.asyncIterator in answer) yield* answer;
  else yield { delta: textOf(answer.message.content), raw: answer.raw };
}

/** The finish reason, if reported: OpenAI has it in a choice, Gemini in a candidate, others at the top level. */
function finishOf(raw: object | null): FinishReason | undefined {
  const { choices, candidates, ...top } = (raw ?? {}) as Fields;
  return readFinishReason({ ...top, ...firstOf(choices), ...firstOf(candidates) });
}

const isOpenAIChunk = (raw: object | null): boolean => (raw as Fields | null)?.object === "chat.completion.chunk";

const firstOf = (list: unknown): Fields => (Array.isArray(list) ? ((list[0] ?? {}) as Fields) : {});
