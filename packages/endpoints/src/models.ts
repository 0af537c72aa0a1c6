import {
  type ChatFormatChoice,
  completionModel,
  OptionsError,
  type TextMessage,
  type TextModel,
} from "@toolingua/core";
import { aBoolean, checkedElsewhere, estimatePromptTokens } from "@toolingua/core/adapters";
import { turnOptionsFor } from "./backends.js";
import { constrained, preservedTokens } from "./constrained.js";
import { Endpoint } from "./endpoint.js";
import { checkEndpointOptions, type EndpointOptions, endpointRules } from "./options.js";
import { fetchTransport } from "./transport/fetch-transport.js";
import type { Transport } from "./transport/transport.js";

/** Options of `chatEndpoint`. */
export interface ChatEndpointOptions extends EndpointOptions {
  /**
   * Whether the server continues a final assistant message. Default: by `backend`. If it does not, a prefill is dropped, and a
   * turn works without one, because the model's `abilities` say so.
   */
  prefill?: boolean | undefined;
}

/** Options of `completionEndpoint`. */
export interface CompletionEndpointOptions extends EndpointOptions, Pick<ChatFormatChoice, "format" | "template"> {
  /** Whether the prompt begins with the BOS token. Default `false`: nearly all servers add it themselves. */
  bos?: boolean | undefined;
}

/** `chatEndpoint` over a given transport. */
export function chatModel(options: ChatEndpointOptions, transport: Transport): TextModel {
  const path = "/chat/completions";
  checkEndpointOptions({ ...endpointRules, prefill: aBoolean }, options, path);
  const endpoint = new Endpoint(options, path, transportOf(options, transport));
  const { traits } = endpoint;
  const continues = options.prefill === false ? undefined : (traits.continues ?? (options.prefill ? {} : undefined));
  const model: TextModel = ({ messages, prefill, constraint, fields, stop = [], ...request }) => {
    const goesOn = prefill && continues ? continues : undefined;
    const sent: TextMessage[] = goesOn ? [...messages, { role: "assistant", content: prefill! }] : messages;
    return endpoint.generate({
      ...request,
      content: { messages: sent.map(withImages), ...goesOn },
      tokens: estimatePromptTokens(sent.map(({ content }) => content)),
      stop,
      fields: constrained(options.backend, constraint, fields),
    });
  };
  return Object.assign(model, {
    abilities: { ...turnOptionsFor(options.backend), prefill: continues !== undefined },
  });
}

/** A message in the API's form: one with images is a list of parts. */
function withImages(message: TextMessage): object {
  const { role, content, images = [] } = message;
  if (images.length === 0) return message;
  const parts = images.map((image) => ({ type: "image_url", image_url: image }));
  return { role, content: content === "" ? parts : [...parts, { type: "text", text: content }] };
}

/** `completionEndpoint` over a given transport. */
export function completionEndpointModel(options: CompletionEndpointOptions, transport: Transport): TextModel {
  const path = "/completions";
  checkEndpointOptions(
    { ...endpointRules, format: checkedElsewhere, template: checkedElsewhere, bos: aBoolean },
    options,
    path,
  );
  if (options.backend === "ollama")
    throw new OptionsError(
      "bad-option",
      "Ollama's /completions puts the prompt into a chat template of its own: use `chatEndpoint`.",
    );
  const { model, format, template, bos = false } = options;
  const endpoint = new Endpoint(options, path, transportOf(options, transport));
  const completed = completionModel({
    model,
    format,
    template,
    bos,
    complete: (prompt, { constraint, fields, ...request }) =>
      endpoint.generate({
        ...request,
        content: { prompt },
        tokens: estimatePromptTokens([prompt]),
        fields: constrained(options.backend, constraint, {
          ...preservedTokens(options.backend, constraint),
          ...fields,
        }),
      }),
  });
  // The prefill is the end of the prompt.
  return Object.assign(completed, { abilities: { ...turnOptionsFor(options.backend), prefill: true } });
}

const transportOf = ({ fetch }: EndpointOptions, transport: Transport): Transport =>
  fetch ? fetchTransport(fetch) : transport;
