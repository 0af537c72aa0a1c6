import { refusalsOf } from "@toolingua/core/adapters";
import { hasContent } from "../parts.js";
import type {
  CallOptions,
  Content,
  GenerateResult,
  LanguageModel,
  StreamPart,
  StreamResult,
  Usage,
  Warning,
} from "../sdk.js";
import { NativeCalls, withFeedback } from "./native-calls.js";

/**
 * A model's native tool calling, whose calls are checked. A refusal is remembered for the model and logged once with
 * `console.warn`; from then on the methods return `undefined`, and the caller prompts the model instead. They also return `undefined` if a call
 * is required and the reply has none. `onSpent` gets the usage of a reply that is not used, if it is known.
 */
export class NativeModel {
  constructor(private readonly model: LanguageModel) {}

  async generate(call: CallOptions, onSpent: (usage: Usage) => void): Promise<GenerateResult | undefined> {
    if (!this.#mayAsk(call)) return undefined;
    const calls = new NativeCalls(call.tools);
    const result = await this.#unlessRefused(() => this.model.doGenerate(withFeedback(call)));
    if (!result) return undefined;
    const isRefused = this.#isRefusedBy(result.warnings, call);
    if (!isRefused && (!isForced(call) || result.content.some((part) => isWantedCall(part, call))))
      return { ...result, content: result.content.map((part) => calls.checked(part)) };
    onSpent(result.usage);
    return undefined;
  }

  /** Buffers the first part, which may be a refusal, and the whole reply if a call is required. */
  async stream(call: CallOptions, onSpent: (usage: Usage) => void): Promise<StreamResult | undefined> {
    if (!this.#mayAsk(call)) return undefined;
    const calls = new NativeCalls(call.tools);
    const opened = await this.#unlessRefused(() => this.model.doStream(withFeedback(call)));
    if (!opened) return undefined;
    const reader = opened.stream.getReader();
    const begun: StreamPart[] = [];
    const drop = async () => {
      await reader.cancel();
      return undefined;
    };
    for (;;) {
      const { done, value: part } = await reader.read();
      if (done && isForced(call)) return undefined;
      if (done) break;
      begun.push(part);
      if (part.type === "error" && !begun.some(hasContent) && this.#isRefused(part.error)) return drop();
      if (part.type === "stream-start" && this.#isRefusedBy(part.warnings, call)) return drop();
      if (part.type === "finish" && isForced(call)) {
        onSpent(part.usage);
        return drop();
      }
      if (isWantedCall(part, call) || part.type === "error" || (hasContent(part) && !isForced(call))) break;
    }
    return { ...opened, stream: goingOn(begun, reader, calls) };
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

  /** Some providers drop tools, or the choice among them, and report this in a warning. */
  #isRefusedBy(warnings: readonly Warning[], call: CallOptions): boolean {
    for (const warning of warnings) {
      if (warning.type !== "unsupported") continue;
      const refusal = warning.feature === "tools" ? "tools" : warning.feature === "toolChoice" ? "choice" : undefined;
      // A choice that changes nothing is not missed.
      if (refusal === undefined || (refusal === "choice" && !isForced(call))) continue;
      refusalsOf(this.model).remember(refusal, warning.details ?? "it is not supported.", this.model.modelId);
      return true;
    }
    return false;
  }
}

/** Whether a part is a call that the tool choice allows; another tool's is as good as none if one is named. */
function isWantedCall(part: StreamPart | Content, { toolChoice }: CallOptions): boolean {
  if (part.type !== "tool-input-start" && part.type !== "tool-call") return false;
  return toolChoice?.type !== "tool" || part.toolName === toolChoice.toolName;
}

const isForced = ({ toolChoice }: CallOptions) => toolChoice?.type === "required" || toolChoice?.type === "tool";

/** A stream with first parts that were already read, and its calls checked. */
function goingOn(
  begun: StreamPart[],
  reader: ReadableStreamDefaultReader<StreamPart>,
  calls: NativeCalls,
): ReadableStream<StreamPart> {
  return new ReadableStream<StreamPart>(
    {
      async pull(controller) {
        const next = begun.shift();
        const { done, value } = next ? { done: false, value: next } : await reader.read();
        if (done || !value) controller.close();
        else controller.enqueue(calls.checked(value));
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
