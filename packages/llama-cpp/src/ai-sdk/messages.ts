import type { LanguageModelV3Prompt } from "@ai-sdk/provider";
import type { TextMessage } from "@toolingua/core";
import { type TextPrompt, textPrompt, unsupported } from "../text-prompt.js";

const ADAPTER = "@toolingua/ai-sdk";

/**
 * Converts the AI SDK's prompt to text. An assistant message at the end is the prefill: the beginning of the reply.
 * Throws `unsupported-message` for content that a text-only model cannot receive: tool calls, tool results, files.
 */
export function toTextPrompt(prompt: LanguageModelV3Prompt): TextPrompt {
  const messages = prompt.map(({ role, content }, index): TextMessage => {
    if (role === "tool") throw unsupported(index, "is about a tool", ADAPTER);
    if (typeof content === "string") return { role, content };
    const texts = content.flatMap((part) => {
      if (part.type === "text") return [part.text];
      // Reasoning is not part of an earlier answer.
      if (part.type === "reasoning") return [];
      throw unsupported(index, `has a part of type "${part.type}"`, ADAPTER);
    });
    return { role, content: texts.join("") };
  });
  return textPrompt(messages);
}
