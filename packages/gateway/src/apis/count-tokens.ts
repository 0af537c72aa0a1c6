import { renderPrompt } from "@toolingua/core";
import type { ServedModel } from "../models/served-model.js";
import type { TurnRequest } from "./api.js";

/** About what a token of English holds, in UTF-16 units. */
const UNITS = 4;

/** What marks a message in a chat template, in tokens. */
const MESSAGE = 4;

/**
 * How many tokens the prompt of a request has, guessed from its length: no server says it of a prompt that it is not asked.
 * The prompt is the one that the model would be sent, with its tools.
 */
export function countTokens({ conversation }: TurnRequest, { options }: ServedModel): number {
  const { protocol, style, prefill, transcript } = options;
  const { messages } = renderPrompt({ ...conversation, protocol, style, prefill, transcript });
  return messages.reduce((sum, { content }) => sum + MESSAGE + Math.ceil(content.length / UNITS), 0);
}
