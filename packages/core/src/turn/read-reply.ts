import { reportedUsage } from "../common/usage.js";
import { createReplyParser, type ReplyParserOptions } from "../full/index.js";
import { goesOn } from "../prompt/force.js";
import type { Protocol } from "../protocol.js";
import type { ReplyParser } from "../reply/reply-parser.js";
import { MADE_UP_RESULT } from "../reply/span-reader.js";
import type { FinishReason, ReplyEvent, TextModelChunk, Usage } from "../types.js";
import { type RepeatedCall, RepeatedCalls } from "./repeated-calls.js";
import { checkChunk } from "./stream-of.js";

/** One raw reply. */
export interface RawReply {
  /** The text of the model. */
  text: string;
  /** The prefill, if the model continued it. */
  prefill: string;
  usage?: Usage;
  finish?: FinishReason;
  /** The call that was repeated too often and ended the reply. */
  repeatedCall?: RepeatedCall;
}

/** The options of {@link ReplyReader}. */
export interface ReplyReaderOptions {
  /** The text that the model was asked to continue. */
  prefill: string | undefined;
  parser: Omit<ReplyParserOptions, "prefill">;
  /** Set if the prefill ends with the beginning of a call (of this tool, if known). */
  opening?: { protocol: Protocol; tool: string | undefined } | undefined;
  /** Stop reading at the end of the first call. */
  single: boolean;
  /** How often the same call may be repeated; the next repetition ends the reply. */
  maxRepeatedCalls: number;
}

/**
 * Reads one streamed reply, piece by piece.
 *
 * A model may ignore a prefill that opens a call and start again, with the opener or with other text. Its first
 * characters decide this and are buffered until then; if the prefill was ignored, the parser does not get it. A model
 * may also ignore stop sequences: reading ends where it begins to invent results, because the following text depends on
 * them. Reading also ends at a call that was repeated too often.
 */
export class ReplyReader {
  readonly reply: RawReply = { text: "", prefill: "" };
  /** Reading has ended, possibly before the model's stream. */
  over = false;
  readonly #repeats: RepeatedCalls;
  #parser: ReplyParser | undefined;
  #buffered = "";

  constructor(private readonly options: ReplyReaderOptions) {
    this.#repeats = new RepeatedCalls(options.maxRepeatedCalls);
  }

  /**
   * The events of a piece of the reply. Errors: {@link OptionsError} (`bad-option`) for a value that is not a chunk.
   */
  push(chunk: TextModelChunk): ReplyEvent[] {
    const { reply } = this;
    if (typeof chunk === "string") {
      reply.text += chunk;
      return this.#pass(this.#read(chunk, false));
    }
    checkChunk(chunk);
    const usage = reportedUsage(chunk.usage);
    if (usage) reply.usage = usage;
    if (chunk.finish) reply.finish = chunk.finish;
    return chunk.reasoning ? [{ type: "reasoning", text: chunk.reasoning }] : [];
  }

  /** The events at the end of the reply, unless it is {@link over}. */
  end(): ReplyEvent[] {
    if (this.over) return [];
    const rest = this.#parser ? [] : this.#read("", true);
    return this.#pass([...rest, ...this.#parser!.end({ finish: this.reply.finish })]);
  }

  #read(piece: string, last: boolean): ReplyEvent[] {
    if (this.#parser) return this.#parser.push(piece);
    this.#buffered += piece;
    const { opening, prefill } = this.options;
    if (opening && prefill !== undefined) {
      const on = goesOn(opening.protocol.syntax, opening.tool, this.#buffered);
      if (on === undefined && !last) return [];
      // An empty reply is not a truncated call, although the prefill alone would parse as one.
      this.#parser = this.#start(on === false || this.#buffered.trim() === "" ? undefined : prefill);
    } else {
      this.#parser = this.#start(prefill);
    }
    return this.#parser.push(this.#buffered);
  }

  #start(prefill: string | undefined): ReplyParser {
    this.reply.prefill = prefill ?? "";
    return createReplyParser(Object.assign({ prefill }, this.options.parser));
  }

  /** The events to emit. */
  #pass(events: readonly ReplyEvent[]): ReplyEvent[] {
    const passed: ReplyEvent[] = [];
    for (const event of events) {
      this.#repeats.on(event, passed);
      this.over = this.#isLast(event) || this.#repeats.over !== undefined;
      if (this.over) break;
    }
    if (this.#repeats.over) this.reply.repeatedCall = this.#repeats.over;
    return passed;
  }

  #isLast(event: ReplyEvent): boolean {
    return (
      (this.options.single && (event.type === "call-end" || event.type === "call-invalid")) ||
      (event.type === "dropped" && event.reason === MADE_UP_RESULT)
    );
  }
}
