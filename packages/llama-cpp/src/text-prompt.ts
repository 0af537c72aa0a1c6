import type { TextMessage } from "@toolingua/core";
import { LlamaCppError } from "./errors.js";

/** What a text-only model is asked: messages, and the beginning of its reply. */
export interface TextPrompt {
  messages: TextMessage[];
  prefill: string;
}

/** The prompt of these messages: an assistant message at the end is the prefill. */
export function textPrompt(messages: readonly TextMessage[]): TextPrompt {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return { messages: [...messages], prefill: "" };
  return { messages: messages.slice(0, -1), prefill: last.content };
}

/**
 * The error for a message with content that a text-only model cannot receive: tool calls, tool results, images. `adapter`: the
 * package that adds tools.
 *
 * @example throw unsupported(2, 'has a part of type "image"', "@toolingua/ai-sdk");
 */
export const unsupported = (index: number, what: string, adapter: string): LlamaCppError =>
  new LlamaCppError(
    "unsupported-message",
    `Message ${index} ${what}; the embedded model takes text of the system, the user and the assistant. For tools, wrap it with withToolCalling of ${adapter}.`,
  );
