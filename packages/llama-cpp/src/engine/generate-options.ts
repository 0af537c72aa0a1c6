import { OptionsError, type TextMessage, type Usage } from "@toolingua/core";
import {
  aFunction,
  aSignal,
  aString,
  checkOptions,
  isObject,
  listWith,
  type OptionRule,
  type OptionRules,
  strings,
  wholeFrom,
  withMethods,
} from "@toolingua/core/adapters";
import { LlamaCppError } from "../errors.js";

/** Options of one generation. */
export interface GenerateOptions {
  /** A GBNF grammar. It constrains what the model writes, not the prefill before it. */
  grammar?: string | undefined;
  /** The beginning of the reply. The model continues it; the returned text does not include it. */
  prefill?: string | undefined;
  /** The reply ends before any of these texts. */
  stop?: readonly string[] | undefined;
  /** The same seed and prompt give the same reply. Default: a new seed for every call. */
  seed?: number | undefined;
  /** 0 (the default) always takes the most likely token. */
  temperature?: number | undefined;
  /** With a temperature: sample from the most likely tokens that together have this probability. Default 0.95. */
  topP?: number | undefined;
  /** With a temperature: sample from this many tokens; 0 means all. Default 40. */
  topK?: number | undefined;
  /** With a temperature: exclude tokens below this fraction of the most likely token's probability. Default 0. */
  minP?: number | undefined;
  /** The reply is truncated after this many tokens, with `finish: "length"`. Default 1024. */
  maxTokens?: number | undefined;
  signal?: AbortSignal | undefined;
  /**
   * Called with each piece of the reply and the usage so far. Pieces never split a character. Concatenated, they are
   * the reply.
   */
  onText?: ((text: string, usage: Usage) => void) | undefined;
}

/**
 * The input: messages, rendered with the model's chat template, in which the text of control tokens is plain text; or a
 * prompt, in which it is control tokens.
 */
export type GenerateRequest = GenerateOptions &
  ({ messages: readonly TextMessage[]; prompt?: undefined } | { prompt: string; messages?: undefined });

export const anEngine = withMethods("a LlamaCppEngine", "generate", "stream");

const aShare: OptionRule = {
  takes: (value) => typeof value === "number" && value >= 0 && value <= 1,
  words: "a number from 0 to 1",
};

/** The rules for the options of sampling, and for where a reply ends. llama.cpp checks none of them. */
export const samplingRules = {
  temperature: {
    takes: (value) => typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY,
    words: "a number from 0",
  },
  topP: aShare,
  topK: wholeFrom(0),
  minP: aShare,
  seed: { takes: Number.isInteger, words: "a whole number" },
  maxTokens: wholeFrom(1),
  stop: strings,
} satisfies Partial<OptionRules<GenerateOptions>>;

const ROLES: readonly unknown[] = ["system", "user", "assistant"];

const rules: OptionRules<GenerateOptions & { messages: unknown; prompt: unknown }> = {
  messages: {
    takes: listWith((one) => isObject(one) && ROLES.includes(one.role) && typeof one.content === "string"),
    words: 'a list of messages { role: "system", "user" or "assistant", content: a string }',
    describe: (value) => (Array.isArray(value) ? "a list with another one" : JSON.stringify(value)),
  },
  prompt: aString,
  ...samplingRules,
  grammar: aString,
  prefill: aString,
  signal: aSignal,
  onText: aFunction,
};

/**
 * Checks the request of a generation: a wrong number would end the process inside of llama.cpp.
 *
 * Errors: `OptionsError` (`bad-option`); `LlamaCppError` (`unsupported-message`) for messages with images.
 *
 * @example checkRequest({ prompt: "Once", maxtokens: 8 }); // throws: There is no "maxtokens" in the request. Did you mean "maxTokens"?
 */
export function checkRequest(request: GenerateRequest): void {
  checkOptions(rules, request, "the request");
  const { messages, prompt } = request;
  if ((messages === undefined) === (prompt === undefined)) {
    const given = prompt === undefined ? "neither" : "both";
    throw new OptionsError(
      "bad-option",
      `A request has either \`messages\` or a \`prompt\`, and this one has ${given}.`,
    );
  }
  const seen = messages?.findIndex(({ images }) => images !== undefined && images.length > 0) ?? -1;
  if (seen >= 0)
    throw new LlamaCppError("unsupported-message", `Message ${seen} has images; the engine reads only text.`);
}
