import { renderPrompt } from "@toolingua/core";
import { estimatePromptTokens } from "@toolingua/core/adapters";
import type { ServedModel } from "../models/served-model.js";
import type { TurnRequest } from "./api.js";

/**
 * Estimates the number of tokens in a request's prompt from its length: servers report no count without generating.
 * The prompt is the one that the model would receive, including its tools.
 */
export function countTokens({ conversation }: TurnRequest, { options }: ServedModel): number {
  const { protocol, style, prefill, transcript } = options;
  const { messages } = renderPrompt({ ...conversation, protocol, style, prefill, transcript });
  return estimatePromptTokens(messages.map(({ content }) => content));
}
