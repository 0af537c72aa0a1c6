import { StopSequences, type TextModel, type TextModelChunk, type TextModelRequest, type Usage } from "@toolingua/core";

/**
 * Learns what only the chunks of a model say: the usage so far, and which stop sequence ends a reply. Few servers report the
 * latter, so these sequences are not sent to them: the text is cut here, and the request ends.
 *
 * @example
 * const watch = new ModelWatch(["END"]);
 * for await (const chunk of watch.over(model)({ messages })) …
 * watch.met; // "END", if the model wrote it
 */
export class ModelWatch {
  /** The sequence that ended the model's last reply. */
  met: string | undefined;
  /** The last usage that was reported. */
  usage: Usage | undefined;
  readonly #stops: readonly string[];

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== "");
  }

  /** The model, with replies that end before any of the sequences. */
  over(model: TextModel): TextModel {
    return (request) => this.#watched(model, request);
  }

  async *#watched(model: TextModel, { stop = [], ...request }: TextModelRequest): AsyncGenerator<TextModelChunk> {
    this.met = undefined;
    const sequences = new StopSequences(this.#stops);
    /** What the model wrote after the text that was passed on. */
    let rest = "";
    for await (const chunk of model({ ...request, stop: stop.filter((one) => !this.#stops.includes(one)) })) {
      if (typeof chunk !== "string") {
        const buffered = chunk.finish === undefined ? "" : sequences.end();
        if (buffered !== "") yield buffered;
        this.usage = chunk.usage ?? this.usage;
        yield chunk;
        continue;
      }
      const { text, stopped } = sequences.push(chunk);
      rest = (rest + chunk).slice(text.length);
      if (text !== "") yield text;
      if (!stopped) continue;
      // Of several at this place, the shortest is the first that is complete.
      this.met = this.#stops.filter((one) => rest.startsWith(one)).sort((a, b) => a.length - b.length)[0];
      return yield { finish: "stop" };
    }
    const buffered = sequences.end();
    if (buffered !== "") yield buffered;
  }
}
