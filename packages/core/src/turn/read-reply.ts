import { goesOn } from "../prompt/force.js";
import type { Protocol } from "../protocol.js";
import { createReplyParser, MADE_UP_RESULT, type ReplyParser, type ReplyParserOptions } from "../reply/index.js";
import type { FinishReason, ReplyEvent, TextModel, TextModelRequest, Usage } from "../types.js";
import { reportedUsage } from "../usage.js";
import { abortable } from "./abortable.js";
import { type RepeatedCall, RepeatedCalls } from "./repeated-calls.js";
import { checkChunk, streamOf } from "./stream-of.js";

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

export interface ReadReplyOptions {
  model: TextModel;
  request: TextModelRequest;
  parser: Omit<ReplyParserOptions, "prefill">;
  /** Set when the prefill ends with the beginning of a call (of this tool, when it is known). */
  opening?: { protocol: Protocol; tool: string | undefined } | undefined;
  /** Read no further than the end of the first call. */
  single: boolean;
  /** How often the same call may come again; the next time, reading ends. */
  maxRepeatedCalls: number;
}

/**
 * Asks the model once and reads its reply as it comes.
 *
 * A model may pay no heed to a prefill that opens a call and begin anew, with the opening or with words. That shows in
 * its first characters, which are held until it is plain; the parser is then told of no prefill. Nor may it heed stop
 * sequences: reading ends where it begins to make up results, for what follows rests on them. It ends as well where a call
 * came again too often.
 *
 * Yields what each piece of the reply brings at once: a step of an asynchronous generator costs more than reading does.
 */
export async function* readReply(options: ReadReplyOptions): AsyncGenerator<ReplyEvent[], RawReply> {
  const { request, opening, single } = options;
  const repeats = new RepeatedCalls(options.maxRepeatedCalls);
  const reply: RawReply = { text: "", prefill: "" };
  let parser: ReplyParser | undefined;
  let held = "";

  const isLast = (event: ReplyEvent) =>
    (single && (event.type === "call-end" || event.type === "call-invalid")) ||
    (event.type === "dropped" && event.reason === MADE_UP_RESULT);
  let over = false;
  /** What is told of these events. */
  const pass = (events: readonly ReplyEvent[]) => {
    const told: ReplyEvent[] = [];
    for (const event of events) {
      told.push(...repeats.on(event));
      over = isLast(event) || repeats.over !== undefined;
      if (over) break;
    }
    if (repeats.over) reply.repeatedCall = repeats.over;
    return told;
  };
  const start = (prefill: string | undefined) => {
    reply.prefill = prefill ?? "";
    return createReplyParser({ prefill, ...options.parser });
  };
  const read = (piece: string, last: boolean): ReplyEvent[] => {
    if (parser) return parser.push(piece);
    held += piece;
    if (opening && request.prefill !== undefined) {
      const on = goesOn(opening.protocol.syntax, opening.tool, held);
      if (on === undefined && !last) return [];
      // An empty reply is no call that broke off, though the prefill alone would read as one.
      parser = start(on === false || held.trim() === "" ? undefined : request.prefill);
    } else {
      parser = start(request.prefill);
    }
    return parser.push(held);
  };

  for await (const chunk of abortable(streamOf(options.model(request)), request.signal)) {
    if (typeof chunk !== "string") {
      checkChunk(chunk);
      const usage = reportedUsage(chunk.usage);
      if (usage) reply.usage = usage;
      if (chunk.finish) reply.finish = chunk.finish;
      if (chunk.reasoning) yield [{ type: "reasoning", text: chunk.reasoning }];
      continue;
    }
    reply.text += chunk;
    const events = pass(read(chunk, false));
    if (events.length > 0) yield events;
    if (over) return reply;
  }
  const rest = parser ? [] : read("", true);
  yield pass([...rest, ...parser!.end({ finish: reply.finish })]);
  return reply;
}
