import type { TextModel, TextModelChunk, TextModelRequest, Usage } from "@toolingua/core";
import { addUsage, estimatePromptTokens, TokenMeter } from "@toolingua/core/adapters";

/**
 * Learns from the chunks of a model how many tokens were used, also before a reply is complete: the model's own figures, or else an
 * estimate.
 *
 * @example
 * const watch = new UsageWatch();
 * for await (const chunk of watch.over(model)({ messages })) …
 * watch.total; // { inputTokens: 12, outputTokens: 3 }
 */
export class UsageWatch {
  /** Of the requests before the last. */
  #before: Usage | undefined;
  #meter: TokenMeter | undefined;

  /** The usage of the last request so far. */
  get last(): Usage {
    return this.#meter?.usage ?? { inputTokens: 0, outputTokens: 0 };
  }

  /** The usage of all requests. */
  get total(): Usage {
    return addUsage(this.#before, this.last);
  }

  /** The model, watched. */
  over(model: TextModel): TextModel {
    return (request) => this.#watched(model, request);
  }

  async *#watched(model: TextModel, request: TextModelRequest): AsyncGenerator<TextModelChunk> {
    if (this.#meter) this.#before = this.total;
    const meter = new TokenMeter(estimatePromptTokens(request.messages.map(({ content }) => content)));
    this.#meter = meter;
    for await (const chunk of model(request)) {
      if (typeof chunk === "string") meter.add(chunk);
      else {
        meter.add(chunk.reasoning ?? "");
        meter.report(chunk.usage);
      }
      yield chunk;
    }
  }
}
