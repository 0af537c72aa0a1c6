import { AIMessage, type BaseMessage, ChatMessage } from "@langchain/core/messages";
import type { TextMessage } from "@toolingua/core";
import { LlamaCppError } from "../errors.js";

const ROLES = new Map<string, TextMessage["role"]>([
  ["system", "system"],
  ["developer", "system"],
  ["human", "user"],
  ["user", "user"],
  ["ai", "assistant"],
  ["assistant", "assistant"],
]);

/**
 * Converts LangChain messages to text. An AI message at the end is the prefill: the beginning of the reply. Throws
 * `unsupported-message` for content that a text-only model cannot receive: tool calls, tool results, images.
 */
export function toTextMessages(messages: readonly BaseMessage[]): { messages: TextMessage[]; prefill: string } {
  const texts = messages.map((message, index) => ({ role: roleOf(message, index), content: textOf(message, index) }));
  const prefill = texts.at(-1)?.role === "assistant" ? texts.pop()!.content : "";
  return { messages: texts, prefill };
}

function roleOf(message: BaseMessage, index: number): TextMessage["role"] {
  const type = ChatMessage.isInstance(message) ? message.role : message.type;
  const role = ROLES.get(type);
  if (role === undefined) throw unsupported(index, `has the role "${type}"`);
  if (AIMessage.isInstance(message) && message.tool_calls?.length) throw unsupported(index, "has tool calls");
  return role;
}

function textOf({ content }: BaseMessage, index: number): string {
  if (typeof content === "string") return content;
  return content
    .map((block) => {
      if (block.type === "text" && typeof block.text === "string") return block.text;
      throw unsupported(index, `has a block of type "${block.type}"`);
    })
    .join("");
}

function unsupported(index: number, what: string): LlamaCppError {
  return new LlamaCppError(
    "unsupported-message",
    `Message ${index} ${what}; the embedded model takes system, human and AI messages of text. For tools, wrap it with withToolCalling of @toolingua/langchain.`,
  );
}
