import {
  AIMessage,
  AIMessageChunk,
  type AIMessageChunkFields,
  type BaseMessage,
  type ContentBlock,
  type ToolCallChunk,
  type UsageMetadata,
} from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { InvalidToolCall, ToolCall } from "@toolingua/core";
import { invalidToolCall, unparsable } from "../messages/broken-call.js";
import { endFields, tokenUsageOf } from "../messages/message-fields.js";
import type { Answer, AnswerEvent, Ending } from "./answer.js";

/** The whole answer as a message. `blocks`: content as blocks, reasoning among them (output version v1). */
export async function collect(answer: Answer, blocks: boolean): Promise<AIMessage> {
  const said = { text: "", reasoning: "" };
  const calls: ToolCall[] = [];
  const invalid: InvalidToolCall[] = [];
  for await (const event of answer.events()) {
    if (event.type === "text" || event.type === "reasoning") said[event.type] += event.text;
    else if (event.type === "call-end") calls.push(event.call);
    else if (event.type === "call-invalid") invalid.push(event.call);
  }
  const { text, reasoning } = said;
  const { usage, metadata, made, kwargs, name } = answer.ending();
  const content: ContentBlock[] = [];
  if (reasoning) content.push({ type: "reasoning", reasoning });
  if (text) content.push({ type: "text", text });
  content.push(...made);
  return new AIMessage({
    content: blocks || made.length > 0 ? content : text,
    tool_calls: calls.map(({ id, name, arguments: args }) => ({ type: "tool_call", id, name, args })),
    invalid_tool_calls: invalid.map(invalidToolCall),
    additional_kwargs: { ...kwargs, ...(reasoning && !blocks && { reasoning_content: reasoning }) },
    ...(name !== undefined && { name }),
    ...(answer.id !== undefined && { id: answer.id }),
    ...endFields(usage, metadata),
  });
}

/** A message as the result of a run. The result repeats the token counts where older tracers read them. */
export function resultOf(message: BaseMessage, usage: UsageMetadata | undefined): ChatResult {
  const tokenUsage = usage && tokenUsageOf(usage);
  return { generations: [{ text: message.text, message }], ...(tokenUsage && { llmOutput: { tokenUsage } }) };
}

/** The state of a streamed call. */
interface OpenCall {
  index: number;
  /** Buffered: possibly the last `}` of the arguments. */
  buffered: string;
  sent: boolean;
}

/**
 * Turns the events of an answer into message chunks as providers stream them: a call's id and name first, then its
 * arguments.
 *
 * LangChain reads incomplete arguments as a valid call, and its content-block events do so once the JSON is complete.
 * Therefore a truncated or wrong call ends in text that no parser accepts, and the final `}` is buffered until the call
 * is known to be valid. Indices start at 1, because block 0 is the text. A message chunk contains one piece of one
 * call.
 */
export class ChunkWriter {
  /** Truncated and wrong calls, by their index in the message. */
  readonly broken = new Map<number, InvalidToolCall>();
  readonly #calls = new Map<number, OpenCall>();
  #block: { type: "text" | "reasoning"; index: number } | undefined;
  #nextBlock = 0;

  /**
   * `blocks`: content as indexed blocks (output version v1, content-block events) instead of a string.
   * `wholeCalls`: each call in one chunk; version v1 turns partial arguments into empty ones.
   */
  constructor(private readonly form: { blocks: boolean; wholeCalls: boolean }) {}

