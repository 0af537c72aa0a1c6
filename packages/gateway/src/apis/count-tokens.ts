import { renderPrompt } from "@toolingua/core";
import type { ServedModel } from "../models/served-model.js";
import type { TurnRequest } from "./api.js";

/** The average length of an English token, in UTF-16 units. */
const UNITS = 4;

/** The overhead of a message in a chat template, in tokens. */
const MESSAGE = 4;

/**
 * Estimates the number of tokens in a request's prompt from its length: servers report no count without generating.
 * The prompt is the one that the model would receive, including its tools.
 */
export function countTokens({ conversation }: TurnRequest, { options }: ServedModel): number {
  const { protocol, style, prefill, transcript } = options;
  const { messages } = renderPrompt({ ...conversation, protocol, style, prefill, transcript });
  return messages.reduce((sum, { content }) => sum + MESSAGE + Math.ceil(content.length / UNITS), 0);
}
