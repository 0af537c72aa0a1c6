import { type FinishReason, generateWithTools } from "@toolingua/core";
import { adapterDefaults, isObject } from "@toolingua/core/adapters";
import { finishOf, type Reply, type ReplyWriter, type TurnRequest } from "../apis/api.js";
import { Failure, failureOf } from "../failure.js";
import type { ServedModel } from "../models/served-model.js";
import type { EventSource } from "../operation/event-stream.js";
import type { RequestWatch } from "../operation/request-record.js";
import { Parts, type Piece } from "./parts.js";
import { TextStops } from "./text-stops.js";
import { UsageWatch } from "./usage-watch.js";

/** What a turn needs to run. */
export interface TurnContext {
  model: ServedModel;
  signal: AbortSignal;
  requestId: string;
  watch: RequestWatch;
}

/** The complete answer, see {@link ReplyWriter.whole}. Errors: those of the turn. */
export async function wholeAnswer(request: TurnRequest, context: TurnContext): Promise<object | string> {
  // If one reply fails, the others are aborted.
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const replies: Reply[] = [];
  const turns = Array.from({ length: request.choices }, async (_, choice) => {
    const done = (reply: Reply) => {
      replies[choice] = reply;
    };
    const reading = { choice, liveCalls: false, used: new UsageWatch(), done };
    for await (const _ of readReply(request, { ...context, signal }, reading));
  });
  try {
    await Promise.all(turns);
    const answer = request.writer().whole(replies);
    await request.keep?.(answer);
    return answer;
  } catch (error) {
    stop.abort(error);
    throw error;
  }
}

/** The answer as server-sent events, those available together in one text. Several replies are sent in sequence. */
export function streamedAnswer(request: TurnRequest, context: TurnContext): EventSource {
  const writer = request.writer();
  let used = new UsageWatch();
  let isBegun = false;
  const begin = () => {
    if (isBegun) return "";
    isBegun = true;
    return writer.begin(used.last);
  };

  async function* events(): AsyncGenerator<string, void> {
    const replies: Reply[] = [];
    for (let choice = 0; choice < request.choices; choice++) {
      const done = (reply: Reply) => {
        replies[choice] = reply;
      };
      used = new UsageWatch();
      const reading = { choice, liveCalls: context.model.liveCalls, used, done };
      for await (const pieces of readReply(request, context, reading)) {
        context.watch.first();
        const text = begin() + pieces.map((piece) => writer.piece(piece, choice)).join("");
        if (text !== "") yield text;
      }
      context.watch.first();
      yield begin() + writer.finish(replies[choice]!, choice);
    }
    await request.keep?.(writer.whole(replies));
    yield writer.end(replies);
  }

  return {
    events: events(),
    fail(error) {
      const { aborted, reason } = context.signal;
      // The client has disconnected.
      if (aborted && !(reason instanceof Failure)) return undefined;
      const failure = failureOf(error);
      context.watch.failed(failure);
      return begin() + writer.fail(failure, context.requestId);
    },
  };
}

/** How one of the replies to a request is read. */
interface Reading {
  /** Its index among them. */
  choice: number;
  /** Whether its calls are passed on while the model writes them. */
  liveCalls: boolean;
  used: UsageWatch;
  done(reply: Reply): void;
}

/** Yields the pieces of one reply as they arrive, then passes the complete reply to `done`. */
async function* readReply(
  { conversation, options, hasForbidden, reasoning }: TurnRequest,
  { model, signal, watch }: TurnContext,
  { choice, liveCalls, used, done }: Reading,
): AsyncGenerator<Piece[], void> {
  const { messages, tools, toolChoice } = conversation;
  const { stop = [], ...asked } = options;
  // Replies to the same prompt must differ.
  const seed = asked.seed === undefined ? undefined : asked.seed + choice;
  const progress = watch.reply(used);
  const turn = generateWithTools({
    ...model.options,
    ...asked,
    model: used.over(model.options.model),
    seed,
    fields: withFields(model.options.fields, asked),
    messages,
    tools,
    // Of tools that a provider runs none is left: an answer without a call is the best there is.
    toolChoice: toolChoice === "required" && !tools?.length ? "auto" : toolChoice,
    signal,
    liveCalls,
    onMissingCall: adapterDefaults.onMissingCall,
    onRetry: () => {
      progress.attempts += 1;
    },
  });
  const parts = new Parts({ liveCalls, hasForbidden, reasoning, tools });
  const stops = new TextStops(stop, parts.list);
  for await (const event of turn) {
    // An event without pieces still shows that the model is answering.
    yield stops.on(parts.on(event));
    // Leaving the loop ends the turn and the request to the upstream.
    if (stops.met !== undefined) break;
  }
  let finish: FinishReason | undefined = "stop";
  if (stops.met === undefined) {
    ({ finish, attempts: progress.attempts } = await turn.result());
    const rest = stops.on(parts.end(finish));
    if (rest.length > 0) yield rest;
  }
  const reply = {
    parts: parts.list,
    finish: finishOf(parts, finish),
    stop: stops.met,
    usage: used.total,
  };
  progress.reply = reply;
  done(reply);
}

/** The fields that an upstream knows the typed options of a request by. */
const OPTION_FIELDS = {
  maxTokens: ["max_tokens", "max_completion_tokens"],
  temperature: ["temperature"],
  seed: ["seed"],
} as const;

/**
 * The fields of a model's configuration with those of a request, which come first, and so do its typed options: an endpoint
 * lets fields override them. The variables of the template are combined.
 */
function withFields(configured: Fields, { fields: asked, ...options }: TurnRequest["options"]): Fields {
  if (!configured) return asked;
  const defaults = { ...configured };
  for (const [option, names] of Object.entries(OPTION_FIELDS))
    if (options[option as keyof typeof OPTION_FIELDS] !== undefined) for (const name of names) delete defaults[name];
  const name = "chat_template_kwargs";
  const variables = [configured[name], asked?.[name]];
  return { ...defaults, ...asked, ...(variables.every(isObject) && { [name]: Object.assign({}, ...variables) }) };
}

type Fields = Readonly<Record<string, unknown>> | undefined;
