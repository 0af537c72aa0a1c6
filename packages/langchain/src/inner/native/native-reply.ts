import type { AIMessage, AIMessageChunk, BaseMessage, UsageMetadata } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";
import { usageOf } from "../../messages/message-fields.js";

/** What a turn asks of a native reply. */
export interface Asked {
  /** A call must come. */
  forced: boolean;
  /** Calls that cannot be read are shown as they are. */
  surface: boolean;
}

/** Whether a native reply ends the turn: a call that must come, or came wrong with none beside it, is prompted for. */
export function settles(message: BaseMessage, asked: Asked): boolean {
  const { tool_calls = [], invalid_tool_calls = [] } = message as Partial<AIMessage>;
  if (tool_calls.length > 0) return true;
  return !asked.forced && (invalid_tool_calls.length === 0 || asked.surface);
}

/**
 * A native reply as it streams, as far as it stands. What it may turn out not to stand by waits: its calls, until they
 * are known to be readable; all of it, where a call must come.
 */
export class NativeReply {
  /** Tokens of what was left out; set when the reply does not end the turn. */
  spent: UsageMetadata | undefined;
  /** The reply does not end the turn, and the model is to be prompted. */
  isLeftOut = false;
  /** What the pieces that were shown say of themselves. */
  readonly metadata: Record<string, unknown> = {};
  called = false;
  /** The id of what was shown. */
  id: string | undefined;

  constructor(
    private readonly pieces: AsyncIterable<AIMessageChunk>,
    private readonly asked: Asked,
  ) {}

  async *shown(): AsyncGenerator<AIMessageChunk> {
    const { forced, surface } = this.asked;
    let waits = forced;
    let held: AIMessageChunk[] = [];
    for await (const piece of this.pieces) {
      if (!this.called && (piece.tool_call_chunks?.length ?? 0) > 0) {
        this.called = true;
        waits ||= !surface;
      }
      held.push(piece);
      if (waits) continue;
      for (const one of held) yield this.#shown(one);
      held = [];
    }
    const whole = held.length > 0 ? held.reduce((sum, piece) => concat(sum, piece)) : undefined;
    if (whole && !settles(whole, this.asked)) {
      this.isLeftOut = true;
      this.called = false;
      this.spent = usageOf(whole);
      return;
    }
    for (const piece of held) yield this.#shown(piece);
  }

  #shown(piece: AIMessageChunk): AIMessageChunk {
    Object.assign(this.metadata, piece.response_metadata);
    this.id ??= piece.id;
    return piece;
  }
}
