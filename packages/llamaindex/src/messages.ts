import type {
  ChatMessage as LlamaIndexMessage,
  MessageContent,
  PartialToolCall,
  ToolCall,
} from "@llamaindex/core/llms";
import type { ChatMessage, ToolCall as CoreToolCall } from "@toolingua/core";
import { callRecord } from "./calls.js";

/** A result as it stands in a message's options: text in agents, any value elsewhere. */
interface Result {
  id: string;
  name?: string;
  result: unknown;
  isError?: boolean;
}

/**
 * LlamaIndex's messages as the conversation core renders: lists of content become text, calls and results, which stand in
 * the options of messages, are paired. What a tool gave back is told as it was, not as LlamaIndex wrote it down.
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
    if (role !== "assistant") return { role: role === "user" ? role : "system", content: text };
    const made = (toolCall ?? []).map(readCall);
    for (const call of made) calls.set(call.id, call);
    return { role, content: text, ...(made.length > 0 && { toolCalls: made }) };
  });
}

/** The text of a message. What is not text is named: this model reads text only. */
export function textOf(content: MessageContent): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => (part.type === "text" ? part.text : `[${part.type}: not shown, this model reads text only]`))
    .join("\n");
}

/** What a tool gave back, as text: strings as they are, nothing as nothing, everything else as JSON. */
export function resultText(result: unknown): string {
  if (typeof result === "string") return result;
  return result === undefined || result === null ? "" : (JSON.stringify(result) ?? "");
}

const readCall = ({ id, name, input }: ToolCall | PartialToolCall): CoreToolCall => ({
  id,
  name,
  arguments: typeof input === "string" ? parsed(input) : input,
});

function parsed(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Another model's broken call, in a conversation that goes on with this one.
  }
  return { input: json };
}

/** LlamaIndex's word for a tool that ran and gave back nothing, or an object with nothing somewhere in it. */
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

/** Drops what LlamaIndex puts before an error's message: `Error: Error: Error(TypeError): `. */
const withoutErrorNames = (text: string): string => text.replace(/^(?:Error: |Error\([^)\s]*\): )+/, "");
