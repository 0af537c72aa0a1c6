import { converted, isObject, jsonPointer, type Losses, objectAt, plainData } from "@toolingua/core/adapters";
import { type Converted, ProviderFormatError } from "@toolingua/core/providers";
import type { PmlDocument, PmlMessage, PmlPart, PmlToolOutput } from "../tree.js";
import { contentParts, idsOf, textOfParts } from "./content-parts.js";
import { conversationIn, documentOfMessages, madeCall, type ToMessagesOptions } from "./messages.js";
import { loseRest, texts } from "./values.js";

/** A message of LlamaIndex.TS. */
export interface LlamaIndexMessage {
  role: "system" | "user" | "assistant";
  content: string | ({ type: "text"; text: string } | { type: "image_url"; image_url: { url: string } })[];
  options?: {
    toolCall?: { id: string; name: string; input: Record<string, never> }[];
    toolResult?: { id: string; result: string; isError: boolean };
  };
}

/**
 * Converts a document to messages of LlamaIndex.TS. Calls and results are in `options`.
 *
 * Errors: `PmlTreeError` `bad-tree`.
 *
 * @example await agent.run(question, { chatHistory: toLlamaIndex(document).value });
 */
export function toLlamaIndex(document: PmlDocument, options: ToMessagesOptions = {}): Converted<LlamaIndexMessage[]> {
  return converted((losses) => {
    const { conversation, origins } = conversationIn(document, losses, options);
    if (document.tools) losses.add("/tools", "tools", "messages have none");
    const called = new Map<string, string>();
    return conversation.messages.map((message, i): LlamaIndexMessage => {
      const path = origins[i] ?? "";
      const { content } = message;
      switch (message.role) {
        case "system":
          return { role: "system", content };
        case "user": {
          const images = message.images?.map(({ url, detail }) => {
            if (detail !== undefined) losses.add(path, "detail", "has no counterpart in LlamaIndex");
            return { type: "image_url" as const, image_url: { url } };
          });
          return { role: "user", content: images ? [...images, ...textDetails(content)] : content };
        }
        case "assistant": {
          if (message.reasoning) losses.add(path, "thinking", "has no counterpart in LlamaIndex");
          for (const { id, name } of message.toolCalls ?? []) called.set(id, name);
          const toolCall = message.toolCalls?.map(({ id, name, arguments: args }) => ({
            id,
            name,
            input: args as Record<string, never>,
          }));
          return { role: "assistant", content, ...(toolCall && { options: { toolCall } }) };
        }
        default: {
          const { toolCallId: id, name, isError = false } = message;
          if (called.get(id) !== name) losses.add(path, "name", "results say only the call's id");
          return { role: "user", content, options: { toolResult: { id, result: content, isError } } };
        }
      }
    });
  });
}

const textDetails = (text: string) => (text === "" ? [] : [{ type: "text" as const, text }]);

/**
 * Converts messages of LlamaIndex.TS to a document. `memory` and `developer` messages become system messages with that
 * role.
 *
 * Errors: `ProviderFormatError` for data that is not a message.
 *
 * @example fromLlamaIndex(await memory.get()).value;
 */
export function fromLlamaIndex(messages: readonly unknown[]): Converted<PmlDocument> {
  return documentOfMessages(messages, readMessage);
}

function readMessage(given: unknown, path: string, losses: Losses): PmlMessage | PmlToolOutput {
  const message = objectAt(given, path, "a message: { role, content }");
  loseRest(message, ["role", "content", "options"], path, losses);
  const { role, content, options } = message;
  const { toolCall, toolResult, ...others } = isObject(options) ? options : {};
  losses.rest(others, [], jsonPointer(path, "options"));
  const calls = toolCall == null ? [] : Array.isArray(toolCall) ? toolCall : [toolCall];
  const called = role === "assistant" ? idsOf(calls) : undefined;
  const parts = contentParts(content, jsonPointer(path, "content"), losses, called);
  if (isObject(toolResult)) {
    const { result, isError } = toolResult;
    const at = jsonPointer(path, "options", "toolResult");
    loseRest(toolResult, ["id", "result", "isError"], at, losses);
    const { id: call } = texts(toolResult, ["id"], at, losses);
    return {
      type: "tool_output",
      ...(call !== undefined && { call }),
      ...(isError === true && { status: "error" }),
      ...textOfParts(saidBy(result, parts, jsonPointer(at, "result"), losses), at, losses),
    };
  }
  const at = jsonPointer(path, "options", "toolCall");
  const made = calls.map((call: unknown, i): PmlPart => {
    const where = jsonPointer(at, i);
    const given = objectAt(call, where);
    loseRest(given, ["id", "name", "input"], where, losses);
    const { id, name, input } = given;
    return madeCall(id, name, parsedInput(input, where), where, losses);
  });
  if (role === "user" || role === "assistant" || role === "system") return { type: role, parts: [...parts, ...made] };
  if (role !== "memory" && role !== "developer") {
    const expected = '"system", "user", "assistant", "memory" or "developer"';
    throw new ProviderFormatError(jsonPointer(path, "role"), expected, role);
  }
  return { type: "system", role, parts };
}

/**
 * The parts of a result. LlamaIndex gives a result as the content too; images stand only in the content. Whatever is said
 * in one alone is kept.
 */
function saidBy(result: unknown, parts: readonly PmlPart[], path: string, losses: Losses): PmlPart[] {
  if (result == null) return [...parts];
  const given = typeof result === "string" ? result : writtenJson(result, path, losses);
  const said = contentParts(given, path, losses);
  const known = new Set(said.map((part) => (part.type === "text" ? part.text : undefined)));
  return [...said, ...parts.filter((part) => part.type !== "text" || !known.has(part.text))];
}

function writtenJson(value: unknown, path: string, losses: Losses): string {
  losses.add(path, "json", "a result is text: its JSON is written");
  return JSON.stringify(plainData(value, path, losses)) ?? "";
}

/** The input of a call. That of an incomplete call is text. */
function parsedInput(input: unknown, path: string): unknown {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input === "" ? "{}" : input);
  } catch {
    return objectAt(input, jsonPointer(path, "input"), "the JSON of an object");
  }
}
