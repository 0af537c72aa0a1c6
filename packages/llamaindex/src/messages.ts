import type {
  ChatMessage as LlamaIndexMessage,
  MessageContent,
  PartialToolCall,
  ToolCall,
} from "@llamaindex/core/llms";
import { type ChatMessage, type ToolCall as CoreToolCall, escapeText } from "@toolingua/core";
import { asUntrusted, contentOf, storedArguments } from "@toolingua/core/adapters";
import { callRecord } from "./calls.js";

/** A result in a message's options: text in agents, any value elsewhere. */
interface Result {
  id: string;
  name?: string;
  result: unknown;
  isError?: boolean;
}

/**
 * Converts LlamaIndex's messages to the core's: content lists become text, and calls and results from the messages'
 * options are paired. A result is the tool's original output, not the text that LlamaIndex stored.
 *
 * @example toChatMessages([{ role: "memory", content: "Ann likes tea." }]); // [{ role: "system", content: "Ann likes tea." }]
 */
export function toChatMessages(messages: readonly LlamaIndexMessage[]): ChatMessage[] {
  const calls = new Map<string, CoreToolCall>();
  return messages.map(({ role, content, options }): ChatMessage => {
    const text = textOf(content);
    const { toolCall, toolResult } = (options ?? {}) as {
      toolCall?: (ToolCall | PartialToolCall)[];
      toolResult?: Result;
    };
    if (toolResult) return resultMessage(toolResult, text, calls.get(toolResult.id));
    // What is remembered comes from users and tools; a system message is not escaped.
    if (role === "memory") return asUntrusted({ role: "system", content: escapeText(text) });
    if (role === "system" || role === "developer") return { role: "system", content: text };
    // Stored messages may have roles that LlamaIndex does not know, such as `tool`.
    if (role !== "assistant") return { role: "user", content: text };
    const made = (toolCall ?? []).map(readCall);
    for (const call of made) calls.set(call.id, call);
    return { role, content: text, ...(made.length > 0 && { toolCalls: made }) };
  });
}

/**
 * The text of a message. Other content is only named, because the model reads text only. Stored messages contain null if they
 * had no content.
 */
export function textOf(content: MessageContent | null | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? [])
    .filter(Boolean)
    .map((part) => (part.type === "text" ? part.text : `[${part.type}: not shown, this model reads text only]`))
    .join("\n");
}

/** The result of a tool as text: a string unchanged, nothing as empty text, other values as JSON. */
export function resultText(result: unknown): string {
  return result === null ? "" : contentOf(result);
}

const readCall = ({ id, name, input }: ToolCall | PartialToolCall): CoreToolCall => ({
  id,
  name,
  arguments: storedArguments(input),
});

/** LlamaIndex's message for a tool that returned nothing, or an object that contains null or undefined. */
const NO_JSON_VALUE = /Value is not a valid JSONValue: (?:null|undefined)$/;

function resultMessage({ id, name, result, isError }: Result, content: string, call?: CoreToolCall): ChatMessage {
  const about = { role: "tool" as const, toolCallId: id, name: call?.name ?? name ?? "tool" };
  if (isError) {
    const said = resultText(result) || content;
    if (!NO_JSON_VALUE.test(said)) return { ...about, content: withoutErrorNames(said), isError };
    return { ...about, content: "The tool ran. What it gave back is not shown: it is null, or holds null." };
  }
  const known = call && callRecord(call.arguments);
  return { ...about, content: resultText(known && "output" in known ? known.output : result) };
}

/** Removes LlamaIndex's prefixes of an error message: `Error: Error: Error(TypeError): `. */
const withoutErrorNames = (text: string): string => text.replace(/^(?:Error: |Error\([^)\s]*\): )+/, "");
