import { callsOf } from "../common/one-call-a-turn.js";
import { resultText } from "../tool-text/error-text.js";
import { plainDefinition } from "../tool-text/index.js";
import type { ChatMessage, ToolDefinition } from "../types.js";
import { nineCharacterId } from "./conversation.js";

/** The form in which a template expects past calls. */
export interface CallShape {
  /**
   * `text`: JSON text, for templates that write arguments as they come; `object`: for those that serialise an object.
   */
  arguments: "object" | "text";
  /**
   * `nine`: nine letters and digits, which Mistral's templates require. `named`: the id of a call alone identifies its
   * tool, as in Kimi's templates, so an id that this library made becomes `functions.name:number`.
   */
  ids: "given" | "nine" | "named";
}

/** Messages as `apply_chat_template` takes them: as in OpenAI's API, except that arguments are objects. */
export function templateMessages(messages: readonly ChatMessage[], shape: CallShape): Record<string, unknown>[] {
  const id = idsIn(messages, shape.ids);
  return messages.map((message) => {
    if (message.role === "tool") {
      return { role: "tool", tool_call_id: id(message.toolCallId), name: message.name, content: resultText(message) };
    }
    if (message.role !== "assistant") return { role: message.role, content: message.content };
    const calls = callsOf(message).map((call) => ({
      id: id(call.id),
      type: "function",
      function: {
        name: call.name,
        arguments: shape.arguments === "text" ? JSON.stringify(call.arguments) : call.arguments,
      },
    }));
    return {
      role: "assistant",
      content: message.content,
      ...(message.reasoning ? { reasoning_content: message.reasoning } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
  });
}

function idsIn(messages: readonly ChatMessage[], ids: CallShape["ids"]): (id: string) => string {
  if (ids === "given") return (id) => id;
  if (ids === "nine") return nineCharacterId;
  const calls = messages.flatMap(callsOf);
  const made = calls.map(
    ({ id, name }, index) => [id, /^call_\w{24}$/.test(id) ? `functions.${name}:${index}` : id] as const,
  );
  const known = new Map(made);
  return (id) => known.get(id) ?? id;
}

/** A tool as templates expect it. Many iterate over its parameters without checking whether there are any. */
export function templateTool(tool: ToolDefinition): Record<string, unknown> {
  const { parameters = { type: "object", properties: {} }, ...rest } = plainDefinition(tool);
  return { type: "function", function: { ...rest, parameters } };
}
