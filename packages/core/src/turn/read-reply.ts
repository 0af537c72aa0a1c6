import { createReplyParser, type ReplyParserOptions } from "../full/index.js";
import { goesOn } from "../prompt/force.js";
import type { Protocol } from "../protocol.js";
import type { ReplyParser } from "../reply/reply-parser.js";
import { MADE_UP_RESULT } from "../reply/span-reader.js";
import type { FinishReason, ReplyEvent, TextModelChunk, Usage } from "../types.js";
import { reportedUsage } from "../usage.js";
import { type RepeatedCall, RepeatedCalls } from "./repeated-calls.js";
import { checkChunk } from "./stream-of.js";

/** One reply as it was written. */
export interface RawReply {
  /** What the model wrote. */
  text: string;
  /** The prefill, when the model went on from it. */
  prefill: string;
  usage?: Usage;
  finish?: FinishReason;
  /** The call that came once too often, and ended it. */
  repeatedCall?: RepeatedCall;
}

/** How a reply is read. */
export interface ReplyReaderOptions {
  /** What the model was asked to go on from. */
  prefill: string | undefined;
  parser: Omit<ReplyParserOptions, "prefill">;
  /** Set when the prefill ends with the beginning of a call (of this tool, when it is known). */
  opening?: { protocol: Protocol; tool: string | undefined } | undefined;
  /** Read no further than the end of the first call. */
  single: boolean;
  /** How often the same call may come again; the next time, reading ends. */
  maxRepeatedCalls: number;
}

/**
 * Reads one reply as it comes, piece by piece.
 *
 * A model may pay no heed to a prefill that opens a call and begin anew, with the opening or with words. That shows in
 * its first characters, which are held until it is plain; the parser is then told of no prefill. Nor may it heed stop
 * sequences: reading ends where it begins to make up results, for what follows rests on them. It ends as well where a call
 * came again too often.
 */
export class ReplyReader {
  readonly reply: RawReply = { text: "", prefill: "" };
  /** Nothing more is to be read: the reply ended before the model did. */
  over = false;
  readonly #repeats: RepeatedCalls;
  #parser: ReplyParser | undefined;
  #held = "";

  constructor(private readonly options: ReplyReaderOptions) {
    this.#repeats = new RepeatedCalls(options.maxRepeatedCalls);
  }

  /** What a piece of the reply brings. Errors: {@link OptionsError} (`bad-option`) for what is no piece of one. */
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

  /** What the end of the reply brings, unless it is {@link over}. */
  end(): ReplyEvent[] {
    if (this.over) return [];
    const rest = this.#parser ? [] : this.#read("", true);
    return this.#pass([...rest, ...this.#parser!.end({ finish: this.reply.finish })]);
  }

  #read(piece: string, last: boolean): ReplyEvent[] {
    if (this.#parser) return this.#parser.push(piece);
    this.#held += piece;
    const { opening, prefill } = this.options;
    if (opening && prefill !== undefined) {
      const on = goesOn(opening.protocol.syntax, opening.tool, this.#held);
      if (on === undefined && !last) return [];
      // An empty reply is no call that broke off, though the prefill alone would read as one.
      this.#parser = this.#start(on === false || this.#held.trim() === "" ? undefined : prefill);
    } else {
      this.#parser = this.#start(prefill);
    }
    return this.#parser.push(this.#held);
  }

  #start(prefill: string | undefined): ReplyParser {
    this.reply.prefill = prefill ?? "";
    return createReplyParser(Object.assign({ prefill }, this.options.parser));
  }

  /** What is told of these events. */
  #pass(events: readonly ReplyEvent[]): ReplyEvent[] {
    const told: ReplyEvent[] = [];
    for (const event of events) {
      for (const one of this.#repeats.on(event)) told.push(one);
      this.over = this.#isLast(event) || this.#repeats.over !== undefined;
      if (this.over) break;
    }
    if (this.#repeats.over) this.reply.repeatedCall = this.#repeats.over;
    return told;
  }

  #isLast(event: ReplyEvent): boolean {
    return (
      (this.options.single && (event.type === "call-end" || event.type === "call-invalid")) ||
      (event.type === "dropped" && event.reason === MADE_UP_RESULT)
    );
  }
}
