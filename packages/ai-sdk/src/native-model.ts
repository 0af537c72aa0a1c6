import { refusalsOf } from "@toolingua/core/adapters";
import type { CallOptions, GenerateResult, LanguageModel, StreamPart, StreamResult, Usage, Warning } from "./sdk.js";

/** Parts without content of the reply. */
const PRELUDE = new Set<StreamPart["type"]>(["stream-start", "response-metadata", "raw"]);

/**
 * A model's native tool calling. A refusal is remembered for the model and logged once with `console.warn`; from then
 * on the methods return `undefined`, and the caller prompts the model instead. They also return `undefined` if a call
 * is required and the reply has none; `onSpent` gets the usage of that reply.
 */
export class NativeModel {
  constructor(private readonly model: LanguageModel) {}

  async generate(call: CallOptions, onSpent: (usage: Usage) => void): Promise<GenerateResult | undefined> {
    if (!this.#mayAsk(call)) return undefined;
    const result = await this.#unlessRefused(() => this.model.doGenerate(call));
    if (!result || this.#isRefusedBy(result.warnings)) return undefined;
    if (!isForced(call) || result.content.some(({ type }) => type === "tool-call")) return result;
    onSpent(result.usage);
    return undefined;
  }

  /** Buffers the first part, which may be a refusal, and the whole reply if a call is required. */
  async stream(call: CallOptions, onSpent: (usage: Usage) => void): Promise<StreamResult | undefined> {
    if (!this.#mayAsk(call)) return undefined;
    const opened = await this.#unlessRefused(() => this.model.doStream(call));
    if (!opened) return undefined;
    const reader = opened.stream.getReader();
    const begun: StreamPart[] = [];
    const drop = async () => {
      await reader.cancel();
      return undefined;
    };
    for (;;) {
      const { done, value: part } = await reader.read();
      if (done) break;
      begun.push(part);
      if (part.type === "error" && begun.every(({ type }) => PRELUDE.has(type) || type === "error")) {
        if (this.#isRefused(part.error)) return drop();
      }
      if (part.type === "stream-start" && this.#isRefusedBy(part.warnings)) return drop();
      if (part.type === "finish" && isForced(call)) {
        onSpent(part.usage);
        return drop();
      }
      const isCall = part.type === "tool-input-start" || part.type === "tool-call";
      if (isCall || part.type === "error" || (!PRELUDE.has(part.type) && !isForced(call))) break;
    }
    return { ...opened, stream: goingOn(begun, reader) };
  }

  #mayAsk(call: CallOptions): boolean {
    return !refusalsOf(this.model).refuses(isForced(call));
  }

  async #unlessRefused<T>(ask: () => PromiseLike<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (!this.#isRefused(error)) throw error;
      return undefined;
    }
  }

  #isRefused(error: unknown): boolean {
    return refusalsOf(this.model).rememberError(error, this.model.modelId);
  }

  /** Some providers drop tools and report this in a warning. */
  #isRefusedBy(warnings: readonly Warning[]): boolean {
    for (const warning of warnings) {
      if (warning.type !== "unsupported" || !/^tool(?:s|Choice)$/.test(warning.feature)) continue;
      const refusal = warning.feature === "tools" ? "tools" : "choice";
      refusalsOf(this.model).remember(refusal, warning.details ?? "it is not supported.", this.model.modelId);
      return true;
    }
    return false;
  }
}

const isForced = ({ toolChoice }: CallOptions) => toolChoice?.type === "required" || toolChoice?.type === "tool";

/** A stream with first parts that were already read. */
function goingOn(begun: StreamPart[], reader: ReadableStreamDefaultReader<StreamPart>): ReadableStream<StreamPart> {
  return new ReadableStream<StreamPart>(
    {
      async pull(controller) {
        const next = begun.shift();
        if (next) return controller.enqueue(next);
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
