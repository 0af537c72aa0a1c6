import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { createReplyParser, parseReply, type ReplyEvent, type ReplyParserOptions } from "@toolingua/core";
import { readFinishReason } from "@toolingua/core/adapters";
import { invalidToolCall } from "../messages/broken-call.js";
import { messageFields } from "../messages/message-fields.js";
import { ChunkWriter } from "./chunks.js";

// A server that takes tools and has no parser for what its model writes leaves the calls in the text.

const isCalled = ({ tool_calls, invalid_tool_calls, tool_call_chunks }: Partial<AIMessageChunk>) =>
  [tool_calls, invalid_tool_calls, tool_call_chunks].some((calls) => calls && calls.length > 0);

/** A native reply, with the calls that were left in its text; one that has calls, or none in its text, as it is. */
export function withWrittenCalls(message: BaseMessage, how: ReplyParserOptions): BaseMessage {
  if (isCalled(message as Partial<AIMessageChunk>) || typeof message.content !== "string") return message;
  const finish = readFinishReason(message.response_metadata);
  const { text, toolCalls, invalidToolCalls, reasoning } = parseReply(message.content, { ...how, finish });
  if (toolCalls.length + invalidToolCalls.length === 0) return message;
  const { additional_kwargs, ...fields } = messageFields(message);
  return new AIMessage({
    ...fields,
    content: text,
    tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({ type: "tool_call", id, name, args })),
    invalid_tool_calls: invalidToolCalls.map(invalidToolCall),
    additional_kwargs: { ...(reasoning && { reasoning_content: reasoning }), ...additional_kwargs },
  });
}

/** The same of a reply that streams: text lags by what may become the sign of a call. */
export async function* readingText(
  pieces: AsyncIterable<AIMessageChunk>,
  how: ReplyParserOptions,
): AsyncGenerator<AIMessageChunk> {
  const parser = createReplyParser(how);
  const writer = new ChunkWriter({ blocks: false, wholeCalls: false });
  const metadata: Record<string, unknown> = {};
  let reads = true;
  const written = (events: readonly ReplyEvent[]) =>
    events.flatMap((event) => (event.type === "dropped" ? [] : writer.write(event))).map(({ message }) => message);
  for await (const piece of pieces) {
    Object.assign(metadata, piece.response_metadata);
    if (reads && (isCalled(piece) || typeof piece.content !== "string")) {
      // The server reads them after all.
      reads = false;
      yield* written(parser.end()) as AIMessageChunk[];
    }
    if (!reads || piece.content === "") {
      yield piece;
      continue;
    }
    const events = parser.push(piece.content as string);
    const [only] = events;
    if (events.length === 1 && only?.type === "text" && only.text === piece.content) {
      yield piece;
      continue;
    }
    // What else the piece brings stands in one chunk.
    yield new AIMessageChunk({ ...messageFields(piece), content: "" });
    yield* written(events) as AIMessageChunk[];
  }
  if (reads) yield* written(parser.end({ finish: readFinishReason(metadata) })) as AIMessageChunk[];
}
