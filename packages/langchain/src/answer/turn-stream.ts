import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { convertChunksToEvents } from "@langchain/core/language_models/compat";
import type { ChatModelStreamEvent } from "@langchain/core/language_models/event";
import { AIMessageChunk, type UsageMetadata } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import type { NativeReply } from "../inner/native/native-reply.js";
import { invalidToolCall } from "../messages/broken-call.js";
import { messageFields } from "../messages/message-fields.js";
import type { Answer } from "./answer.js";
import type { ChunkWriter } from "./chunks.js";

/** A streamed turn: the native reply if the model gives a usable one, otherwise the prompted reply. */
export class TurnStream {
  #native: NativeReply | undefined;
  #answer: Answer | undefined;

  /** `ask`: prompts the model; `spent`: tokens of a discarded native reply. */
  constructor(
    private readonly writer: ChunkWriter,
    private readonly native: () => Promise<NativeReply | undefined>,
    private readonly ask: (spent: UsageMetadata | undefined) => Answer,
  ) {}

  async *chunks(runManager?: CallbackManagerForLLMRun): AsyncGenerator<ChatGenerationChunk> {
    // Without the chunk, LangGraph would rebuild the message from the text and lose the calls.
    const notify = runManager?.handlers.length
      ? (chunk: ChatGenerationChunk) =>
          runManager.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk })
      : undefined;
    const native = await this.native();
    this.#native = native;
    if (native) {
      for await (const message of native.shown()) {
        const chunk = new ChatGenerationChunk({ message, text: message.text });
        yield chunk;
        if (notify) await notify(chunk);
      }
      if (!native.isLeftOut) return;
      this.writer.goOn();
    }
    const answer = this.ask(native?.spent);
    this.#answer = answer;
    // All pieces of a message share one id. If a native reply came before, its id is kept.
    const identified = (chunk: ChatGenerationChunk) => {
      const id = native?.id ?? answer.id;
      if (id !== undefined) chunk.message.id = id;
      return chunk;
    };
    for await (const event of answer.events()) {
      for (const chunk of this.writer.write(event)) {
        yield identified(chunk);
        if (notify) await notify(chunk);
      }
    }
    const { metadata, ...ending } = answer.ending();
    const known = native?.metadata;
    // LangChain concatenates strings that occur in two chunks.
    const fresh = known ? Object.fromEntries(Object.entries(metadata).filter(([key]) => !(key in known))) : metadata;
    const last = identified(this.writer.end({ ...ending, metadata: fresh }));
    yield last;
    if (notify) await notify(last);
  }

  /** LangChain's bridge with corrections: the original always ends with "stop" and drops metadata and call errors. */
  async *events(signal: AbortSignal | undefined): AsyncGenerator<ChatModelStreamEvent> {
    for await (const event of convertChunksToEvents(callsAfterText(this.chunks()), signal ? { signal } : {})) {
      const broken = event.event === "content-block-finish" ? this.writer.broken.get(event.index) : undefined;
      if (event.event === "content-block-finish" && broken) yield { ...event, content: invalidToolCall(broken) };
      else yield event.event === "message-finish" ? { ...event, ...this.#ending() } : event;
    }
  }

  #ending() {
    const reason = this.#answer?.reason ?? (this.#native?.called ? ("tool_use" as const) : undefined);
    const responseMetadata = { ...this.#native?.metadata, ...this.#answer?.ending().metadata };
    return { ...(reason && { reason }), responseMetadata };
  }
}

/** The bridge puts text into block 0 and a call into the block of its index, so call 0 would be lost in the text. */
async function* callsAfterText(chunks: AsyncIterable<ChatGenerationChunk>): AsyncGenerator<ChatGenerationChunk> {
  for await (const chunk of chunks) {
    const { message, text } = chunk;
    const { tool_call_chunks = [] } = message as Partial<AIMessageChunk>;
    if (tool_call_chunks.length === 0 || typeof message.content !== "string") {
      yield chunk;
      continue;
    }
    const moved = tool_call_chunks.map((call) => ({ ...call, index: (call.index ?? 0) + 1 }));
    const fields = { ...messageFields(message), content: message.content, tool_call_chunks: moved };
    yield new ChatGenerationChunk({ message: new AIMessageChunk(fields), text });
  }
}
