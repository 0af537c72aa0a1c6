import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  type InvalidToolCall,
  type ToolCall,
  type ToolCallChunk,
} from "@langchain/core/messages";
import { callAsText, parsedJson } from "@toolingua/core/adapters";
import { unparsable } from "../../messages/broken-call.js";
import { finishOf, isPiece } from "../../messages/finish-of.js";
import { messageFields } from "../../messages/message-fields.js";

/** The calls that LangChain parsed from a model's message. */
export interface CallsOfMessage {
  tool_calls: ToolCall[];
  invalid_tool_calls: InvalidToolCall[];
}

/** One call of a stream: the pieces as LangChain reads them, and the result. */
interface StreamedCall {
  pieces: ToolCallChunk[];
  read: CallsOfMessage;
  /** Set if LangChain reads a call that must not run. */
  broken?: InvalidToolCall | undefined;
}

/**
 * The native calls of a message, or of its pieces.
 *
 * LangChain turns the pieces of a truncated call into a valid call by closing open brackets. Here the arguments must be
 * a complete JSON object, and the last call of a reply that reached the token limit may be truncated.
 */
export class GivenCalls {
  readonly #whole: CallsOfMessage = { tool_calls: [], invalid_tool_calls: [] };
  readonly #streamed: ToolCallChunk[][] = [];
  readonly #metadata: Record<string, unknown> = {};
  #isStreamed = false;

  add(message: BaseMessage): this {
    const { tool_call_chunks, tool_calls, invalid_tool_calls } = message as Partial<AIMessageChunk>;
    if (tool_call_chunks?.length) for (const piece of tool_call_chunks) this.#addPiece(piece);
    else {
      this.#whole.tool_calls.push(...(tool_calls ?? []));
      this.#whole.invalid_tool_calls.push(...(invalid_tool_calls ?? []));
    }
    Object.assign(this.#metadata, message.response_metadata);
    this.#isStreamed ||= isPiece(message);
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

  /** Final chunks that keep LangChain from reading truncated calls as valid. */
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

  /** Assigns a piece to its call, in the same way as LangChain. */
  #addPiece(piece: ToolCallChunk): void {
    const { id, index } = piece;
    const call = this.#streamed.find(([first]) => {
      if (id && first?.id !== id) return false;
      return index === undefined ? Boolean(id) : first?.index === index;
    });
    if (call) call.push(piece);
    else this.#streamed.push([piece]);
  }

  get #isCutOff(): boolean {
    const finish = finishOf(this.#metadata, this.#isStreamed);
    return finish !== undefined && finish !== "stop";
  }

  #streamedCalls(): StreamedCall[] {
    return this.#streamed.map((pieces, i) => {
      const { tool_calls = [], invalid_tool_calls = [] } = new AIMessageChunk({
        content: "",
        tool_call_chunks: pieces,
      });
      const args = pieces.map((piece) => piece.args ?? "").join("");
      const cutOff = this.#isCutOff && i === this.#streamed.length - 1;
      const [call] = tool_calls;
      const broken = call && !isWhole(args, pieces, cutOff) ? invalid(call, args) : undefined;
      return { pieces, read: { tool_calls, invalid_tool_calls }, broken };
    });
  }

  /** The calls that arrived parsed, which do not show whether they are complete. */
  #wholeCalls(): CallsOfMessage {
    const { tool_calls, invalid_tool_calls } = this.#whole;
    const last = tool_calls.at(-1);
    const broke = last && this.#isCutOff && this.#streamed.length + invalid_tool_calls.length === 0;
    if (!broke) return this.#whole;
    return { tool_calls: tool_calls.slice(0, -1), invalid_tool_calls: [invalid(last, JSON.stringify(last.args))] };
  }
}

/** Whether the arguments are complete. Arguments of OpenAI's custom tools are free text. */
function isWhole(args: string, pieces: readonly ToolCallChunk[], cutOff: boolean): boolean {
  if (args.trim() === "" || pieces.some((piece) => "isCustomTool" in piece && piece.isCustomTool)) return !cutOff;
  return parsedJson(args) !== undefined;
}

const invalid = ({ id, name }: ToolCall, args: string): InvalidToolCall => ({
  type: "invalid_tool_call",
  name,
  args,
  error: "The call is incomplete.",
  ...(id !== undefined && { id }),
});

/** The message with its calls checked, see {@link GivenCalls}. */
export function withSoundCalls(message: BaseMessage): BaseMessage {
  const calls = new GivenCalls().add(message).calls();
  if (calls.tool_calls.length === ((message as Partial<AIMessage>).tool_calls?.length ?? 0)) return message;
  return new AIMessage({ ...messageFields(message), content: message.content, ...calls });
}

/** Calls as text, see {@link callAsText}. Truncated calls stay incomplete. */
export function asWritten({ tool_calls, invalid_tool_calls }: CallsOfMessage): string {
  const whole = tool_calls.map(({ name, args }) => callAsText(name, args));
  const broken = invalid_tool_calls.map(({ name = "", args = "" }) => callAsText(name, args));
  return [...whole, ...broken].join("\n");
}

/** Calls as chunks of a stream, one chunk per call. Invalid calls become chunks that no parser reads as a call. */
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
