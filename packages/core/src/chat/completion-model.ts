import { checkOptions } from "../options/check-options.js";
import { aBoolean, aFunction, type OptionRules } from "../options/option-rules.js";
import { streamOf } from "../options/stream-of.js";
import { breakMarkers } from "../prompt/escape.js";
import { markersOf } from "../prompt/markers.js";
import { protocols } from "../protocols/index.js";
import type { TextModel, TextModelChunk, TextModelRequest } from "../types.js";
import { aDate, choiceRules } from "./chat-rules.js";
import { openedReasoning } from "./opened-reasoning.js";
import { type ChatFormatChoice, chooseFormat, renderConversation } from "./render-chat-prompt.js";

/** The request to a completion endpoint, without the prompt. */
export interface CompletionRequest extends Omit<TextModelRequest, "messages" | "prefill" | "stop"> {
  /** Generation ends before any of these. */
  stop: string[];
}

/** Options of {@link completionModel}, in addition to the choice of the chat format. */
export interface CompletionModelOptions extends ChatFormatChoice {
  /** Sends a prompt and streams the reply: pieces of text, and at the end its usage and the reason why it stopped. */
  complete(prompt: string, request: CompletionRequest): AsyncIterable<TextModelChunk>;
  /** `false` for servers that add the BOS token to the prompt themselves. Default `true`. */
  bos?: boolean | undefined;
  /** Today's date. Default: that of the model's template. */
  date?: Date | undefined;
}

const rules: OptionRules<CompletionModelOptions> = {
  ...choiceRules,
  complete: { ...aFunction, words: "a function that sends a prompt and streams the reply" },
  bos: aBoolean,
  date: aDate,
};

/**
 * Wraps a completion endpoint as a `TextModel`: messages are rendered in the model's chat format. A prefill is the end
 * of the prompt, so every such model supports one. `generateWithTools` then works on any raw completion API. If the template
 * begins the model's reasoning, the reply begins with that marker, so that the reasoning is read as such. The wire format is
 * the turn's, by default `xml`: pass the model's own as its `protocol`.
 *
 * Errors: `ChatFormatError` (`unknown-format`, `bad-template`) and `OptionsError` (`bad-option`) at once; at a
 * request `ChatFormatError` (`refused`), `OptionsError` for a `complete` that returns no stream, and those of `complete`.
 *
 * @example
 * const model = completionModel({
 *   model: "llama3.1:8b",
 *   async *complete(prompt, { stop, signal }) {
 *     const body = JSON.stringify({ model: "llama3.1:8b", raw: true, stream: false, prompt, options: { stop } });
 *     const response = await fetch("http://localhost:11434/api/generate", { method: "POST", body, signal: signal ?? null });
 *     if (!response.ok) throw new Error(await response.text());
 *     const reply = await response.json();
 *     yield reply.response;
 *     yield { finish: readFinishReason(reply) ?? "stop" };
 *   },
 * });
 * const protocol = protocolForModel("llama3.1:8b");
 * const { toolCalls } = await generateWithTools({ model, messages, tools, protocol }).result();
 */
export function completionModel(options: CompletionModelOptions): TextModel {
  checkOptions(rules, options, "the options of completionModel", ["complete"]);
  const { complete, bos = true, date, ...choice } = options;
  const format = chooseFormat(choice);
  // The messages were escaped when they were made, but not against the markers of this format.
  const spoken = new Set(Object.values(protocols).flatMap(({ syntax }) => markersOf(syntax)));
  const escaper = breakMarkers((format.markers ?? []).filter((marker) => !spoken.has(marker)));
  return async function* ({ messages, prefill = "", stop = [], ...rest }) {
    const guarded = messages.map((message) =>
      message.role === "system" ? message : { ...message, content: escaper.escape(message.content) },
    );
    const prompt = renderConversation(format, { messages: guarded, tools: [], bos, date });
    const opened = prefill === "" ? openedReasoning(prompt) : "";
    if (opened !== "") yield opened;
    const request = { ...rest, stop: [...new Set([...format.stop, ...stop])] };
    yield* streamOf(complete(prompt + prefill, request), "complete");
  };
}
