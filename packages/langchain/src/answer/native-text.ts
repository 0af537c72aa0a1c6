import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import type { ReplyEvent, ToolCall } from "@toolingua/core";
import { canonicalJson, type OpenedReplyOptions, OpenedReplyParser, parseOpenedReply } from "@toolingua/core/adapters";
import { type CallsOfMessage, GivenCalls, toCallChunks } from "../inner/native/given-calls.js";
import { invalidToolCall } from "../messages/broken-call.js";
import { finishOf, isPiece } from "../messages/finish-of.js";
import { messageFields } from "../messages/message-fields.js";
import { readAnswer } from "../messages/messages.js";
import { ChunkWriter } from "./chunks.js";

// A server that accepts tools but has no parser for its model's format leaves the calls in the text.

const isCalled = ({ tool_calls, invalid_tool_calls, tool_call_chunks }: Partial<AIMessageChunk>) =>
  [tool_calls, invalid_tool_calls, tool_call_chunks].some((calls) => calls && calls.length > 0);

/** The native calls that are not in the text as well: a server may parse a call and still leave its text in place. */
function withoutCopies(
  { tool_calls, invalid_tool_calls }: CallsOfMessage,
  written: readonly ToolCall[],
): CallsOfMessage {
  const known = new Set(written.map(({ name, arguments: args }) => canonicalJson([name, args])));
  return {
    tool_calls: tool_calls.filter(({ name, args }) => !known.has(canonicalJson([name, args]))),
    invalid_tool_calls,
  };
}

/**
 * A native reply with the calls of its text before its own calls; unchanged if its text has none, and does not begin inside
 * the reasoning.
 */
export function withWrittenCalls(message: BaseMessage, how: OpenedReplyOptions): BaseMessage {
  if (typeof message.content !== "string") return message;
  const finish = finishOf(message.response_metadata, isPiece(message));
  const separated = readAnswer(message).reasoning;
  const reply = parseOpenedReply(message.content, separated, { ...how, finish });
  const { text, toolCalls, invalidToolCalls, reasoning } = reply;
  const isOpened = how.startWithReasoning && separated === "" && reasoning !== "";
  if (toolCalls.length + invalidToolCalls.length === 0 && !isOpened) return message;
  const written = toolCalls.map(({ id, name, arguments: args }) => ({ type: "tool_call" as const, id, name, args }));
  const native = withoutCopies(new GivenCalls().add(message).calls(), toolCalls);
  const { additional_kwargs, ...fields } = messageFields(message);
  return new AIMessage({
    ...fields,
    content: text,
    tool_calls: [...written, ...native.tool_calls],
    invalid_tool_calls: [...invalidToolCalls.map(invalidToolCall), ...native.invalid_tool_calls],
    additional_kwargs: { ...(reasoning && { reasoning_content: reasoning }), ...additional_kwargs },
  });
}

/**
 * The same for a streamed reply. Text that may be the beginning of an opener is buffered, and text after the first
 * native call is not parsed. Native calls after calls in the text are buffered until the end; all calls get distinct
 * indices.
 */
export async function* readingText(
  pieces: AsyncIterable<AIMessageChunk>,
  how: OpenedReplyOptions,
): AsyncGenerator<AIMessageChunk> {
  const parser = new OpenedReplyParser(how);
  const writer = new ChunkWriter({ blocks: false, wholeCalls: false });
  const metadata: Record<string, unknown> = {};
  const calls: ToolCall[] = [];
  const native = new GivenCalls();
  let reads = true;
  let nextIndex = 0;
  const written = (events: readonly ReplyEvent[]) =>
    events.flatMap((event) => {
      if ("index" in event) nextIndex = Math.max(nextIndex, event.index + 2);
      if (event.type === "call-end") calls.push(event.call);
      return event.type === "dropped" ? [] : writer.write(event).map(({ message }) => message);
    });
  for await (const piece of pieces) {
    Object.assign(metadata, piece.response_metadata);
    if (readAnswer(piece).reasoning !== "") parser.separated();
    if (reads && (isCalled(piece) || typeof piece.content !== "string")) {
      // The server parses calls itself, at least from here on.
      reads = false;
      yield* written(parser.end()) as AIMessageChunk[];
    }
    if (!reads && nextIndex > 0) {
      native.add(piece);
      yield new AIMessageChunk({ ...messageFields(piece), content: piece.content });
      continue;
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
    // The other fields of the piece are sent in one chunk.
    yield new AIMessageChunk({ ...messageFields(piece), content: "" });
    yield* written(events) as AIMessageChunk[];
  }
  if (reads) yield* written(parser.end({ finish: finishOf(metadata, true) })) as AIMessageChunk[];
  const own = withoutCopies(native.calls(), calls);
  if (own.tool_calls.length + own.invalid_tool_calls.length === 0) return;
  yield new AIMessageChunk({ content: "", tool_call_chunks: toCallChunks(own, nextIndex) });
}
