import { reportedUsage } from "../common/usage.js";
import { createReplyParser, type ReplyParserOptions } from "../full/index.js";
import { continuesOpening } from "../prompt/force.js";
import type { Protocol } from "../protocol.js";
import { MADE_UP_RESULT, MADE_UP_TURN } from "../reply/span-reader.js";
import type { FinishReason, ReplyEvent, ReplyParser, TextModelChunk, Usage } from "../types.js";
import type { Emit } from "./attempt-events.js";
import { checkChunk } from "./check-chunk.js";
import { openedPrefill, type ReasoningOpener } from "./reasoning-opener.js";
import { type RepeatedCall, RepeatedCalls } from "./repeated-calls.js";

/** One raw reply. */
export interface RawReply {
  /** The text of the model. */
  text: string;
  /** The prefill, if the model continued it, or the marker of the reasoning that its template opened. */
  prefill: string;
  usage?: Usage | undefined;
  finish?: FinishReason;
  /** The reply has content that is not text. */
  content?: boolean;
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
  /** Set if the model's chat template opens the reasoning. */
  reasoning?: ReasoningOpener | undefined;
  /** Stop reading at the end of the first call. */
  single: boolean;
  /** How often the same call may be made; one more ends the reply. */
  maxIdenticalCalls: number;
}

/**
 * Reads one streamed reply, piece by piece.
 *
 * A model may ignore a prefill that opens a call and start again, with the opener or with other text. Its first
 * characters decide this and are buffered until then; if the prefill was ignored, the parser does not get it. In the
 * same way they decide whether the reply begins inside the reasoning; the parser then gets its marker as a prefill. A model may
 * also ignore stop sequences: reading ends where it begins to invent results or turns, because the following text
 * depends on them. Reading also ends at a call that was repeated too often.
 */
export class ReplyReader {
  readonly reply: RawReply = { text: "", prefill: "" };
  /** Reading has ended, possibly before the model's stream. */
  over = false;
  readonly #repeats: RepeatedCalls;
  #parser: ReplyParser | undefined;
  #buffered = "";
  /** Whether the buffered text is white space, which decides nothing. */
  #isBlank = true;
  /** Whether text or a call was read: a turn of another party before these is followed by the model's own. */
  #hasAnswered = false;
  /** The server has given reasoning before any text, so the text has none. */
  #isSeparated = false;

  constructor(
    private readonly options: ReplyReaderOptions,
    private readonly emit: Emit,
  ) {
    this.#repeats = new RepeatedCalls(options.maxIdenticalCalls, emit);
  }

  /**
   * Emits the events of a piece of the reply. Errors: {@link OptionsError} (`bad-option`) for a value that is not a chunk.
   */
  push(chunk: TextModelChunk): void {
    const { reply } = this;
    if (typeof chunk === "string") {
      reply.text += chunk;
      return this.#read(chunk);
    }
    checkChunk(chunk);
    const usage = reportedUsage(chunk.usage);
    if (usage) reply.usage = usage;
    if (chunk.finish) reply.finish = chunk.finish;
    if (chunk.content) reply.content = true;
    if (!chunk.reasoning) return;
    this.#isSeparated ||= !this.#parser;
    this.emit({ type: "reasoning", text: chunk.reasoning });
  }

  /** Emits the events at the end of the reply, unless it is {@link over}. */
  end(): void {
    if (this.over) return;
    const parser = this.#parser ?? this.#begin(true);
    if (parser && !this.over) this.#pass(parser.end({ finish: this.reply.finish }));
  }

  #read(piece: string): void {
    if (this.#parser) return this.#pass(this.#parser.push(piece));
    this.#buffered += piece;
    this.#isBlank &&= piece.trim() === "";
    const { opening, reasoning } = this.options;
    if (!this.#isBlank || !(opening || reasoning)) this.#begin(false);
  }

  /** Makes the parser, and parses the buffered text; undefined while it is open how the reply begins. */
  #begin(isWhole: boolean): ReplyParser | undefined {
    const { opening, prefill, reasoning } = this.options;
    let continued = prefill;
    if (opening && prefill !== undefined) {
      const on = continuesOpening(opening.protocol.syntax, opening.tool, this.#buffered);
      if (on === undefined && !isWhole) return undefined;
      // An empty reply is not a truncated call, although the prefill alone would parse as one.
      if (on === false || this.#buffered.trim() === "") continued = undefined;
    }
    if (reasoning && continued === undefined && !this.#isSeparated) {
      continued = openedPrefill(reasoning, this.#buffered, isWhole);
      if (continued === undefined) return undefined;
    }
    const parser = this.#start(continued);
    this.#parser = parser;
    this.#pass(parser.push(this.#buffered));
    return parser;
  }

  #start(prefill: string | undefined): ReplyParser {
    this.reply.prefill = prefill ?? "";
    return createReplyParser(Object.assign({ prefill }, this.options.parser));
  }

  /** Emits events, up to the one that ends reading. */
  #pass(events: readonly ReplyEvent[]): void {
    for (const event of events) {
      this.#repeats.on(event);
      this.#hasAnswered ||= event.type === "text" || event.type === "call-end" || event.type === "call-invalid";
      this.over = this.#isLast(event) || this.#repeats.over !== undefined;
      if (this.over) break;
    }
    if (this.#repeats.over) this.reply.repeatedCall = this.#repeats.over;
  }

  #isLast(event: ReplyEvent): boolean {
    return (
      (this.options.single && (event.type === "call-end" || event.type === "call-invalid")) ||
      (event.type === "dropped" &&
        (event.reason === MADE_UP_RESULT || (this.#hasAnswered && event.reason === MADE_UP_TURN)))
    );
  }
}
