import type { LanguageModelV3Prompt } from "@ai-sdk/provider";
import type { TextMessage } from "@toolingua/core";
import { LlamaCppError } from "../errors.js";

/**
 * The AI SDK's prompt as text. An assistant message at the end is what the reply already begins with: the prefill.
 * Throws `unsupported-message` on what a text-only model cannot be told: tool calls, tool results, files.
 */
export function toTextMessages(prompt: LanguageModelV3Prompt): { messages: TextMessage[]; prefill: string } {
  const messages = prompt.map(({ role, content }, index): TextMessage => {
    if (role === "tool") throw unsupported(index, "is about a tool");
    if (typeof content === "string") return { role, content };
    const texts = content.flatMap((part) => {
      if (part.type === "text") return [part.text];
      // What a model thought is not part of what it said.
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
