import type { ChatMessage, MessageContent } from "@llamaindex/core/llms";
import type { TextMessage } from "@toolingua/core";
import { LlamaCppError } from "../errors.js";

/**
 * Converts LlamaIndex's messages to text. An assistant message at the end is the prefill: the beginning of the reply.
 * Throws `unsupported-message` for content that a text-only model cannot receive: tool calls, tool results, images.
 */
export function toTextMessages(messages: readonly ChatMessage[]): { messages: TextMessage[]; prefill: string } {
  const texts = messages.map(({ role, content, options }, index): TextMessage => {
    if (options && ("toolCall" in options || "toolResult" in options)) throw unsupported(index, "is about a tool");
    return { role: role === "user" || role === "assistant" ? role : "system", content: textOf(content, index) };
  });
  const prefill = texts.at(-1)?.role === "assistant" ? texts.pop()!.content : "";
  return { messages: texts, prefill };
}

function textOf(content: MessageContent, index: number): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => {
      if (part.type === "text") return part.text;
      throw unsupported(index, `has a part of type "${part.type}"`);
    })
    .join("");
}

function unsupported(index: number, what: string): LlamaCppError {
  return new LlamaCppError(
    "unsupported-message",
    `Message ${index} ${what}; the embedded model takes text of the system, the user and the assistant. For tools, wrap it with withToolCalling of @toolingua/llamaindex.`,
  );
}
