import { type FinishReason, StopSequences, type TextModelChunk } from "@toolingua/core";
import type { Delta } from "./answer/delta.js";
import { TokenMeter } from "./answer/token-count.js";
import { type BackendTraits, traitsOf } from "./backends.js";
import { Deadline } from "./deadline.js";
import { EndpointError } from "./errors.js";
import type { EndpointOptions } from "./options.js";
import { type OpenAnswer, Sender } from "./sender.js";
import type { Transport } from "./transport/transport.js";

/** One call of an endpoint, of either kind. */
export interface EndpointCall {
  /** The fields specific to the kind of endpoint: the messages, or the prompt. */
  content: Readonly<Record<string, unknown>>;
  /** The estimated number of tokens in the content. */
  tokens: number;
  stop: readonly string[];
  /** Fields that constrain the reply, and others. They override all other fields. */
  fields: Readonly<Record<string, unknown>>;
  signal?: AbortSignal | undefined;
  maxTokens?: number | undefined;
  temperature?: number | undefined;
  seed?: number | undefined;
}

/** An endpoint of a server: turns calls into requests, and answers into chunks. */
export class Endpoint {
  readonly traits: BackendTraits;
  readonly #options: EndpointOptions;
  readonly #sender: Sender;
  readonly #timeouts: { idle: number; total: number };

  constructor(options: EndpointOptions, path: string, transport: Transport) {
    this.traits = traitsOf(options.backend);
    this.#options = options;
    this.#sender = new Sender(options, path, transport);
    const { idle = 300_000, total = Number.POSITIVE_INFINITY } = options.timeout ?? {};
    this.#timeouts = { idle, total };
  }

  /** Streams the model's reply. Leaving the loop early ends the request, and so the server's work. */
  async *generate(call: EndpointCall): AsyncGenerator<TextModelChunk> {
    const deadline = new Deadline(this.#timeouts, call.signal);
    let answer: OpenAnswer | undefined;
    try {
      answer = await this.#sender.open(this.#body(call), deadline);
      yield* this.#read(answer, call, deadline);
      if (answer.reader.done) await answer.drain();
    } finally {
      deadline.end(answer !== undefined && !answer.ended);
    }
  }

  async *#read(answer: OpenAnswer, call: EndpointCall, deadline: Deadline): AsyncGenerator<TextModelChunk> {
    const meter = new TokenMeter(call.tokens);
    const stops = new StopSequences(call.stop);
    let finish: FinishReason | undefined;
    let partialText = "";
    try {
      for (let deltas: Delta[] | undefined = answer.first; deltas; deltas = await answer.next(deadline)) {
        for (const delta of joined(deltas, meter)) {
          finish = delta.finish ?? finish;
          partialText += delta.text;
          const given = delta.text === "" ? undefined : stops.push(delta.text);
          // The usage comes before its text, so that a reader that leaves early has it.
          if (delta.reasoning !== "" || given?.text) yield { usage: meter.usage };
          if (delta.reasoning !== "") yield { reasoning: delta.reasoning };
          if (given?.text) yield given.text;
          if (given?.stopped) return yield { usage: meter.usage, finish: "stop" };
        }
      }
    } catch (error) {
      throw error instanceof EndpointError ? error.after(partialText) : error;
    }
    const rest = stops.end();
    if (rest !== "") yield rest;
    yield { usage: meter.usage, ...(finish && { finish }) };
  }

  #body({ content, stop, fields, maxTokens, temperature, seed }: EndpointCall): Record<string, unknown> {
    const { model, body, maxStops = this.traits.stops } = this.#options;
    const sent = stop.filter((one) => one !== "").slice(0, maxStops);
    return {
      model,
      stream: true,
      stream_options: { include_usage: true, ...this.traits.streamOptions },
      ...this.traits.fields,
      ...body,
      ...(sent.length > 0 && { stop: sent }),
      ...(maxTokens !== undefined && { max_tokens: maxTokens }),
      ...(temperature !== undefined && { temperature }),
      ...(seed !== undefined && { seed }),
      ...content,
      ...fields,
    };
  }
}

/**
 * Merges deltas that arrived together, since each costs a step of every reader: reasoning, then the text that follows
 * it. Counts their tokens on the way.
 */
function joined(deltas: readonly Delta[], meter: TokenMeter): Delta[] {
  const pieces: Delta[] = [];
  for (const delta of deltas) {
    meter.add(delta.reasoning + delta.text);
    if (delta.usage) meter.report(delta.usage);
    const last = pieces.at(-1);
    if (!last || (last.text !== "" && delta.reasoning !== "")) {
      pieces.push({ ...delta });
      continue;
    }
    last.reasoning += delta.reasoning;
    last.text += delta.text;
    if (delta.finish) last.finish = delta.finish;
  }
  return pieces;
}
