import { generateWithTools } from "@toolingua/core";
import { finishOf, type Reply, type TurnRequest } from "../apis/api.js";
import { Failure, failureOf } from "../failure.js";
import type { ServedModel } from "../models/served-model.js";
import type { EventSource } from "../operation/event-stream.js";
import type { RequestWatch } from "../operation/request-record.js";
import { Parts, type Piece } from "./parts.js";

/** What a turn is run with. */
export interface TurnContext {
  model: ServedModel;
  signal: AbortSignal;
  requestId: string;
  watch: RequestWatch;
}

/** The answer in one piece. Errors: what the turn throws. */
export async function wholeAnswer(request: TurnRequest, context: TurnContext): Promise<object> {
  // Where one fails the others end too.
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const replies: Reply[] = [];
  const turns = Array.from({ length: request.choices }, async (_, choice) => {
    const done = (reply: Reply) => {
      replies[choice] = reply;
    };
    for await (const _ of readTurn(request, { ...context, signal }, choice, true, done));
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

/** The answer as server-sent events, those of one moment together. Several replies come one after the other. */
export function streamedAnswer(request: TurnRequest, context: TurnContext): EventSource {
  const writer = request.writer();
  let isBegun = false;
  const begin = () => {
    if (isBegun) return "";
    isBegun = true;
    return writer.begin();
  };

  async function* events(): AsyncGenerator<string, void> {
    const replies: Reply[] = [];
    for (let choice = 0; choice < request.choices; choice++) {
      const done = (reply: Reply) => {
        replies[choice] = reply;
      };
      for await (const pieces of readTurn(request, context, choice, context.model.holdCalls, done)) {
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
      // The client is gone.
      if (aborted && !(reason instanceof Failure)) return undefined;
      const failure = failureOf(error);
      context.watch.failed(failure);
      return begin() + writer.fail(failure, context.requestId);
    },
  };
}

/** The pieces of one reply, as they come; `done` is given the whole of it in the end. */
async function* readTurn(
  { conversation, options, reasoning }: TurnRequest,
  { model, signal, watch }: TurnContext,
  choice: number,
  holdCalls: boolean,
  done: (reply: Reply) => void,
): AsyncGenerator<Piece[], void> {
  const { messages, tools, toolChoice } = conversation;
  const { fields, seed } = options;
  const turn = generateWithTools({
    ...model.options,
    ...options,
    // Replies to the same question are to differ.
    seed: seed === undefined ? undefined : seed + choice,
    fields: model.options.fields || fields ? { ...model.options.fields, ...fields } : undefined,
    messages,
    tools,
    toolChoice,
    signal,
    liveCalls: !holdCalls,
    onMissingCall: "surface",
  });
  const parts = new Parts({ holdCalls, reasoning });
  for await (const event of turn) {
    // An event that gives nothing yet shows that the model answers.
    yield parts.on(event);
  }
  const rest = parts.end();
  if (rest.length > 0) yield rest;
  const { finish, usage, attempts } = await turn.result();
  const reply = {
    parts: parts.list,
    finish: finishOf(parts, finish),
    usage: usage ?? { inputTokens: 0, outputTokens: 0 },
  };
  watch.reply(reply, attempts);
  done(reply);
}
