import type { Attributes } from "@opentelemetry/api";
import type { ChatMessage } from "@toolingua/core";
import { jsonOrText } from "@toolingua/core/adapters";
import type { Conversation } from "@toolingua/core/providers";
import type { Finish, Reply } from "../apis/api.js";
import type { Part } from "../turn/parts.js";
import { attribute } from "./semantic-conventions.js";

// The text of prompts and replies as JSON, in the form of the conventions. Written only if the configuration asks for
// it.

const text = (content: string) => ({ type: "text", content });

/** The attributes of the prompt. */
export function inputContent({ messages, tools }: Conversation): Attributes {
  const system = messages.flatMap(({ role, content }) => (role === "system" ? [text(content)] : []));
  const rest = messages.filter(({ role }) => role !== "system");
  return {
    ...(system.length > 0 && { [attribute.systemInstructions]: JSON.stringify(system) }),
    [attribute.inputMessages]: JSON.stringify(rest.map(inputMessage)),
    ...(tools && {
      [attribute.toolDefinitions]: JSON.stringify(
        tools.map(({ name, description, parameters }) => ({ type: "function", name, description, parameters })),
      ),
    }),
  };
}

/** The attributes of the replies. */
export const outputContent = (replies: readonly Reply[]): Attributes => ({
  [attribute.outputMessages]: JSON.stringify(
    replies.map(({ parts, finish }) => ({
      role: "assistant",
      parts: parts.map(outputPart),
      finish_reason: finishReason(finish),
    })),
  ),
});

/** The finish reason in the conventions' terms. */
export const finishReason = (finish: Finish): string => (finish === "calls" ? "tool_call" : finish.replace("-", "_"));

function inputMessage(message: ChatMessage): object {
  const { role, content } = message;
  if (role === "tool") {
    return { role, parts: [{ type: "tool_call_response", id: message.toolCallId, response: content }] };
  }
  if (role !== "assistant") return { role, parts: [text(content)] };
  const { reasoning = "", toolCalls = [] } = message;
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({ type: "tool_call", id, name, arguments: args }));
  const thoughts = reasoning === "" ? [] : [{ type: "reasoning", content: reasoning }];
  return { role, parts: [...thoughts, ...(content === "" ? [] : [text(content)]), ...calls] };
}

function outputPart(part: Part): object {
  if (part.type !== "call") return { type: part.type, content: part.text };
  // Truncated arguments remain text.
  return { type: "tool_call", id: part.id, name: part.name, arguments: jsonOrText(part.text) };
}