  write(event: AnswerEvent): ChatGenerationChunk[] {
    switch (event.type) {
      case "text":
      case "reasoning":
        return event.text === "" ? [] : this.#content(event.type, event.text);
      case "call-start": {
        const { id, name } = event;
        const call: OpenCall = { index: this.#indexOf(event.index), buffered: "", sent: false };
        this.#calls.set(event.index, call);
        return this.form.wholeCalls ? [] : [this.#piece({ index: call.index, id, name, args: "" })];
      }
      case "call-delta":
        return this.#arguments(event.index, event.argumentsDelta);
      case "call-end":
        return [this.#endCall(event.index, event.call)];
      case "call-invalid":
        return [this.#breakCall(event.index, event.call)];
    }
  }

  /** Continues after a text that something else has written as block 0. */
  goOn(): void {
    this.#nextBlock = Math.max(this.#nextBlock, 1);
  }

  /** The last chunk, the only one with usage and metadata: LangChain sums the former and concatenates the latter. */
  end({ usage, metadata, made, kwargs = {} }: Ending): ChatGenerationChunk {
    const blocks = this.form.blocks ? made.map((block) => ({ ...block, index: this.#nextBlock++ })) : made;
    const content = this.form.blocks || made.length > 0 ? blocks : "";
    return chunkOf({ content, additional_kwargs: kwargs, ...endFields(usage, metadata) });
  }

  // Version v1 finds a call only if the content is a list, even an empty one.
  #piece(call: ToolCallChunk): ChatGenerationChunk {
    const content = this.form.blocks ? [] : "";
    return chunkOf({ content, tool_call_chunks: [{ type: "tool_call_chunk", ...call }] });
  }

  #content(type: "text" | "reasoning", text: string): ChatGenerationChunk[] {
    if (!this.form.blocks) {
      if (type === "text") return [textChunk(text)];
      return [chunkOf({ content: "", additional_kwargs: { reasoning_content: text } })];
    }
    const block = (index: number, content: string) =>
      type === "text"
        ? chunkOf({ content: [{ type, text: content, index }] }, content)
        : chunkOf({ content: [{ type, reasoning: content, index }] });
    if (this.#block?.type === type) return [block(this.#block.index, text)];
    this.#block = { type, index: this.#nextBlock++ };
    // Content-block events use the first piece to open the block and show only the following pieces.
    return [block(this.#block.index, ""), block(this.#block.index, text)];
  }

  #indexOf(call: number): number {
    this.#block = undefined;
    return this.form.blocks ? this.#nextBlock++ : call + 1;
  }

  #arguments(eventIndex: number, delta: string): ChatGenerationChunk[] {
    const call = this.#calls.get(eventIndex);
    if (!call || this.form.wholeCalls) return [];
    const text = call.buffered + delta;
    const last = text.trimEnd().length - 1;
    const cut = text[last] === "}" ? last : text.length;
    call.buffered = text.slice(cut);
    if (cut === 0) return [];
    call.sent = true;
    return [this.#piece({ index: call.index, args: text.slice(0, cut) })];
  }

  #endCall(eventIndex: number, { id, name, arguments: args }: ToolCall): ChatGenerationChunk {
    const call = this.#calls.get(eventIndex);
    if (!call) return this.#piece({ index: this.#indexOf(eventIndex), id, name, args: JSON.stringify(args) });
    if (this.form.wholeCalls) return this.#piece({ index: call.index, id, name, args: JSON.stringify(args) });
    return this.#piece({ index: call.index, args: call.sent ? call.buffered : JSON.stringify(args) });
  }

  #breakCall(eventIndex: number, broken: InvalidToolCall): ChatGenerationChunk {
    const { id, name, raw } = broken;
    const call = this.#calls.get(eventIndex);
    const index = call?.index ?? this.#indexOf(eventIndex);
    this.broken.set(index, broken);
    if (call && !this.form.wholeCalls) return this.#piece({ index, args: unparsable() });
    return this.#piece({ index, id, ...(name !== undefined && { name }), args: unparsable(raw) });
  }
}

/** LangChain creates a message from a string sixty times as fast as from fields. */
const textChunk = (text: string) => new ChatGenerationChunk({ message: new AIMessageChunk(text), text });

const chunkOf = (fields: AIMessageChunkFields, text = "") =>
  new ChatGenerationChunk({ message: new AIMessageChunk(fields), text });
