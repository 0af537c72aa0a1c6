import {
  AIMessageChunk,
  type BaseMessage,
  type InvalidToolCall,
  type ToolCall,
  type ToolCallChunk,
} from "@langchain/core/messages";
import { unparsable } from "./chunks.js";

/** Calls that LangChain made out of what a model sent. */
export interface CallsOfMessage {
  tool_calls: ToolCall[];
  invalid_tool_calls: InvalidToolCall[];
}

/** The calls that a message, or the pieces of one, had before its text was read: whole, and as they were. */
export class GivenCalls {
  readonly #whole: CallsOfMessage = { tool_calls: [], invalid_tool_calls: [] };
  readonly #pieces: ToolCallChunk[] = [];

  add(message: BaseMessage): this {
    const { tool_call_chunks, tool_calls, invalid_tool_calls } = message as Partial<AIMessageChunk>;
    if (tool_call_chunks?.length) this.#pieces.push(...tool_call_chunks);
    else {
      this.#whole.tool_calls.push(...(tool_calls ?? []));
      this.#whole.invalid_tool_calls.push(...(invalid_tool_calls ?? []));
    }
    return this;
  }

  get given(): boolean {
    const { tool_calls, invalid_tool_calls } = this.#whole;
    return this.#pieces.length + tool_calls.length + invalid_tool_calls.length > 0;
  }

  calls(): CallsOfMessage {
    const joined = new AIMessageChunk({ content: "", tool_call_chunks: this.#pieces });
    return {
      tool_calls: [...this.#whole.tool_calls, ...(joined.tool_calls ?? [])],
      invalid_tool_calls: [...this.#whole.invalid_tool_calls, ...(joined.invalid_tool_calls ?? [])],
    };
  }
}

/** Calls as pieces of a stream, each whole. Invalid ones become pieces that no parser takes for a call. */
export function toCallChunks({ tool_calls, invalid_tool_calls }: CallsOfMessage, from = 0): ToolCallChunk[] {
  return [
    ...tool_calls.map((call) => ({ ...call, args: JSON.stringify(call.args) })),
    ...invalid_tool_calls.map((call) => ({ ...call, args: unparsable(call.args) })),
  ].map(({ id, name, args }, i) => ({
    type: "tool_call_chunk",
    index: from + i,
    args,
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
  }));
}
