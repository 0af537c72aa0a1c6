import type { ChatMessage, MessageContent } from "@llamaindex/core/llms";
import type { TextMessage } from "@toolingua/core";
import { type TextPrompt, textPrompt, unsupported } from "../text-prompt.js";

const ADAPTER = "@toolingua/llamaindex";

const ROLES = new Map<unknown, TextMessage["role"]>([
  ["system", "system"],
  ["developer", "system"],
  ["memory", "system"],
  ["user", "user"],
  ["assistant", "assistant"],
]);

/**
 * Converts LlamaIndex's messages to text. An assistant message at the end is the prefill: the beginning of the reply.
 * Throws `unsupported-message` for content that a text-only model cannot receive: tool calls, tool results, images.
 */
export function toTextPrompt(messages: readonly ChatMessage[]): TextPrompt {
  const texts = messages.map(({ role, content, options }, index): TextMessage => {
    if (options && ("toolCall" in options || "toolResult" in options))
      throw unsupported(index, "is about a tool", ADAPTER);
    const known = ROLES.get(role);
    if (known === undefined) throw unsupported(index, `has the role ${JSON.stringify(role)}`, ADAPTER);
    return { role: known, content: textOf(content, index) };
  });
  return textPrompt(texts);
}

function textOf(content: MessageContent, index: number): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => {
      if (part.type === "text") return part.text;
      throw unsupported(index, `has a part of type "${part.type}"`, ADAPTER);
    })
    .join("");
}
