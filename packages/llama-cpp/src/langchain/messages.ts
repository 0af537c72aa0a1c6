import { AIMessage, type BaseMessage, ChatMessage } from "@langchain/core/messages";
import type { TextMessage } from "@toolingua/core";
import { type TextPrompt, textPrompt, unsupported } from "../text-prompt.js";

const ADAPTER = "@toolingua/langchain";

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
export const toTextPrompt = (messages: readonly BaseMessage[]): TextPrompt =>
  textPrompt(messages.map((message, index) => ({ role: roleOf(message, index), content: textOf(message, index) })));

function roleOf(message: BaseMessage, index: number): TextMessage["role"] {
  const type = ChatMessage.isInstance(message) ? message.role : message.type;
  const role = ROLES.get(type);
  if (role === undefined) throw unsupported(index, `has the role "${type}"`, ADAPTER);
  if (AIMessage.isInstance(message) && message.tool_calls?.length) throw unsupported(index, "has tool calls", ADAPTER);
  return role;
}

function textOf({ content }: BaseMessage, index: number): string {
  if (typeof content === "string") return content;
  return content
    .map((block) => {
      if (block.type === "text" && typeof block.text === "string") return block.text;
      throw unsupported(index, `has a block of type "${block.type}"`, ADAPTER);
    })
    .join("");
}
