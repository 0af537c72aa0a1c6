import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  type InvalidToolCall,
  type ToolCall,
  type ToolCallChunk,
} from "@langchain/core/messages";
import { type FinishReason, protocols, readFinishReason } from "@toolingua/core";
import { unparsable } from "../../messages/broken-call.js";
import { messageFields } from "../../messages/message-fields.js";

/** Calls that LangChain made out of what a model sent. */
export interface CallsOfMessage {
  tool_calls: ToolCall[];
  invalid_tool_calls: InvalidToolCall[];
}

/** One call of a stream, as LangChain reads its pieces and as it stands. */
interface StreamedCall {
  pieces: ToolCallChunk[];
  read: CallsOfMessage;
  /** LangChain takes it for a call, and it is none that may run. */
  broken?: InvalidToolCall | undefined;
}

/**
 * The calls that a message, or the pieces of one, had before its text was read.
 *
 * LangChain makes a valid call of the pieces of one that broke off: it closes what is open. Here arguments are those of a
 * whole JSON object, and a reply that met the token limit may have lost the end of its last call.
 */
export class GivenCalls {
  readonly #whole: CallsOfMessage = { tool_calls: [], invalid_tool_calls: [] };
  readonly #streamed: ToolCallChunk[][] = [];
  #finish: FinishReason | undefined;

  add(message: BaseMessage): this {
    const { tool_call_chunks, tool_calls, invalid_tool_calls } = message as Partial<AIMessageChunk>;
    if (tool_call_chunks?.length) for (const piece of tool_call_chunks) this.#addPiece(piece);
    else {
      this.#whole.tool_calls.push(...(tool_calls ?? []));
      this.#whole.invalid_tool_calls.push(...(invalid_tool_calls ?? []));
    }
    this.#finish = readFinishReason(message.response_metadata) ?? this.#finish;
    return this;
  }

  get given(): boolean {
    const { tool_calls, invalid_tool_calls } = this.#whole;
    return this.#streamed.length + tool_calls.length + invalid_tool_calls.length > 0;
  }

  calls(): CallsOfMessage {
    const { tool_calls, invalid_tool_calls } = this.#wholeCalls();
    const streamed = this.#streamedCalls();
    const sound = streamed.filter(({ broken }) => !broken).map(({ read }) => read);
    const broken = streamed.flatMap(({ broken }) => broken ?? []);
    return {
      tool_calls: [...tool_calls, ...sound.flatMap((read) => read.tool_calls)],
      invalid_tool_calls: [...invalid_tool_calls, ...sound.flatMap((read) => read.invalid_tool_calls), ...broken],
    };
  }

  /** What the stream needs at its end so that LangChain, too, takes what broke off for no call. */
  endings(): ToolCallChunk[] {
    return this.#streamedCalls().flatMap(({ pieces: [first], broken }) => {
      if (!broken || !first) return [];
      const { id, index } = first;
      return {
        type: "tool_call_chunk",
        args: unparsable(),
        ...(index !== undefined && { index }),
        ...(id !== undefined && { id }),
      };
    });
  }

  /** As LangChain finds the call that a piece belongs to. */
  #addPiece(piece: ToolCallChunk): void {
    const { id, index } = piece;
    const call = this.#streamed.find(([first]) => {
      if (id && first?.id !== id) return false;
      return index === undefined ? Boolean(id) : first?.index === index;
    });
    if (call) call.push(piece);
    else this.#streamed.push([piece]);
  }

  #streamedCalls(): StreamedCall[] {
    return this.#streamed.map((pieces, i) => {
      const { tool_calls = [], invalid_tool_calls = [] } = new AIMessageChunk({
        content: "",
        tool_call_chunks: pieces,
      });
      const args = pieces.map((piece) => piece.args ?? "").join("");
      const cutOff = this.#finish === "length" && i === this.#streamed.length - 1;
      const [call] = tool_calls;
      const broken = call && !isWhole(args, pieces, cutOff) ? invalid(call, args) : undefined;
      return { pieces, read: { tool_calls, invalid_tool_calls }, broken };
    });
  }

  /** Of a call that came parsed nothing says whether it came to its end. */
  #wholeCalls(): CallsOfMessage {
    const { tool_calls, invalid_tool_calls } = this.#whole;
    const last = tool_calls.at(-1);
    const broke = last && this.#finish === "length" && this.#streamed.length + invalid_tool_calls.length === 0;
    if (!broke) return this.#whole;
    return { tool_calls: tool_calls.slice(0, -1), invalid_tool_calls: [invalid(last, JSON.stringify(last.args))] };
  }
}

/** Whether the arguments came to their end. Those of OpenAI's custom tools are text, in no format. */
function isWhole(args: string, pieces: readonly ToolCallChunk[], cutOff: boolean): boolean {
  if (args.trim() === "" || pieces.some((piece) => "isCustomTool" in piece && piece.isCustomTool)) return !cutOff;
  try {
    JSON.parse(args);
    return true;
  } catch {
    return false;
  }
}

const invalid = ({ id, name }: ToolCall, args: string): InvalidToolCall => ({
  type: "invalid_tool_call",
  name,
  args,
  error: "The call broke off before its end.",
  ...(id !== undefined && { id }),
});

/** The message with its calls as they stand, see {@link GivenCalls}. */
export function withSoundCalls(message: BaseMessage): BaseMessage {
  const calls = new GivenCalls().add(message).calls();
  if (calls.tool_calls.length === ((message as Partial<AIMessage>).tool_calls?.length ?? 0)) return message;
  return new AIMessage({ ...messageFields(message), content: message.content, ...calls });
}

/**
 * Calls as a model would have written them, for who reads its text: a server may read them out of a reply though nobody
 * gave it tools. In Hermes' format, which is read beside every other; what broke off stays open.
 */
export function asWritten({ tool_calls, invalid_tool_calls }: CallsOfMessage): string {
  const calls = tool_calls.map(({ name, args }) => ({ name, arguments: args }));
  const whole = calls.length > 0 ? [protocols.hermes.renderCalls(calls, { tools: [] })] : [];
  const broken = invalid_tool_calls.map(
    ({ name = "", args = "" }) => `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${args}`,
  );
  return [...whole, ...broken].join("\n");
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
