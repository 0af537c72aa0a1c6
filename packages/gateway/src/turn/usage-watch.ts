import type { TextModel, TextModelChunk, TextModelRequest, Usage } from "@toolingua/core";
import { addUsage, estimatePromptTokens, estimateTokens, reportedUsage } from "@toolingua/core/adapters";

/**
 * Learns from the chunks of a model how many tokens were used, also before a reply is complete: the model's own figures,
 * or else an estimate.
 *
 * @example
 * const watch = new UsageWatch();
 * for await (const chunk of watch.over(model)({ messages })) …
 * watch.total; // { inputTokens: 12, outputTokens: 3 }
 */
export class UsageWatch {
  /** Of the requests before the last that were answered. */
  #before: Usage | undefined;
  /** Of the last request: the usage that was reported, the estimated tokens of the prompt, and the characters of the reply. */
  #reported: Usage | undefined;
  #input: number | undefined;
  #written = 0;
  /** Whether it was answered, at least in part. */
  #isAnswered = false;

  /** The usage of the last request so far. */
  get last(): Usage {
    if (this.#reported) return this.#reported;
    return { inputTokens: this.#input ?? 0, outputTokens: estimateTokens(this.#written), estimated: true };
  }

  /** The usage of all requests. */
  get total(): Usage {
    return addUsage(this.#before, this.last);
  }

  /** The usage of all requests that were answered, at least in part; `undefined` if none was. */
  get answered(): Usage | undefined {
    return this.#isAnswered ? this.total : this.#before;
  }

  /** The model, watched. */
  over(model: TextModel): TextModel {
    return (request) => this.#watched(model, request);
  }

  async *#watched(model: TextModel, request: TextModelRequest): AsyncGenerator<TextModelChunk> {
    if (this.#isAnswered) this.#before = this.total;
    this.#isAnswered = false;
    this.#reported = undefined;
    this.#input = estimatePromptTokens(request.messages.map(({ content }) => content));
    this.#written = 0;
    for await (const chunk of model(request)) {
      this.#isAnswered = true;
      if (typeof chunk === "string") this.#written += chunk.length;
      else {
        this.#written += chunk.reasoning?.length ?? 0;
        this.#reported = reportedUsage(chunk.usage) ?? this.#reported;
      }
      yield chunk;
    }
    this.#isAnswered = true;
  }
}
