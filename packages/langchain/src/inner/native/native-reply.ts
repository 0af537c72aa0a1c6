import type { AIMessage, AIMessageChunk, BaseMessage, UsageMetadata } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";
import { usageOf } from "../../messages/message-fields.js";

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
export function settles(message: BaseMessage, asked: Asked): boolean {
  const { tool_calls = [], invalid_tool_calls = [] } = message as Partial<AIMessage>;
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
    const whole = buffered.length > 0 ? buffered.reduce((sum, piece) => concat(sum, piece)) : undefined;
    if (whole && !settles(whole, this.asked)) {
      this.isLeftOut = true;
      this.called = false;
      this.spent = usageOf(whole);
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
