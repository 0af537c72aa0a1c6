import type { Usage } from "@toolingua/core";
import type { Failure } from "../failure.js";
import type { Part, Piece } from "../turn/parts.js";
import { anthropicError } from "./anthropic-errors.js";
import { type Finish, newId, type Reply, type ReplyWriter, totalOf } from "./api.js";

const event = (type: string, fields: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

const reasons: Record<Finish, string> = {
  calls: "tool_use",
  length: "max_tokens",
  "content-filter": "refusal",
  stop: "end_turn",
};

/** Writes answers of Messages. Each part is a content block with the same index. */
export class MessagesWriter implements ReplyWriter {
  readonly #id = newId("msg_");

  constructor(private readonly model: string) {}

  begin(usage: Usage): string {
    const message = {
      ...this.#message([], { stop_reason: null, stop_sequence: null }),
      // Some clients read the tokens of the prompt here only.
      usage: usageOf({ ...usage, outputTokens: 0 }),
    };
    return event("message_start", { message });
  }

  piece(piece: Piece): string {
    const { part } = piece;
    const { index } = part;
    if (piece.type === "open") return event("content_block_start", { index, content_block: begun(part) });
    if (piece.type === "close") return event("content_block_stop", { index });
    return event("content_block_delta", { index, delta: deltaOf(part, piece.text) });
  }

  finish(reply: Reply): string {
    return event("message_delta", { delta: endOf(reply), usage: usageOf(reply.usage) });
  }

  end(): string {
    return event("message_stop");
  }

  fail(failure: Failure, requestId: string): string {
    return event("error", anthropicError(failure, requestId));
  }

  /** The input of a call is the JSON that was read, as in a stream: an object would lose digits of its numbers. */
  whole(replies: readonly Reply[]): string {
    const reply = replies[0]!;
    const message = { ...this.#message([], endOf(reply)), usage: usageOf(totalOf(replies)) };
    return withJson({ ...message, content: undefined }, "content", `[${reply.parts.map(block).join(",")}]`);
  }

  #message(content: object[], end: object): object {
    return {
      id: this.#id,
      type: "message",
      role: "assistant",
      model: this.model,
      content,
      ...end,
    };
  }
}

/** Why a message ended. */
const endOf = ({ finish, stop }: Reply) =>
  finish === "stop" && stop !== undefined
    ? { stop_reason: "stop_sequence", stop_sequence: stop }
    : { stop_reason: reasons[finish], stop_sequence: null };

/** A content block at its start. */
function begun(part: Part): object {
  if (part.type === "call") return { type: "tool_use", id: part.id, name: part.name, input: {} };
  // Only Anthropic's own server can sign a thinking block.
  return part.type === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "", signature: "" };
}

/** A complete content block, as JSON. */
function block(part: Part): string {
  if (part.type === "call") return withJson({ type: "tool_use", id: part.id, name: part.name }, "input", part.text);
  return JSON.stringify({ ...begun(part), [part.type === "text" ? "text" : "thinking"]: part.text });
}

/** The JSON of an object with one more field, whose JSON is given. */
const withJson = (object: object, field: string, json: string) =>
  `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(field)}:${json}}`;

function deltaOf({ type }: Part, text: string): object {
  if (type === "call") return { type: "input_json_delta", partial_json: text };
  return type === "text" ? { type: "text_delta", text } : { type: "thinking_delta", thinking: text };
}

/** The tokens of caches are not among `input_tokens`, as in Anthropic's API. */
const usageOf = ({ inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage) => ({
  input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
  output_tokens: outputTokens,
  cache_creation_input_tokens: cacheWriteTokens,
  cache_read_input_tokens: cacheReadTokens,
});
