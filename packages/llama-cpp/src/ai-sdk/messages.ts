import type { LanguageModelV3Prompt } from "@ai-sdk/provider";
import type { TextMessage } from "@toolingua/core";
import { LlamaCppError } from "../errors.js";

/**
 * Converts the AI SDK's prompt to text. An assistant message at the end is the prefill: the beginning of the reply.
 * Throws `unsupported-message` for content that a text-only model cannot receive: tool calls, tool results, files.
 */
export function toTextMessages(prompt: LanguageModelV3Prompt): { messages: TextMessage[]; prefill: string } {
  const messages = prompt.map(({ role, content }, index): TextMessage => {
    if (role === "tool") throw unsupported(index, "is about a tool");
    if (typeof content === "string") return { role, content };
    const texts = content.flatMap((part) => {
      if (part.type === "text") return [part.text];
      // Reasoning is not part of an earlier answer.
      if (part.type === "reasoning") return [];
      throw unsupported(index, `has a part of type "${part.type}"`);
    });
    return { role, content: texts.join("") };
  });
  const last = messages.at(-1);
  if (last?.role !== "assistant") return { messages, prefill: "" };
  return { messages: messages.slice(0, -1), prefill: last.content };
}

function unsupported(index: number, what: string): LlamaCppError {
  return new LlamaCppError(
    "unsupported-message",
    `Message ${index} ${what}; the embedded model takes text of the system, the user and the assistant. For tools, wrap it with withToolCalling of @toolingua/ai-sdk.`,
  );
}
