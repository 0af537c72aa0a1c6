import type { TextModel, TextModelChunk, TextModelRequest, Usage } from "@toolingua/core";

/**
 * Learns from the chunks of a model how many tokens were used, before a reply is complete.
 *
 * @example
 * const watch = new UsageWatch();
 * for await (const chunk of watch.over(model)({ messages })) …
 * watch.total; // { inputTokens: 12, outputTokens: 3 }
 */
export class UsageWatch {
  /** The last usage that was reported. */
  last: Usage | undefined;
  /** Of the requests before the last. */
  #before: Usage = { inputTokens: 0, outputTokens: 0 };

  /** The usage of all requests. */
  get total(): Usage {
    const before = this.#before;
    const { last = { inputTokens: 0, outputTokens: 0 } } = this;
    return {
      inputTokens: before.inputTokens + last.inputTokens,
      outputTokens: before.outputTokens + last.outputTokens,
      ...((before.estimated || last.estimated) && { estimated: true }),
    };
  }

  /** The model, watched. */
  over(model: TextModel): TextModel {
    return (request) => this.#watched(model, request);
  }

  async *#watched(model: TextModel, request: TextModelRequest): AsyncGenerator<TextModelChunk> {
    this.#before = this.total;
    this.last = undefined;
    for await (const chunk of model(request)) {
      if (typeof chunk !== "string") this.last = chunk.usage ?? this.last;
      yield chunk;
    }
  }
}
