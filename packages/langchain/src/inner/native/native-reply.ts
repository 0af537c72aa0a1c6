import {
  type AIMessageChunk,
  type BaseMessage,
  mergeUsageMetadata,
  type UsageMetadata,
} from "@langchain/core/messages";
import { usageOf } from "../../messages/message-fields.js";
import { type CallsOfMessage, GivenCalls } from "./given-calls.js";

/** The requirements of a turn for a native reply. */
export interface Asked {
  /** A call is required. */
  forced: boolean;
  /** Unreadable calls are passed on. */
  surface: boolean;
}

/**
 * Whether a native reply ends the turn. It does not if a required call is missing, or if all its calls are unreadable.
 */
export function settles(reply: BaseMessage | CallsOfMessage, asked: Asked): boolean {
  const { tool_calls = [], invalid_tool_calls = [] } = reply as Partial<CallsOfMessage>;
  if (tool_calls.length > 0) return true;
  return !asked.forced && (invalid_tool_calls.length === 0 || asked.surface);
}

/**
 * A native reply while it streams. It buffers whatever may have to be discarded: calls until they are known to be
 * readable, and the whole reply if a call is required.
 */
export class NativeReply {
  /** The tokens of a discarded reply; set if the reply does not end the turn. */
  spent: UsageMetadata | undefined;
  /** The reply does not end the turn, so the model must be prompted. */
  isLeftOut = false;
  /** The metadata of the pieces that were passed on. */
  readonly metadata: Record<string, unknown> = {};
  called = false;
  /** The id of the pieces that were passed on. */
  id: string | undefined;

  constructor(
    private readonly pieces: AsyncIterable<AIMessageChunk>,
    private readonly asked: Asked,
  ) {}

  async *shown(): AsyncGenerator<AIMessageChunk> {
    const { forced, surface } = this.asked;
    let waits = forced;
    let buffered: AIMessageChunk[] = [];
    for await (const piece of this.pieces) {
      if (!this.called && (piece.tool_call_chunks?.length ?? 0) > 0) {
        this.called = true;
        waits ||= !surface;
      }
      buffered.push(piece);
      if (waits) continue;
      for (const one of buffered) yield this.#shown(one);
      buffered = [];
    }
    // Joining the pieces as LangChain does would copy all calls before each.
    const given = new GivenCalls();
    for (const piece of buffered) given.add(piece);
    if (buffered.length > 0 && !settles(given.calls(), this.asked)) {
      this.isLeftOut = true;
      this.called = false;
      this.spent = buffered
        .map(usageOf)
        .reduce((sum, usage) => (usage ? mergeUsageMetadata(sum, usage) : sum), undefined);
      return;
    }
    for (const piece of buffered) yield this.#shown(piece);
  }

  #shown(piece: AIMessageChunk): AIMessageChunk {
    Object.assign(this.metadata, piece.response_metadata);
    this.id ??= piece.id;
    return piece;
  }
}
