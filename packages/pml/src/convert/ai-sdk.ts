import { converted, isObject, jsonPointer, type Losses, listAt, objectAt, plainData } from "@toolingua/core/adapters";
import { type Converted, ProviderFormatError } from "@toolingua/core/providers";
import type { PmlAttachment, PmlDocument, PmlMessage, PmlPart, PmlToolOutput } from "../tree.js";
import { contentParts, textOfParts } from "./content-parts.js";
import { conversationIn, documentOfMessages, madeCall, type ToMessagesOptions } from "./messages.js";
import { loseRest, wordOf } from "./values.js";
import { writableText } from "./writable-text.js";

/** A `ModelMessage` of the AI SDK (5 and later). */
export type AiSdkMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | ({ type: "text"; text: string } | { type: "image"; image: string })[] }
  | { role: "assistant"; content: string | AiSdkAssistantPart[] }
  | { role: "tool"; content: AiSdkToolResult[] };

export type AiSdkAssistantPart =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | { type: "tool-call"; toolCallId: string; toolName: string; input: Record<string, unknown> };

export interface AiSdkToolResult {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: { type: "text" | "error-text"; value: string };
}

/**
 * Converts a document to `ModelMessage`s of the AI SDK. Adjacent results become one message.
 *
 * Errors: `PmlTreeError` `bad-tree`.
 *
 * @example await generateText({ model, messages: toAiSdk(document).value });
 */
export function toAiSdk(document: PmlDocument, options: ToMessagesOptions = {}): Converted<AiSdkMessage[]> {
  return converted((losses) => {
    const { conversation, origins } = conversationIn(document, losses, options);
    if (document.tools) losses.add("/tools", "tools", "messages have none");
    const written: AiSdkMessage[] = [];
    conversation.messages.forEach((message, i) => {
      const { content } = message;
      const last = written.at(-1);
      switch (message.role) {
        case "system":
          written.push({ role: "system", content });
          return;
        case "user": {
          const images = message.images?.map(({ url, detail }) => {
            if (detail !== undefined) losses.add(origins[i] ?? "", "detail", "has no counterpart in the AI SDK");
            return { type: "image" as const, image: url };
          });
          written.push({ role: "user", content: images ? [...images, ...textParts(content)] : content });
          return;
        }
        case "assistant": {
          const { reasoning, toolCalls = [] } = message;
          const parts: AiSdkAssistantPart[] = [
            ...(reasoning ? [{ type: "reasoning" as const, text: reasoning }] : []),
            ...textParts(content),
            ...toolCalls.map(({ id, name, arguments: input }) => ({
              ...{ type: "tool-call" as const, toolCallId: id, toolName: name, input },
            })),
          ];
          const isText = !reasoning && toolCalls.length === 0;
          written.push({ role: "assistant", content: isText ? content : parts });
          return;
        }
        case "tool": {
          const { toolCallId, name: toolName, isError } = message;
          const output = { type: isError ? ("error-text" as const) : ("text" as const), value: content };
          const result: AiSdkToolResult = { type: "tool-result", toolCallId, toolName, output };
          if (last?.role === "tool") last.content.push(result);
          else written.push({ role: "tool", content: [result] });
        }
      }
    });
    return written;
  });
}

const textParts = (text: string) => (text === "" ? [] : [{ type: "text" as const, text }]);

/**
 * Converts `ModelMessage`s of the AI SDK to a document. Files become attachments; outputs that are JSON remain JSON.
 *
 * Errors: `ProviderFormatError` for data that is not a message.
 *
 * @example fromAiSdk([...messages, ...(await result.response).messages]).value;
 */
export function fromAiSdk(messages: readonly unknown[]): Converted<PmlDocument> {
  return documentOfMessages(messages, readMessage);
}

function readMessage(given: unknown, path: string, losses: Losses): (PmlMessage | PmlToolOutput)[] {
  const message = objectAt(given, path, "a message: { role, content }");
  const { role, content } = message;
  loseRest(message, ["role", "content"], path, losses);
  const at = jsonPointer(path, "content");
  switch (role) {
    case "system":
    case "user":
      return [{ type: role, parts: contentParts(content, at, losses) }];
    case "assistant": {
      if (typeof content === "string") return [{ type: "assistant", parts: contentParts(content, at, losses) }];
      const parts = listAt(content, at).flatMap((part, i) => assistantPart(part, jsonPointer(at, i), losses));
      return [{ type: "assistant", parts }];
    }
    case "tool":
      return listAt(content, at).flatMap((part, i) => {
        const where = jsonPointer(at, i);
        const result = objectAt(part, where, "a tool result");
        if (result.type === "tool-result") return [resultOf(result, where, losses)];
        losses.add(where, wordOf(result.type), "has no counterpart here");
        return [];
      });
    default:
      throw new ProviderFormatError(jsonPointer(path, "role"), '"system", "user", "assistant" or "tool"', role);
  }
}

function assistantPart(given: unknown, path: string, losses: Losses): PmlPart[] {
  const part = objectAt(given, path, "a part: { type }");
  if (part.type === "tool-call") {
    loseRest(part, ["type", "toolCallId", "toolName", "input"], path, losses);
    return [madeCall(part.toolCallId, part.toolName, part.input, path, losses)];
  }
  if (part.type === "tool-result") return [resultOf(part, path, losses)];
  return contentParts([part], path, losses, new Set());
}

function resultOf(result: Record<string, unknown>, path: string, losses: Losses): PmlToolOutput {
  loseRest(result, ["type", "toolCallId", "toolName", "output"], path, losses);
  const { toolCallId, toolName } = result;
  const output = objectAt(result.output, jsonPointer(path, "output"), "an output: { type, value }");
  loseRest(output, ["type", "value", "reason"], jsonPointer(path, "output"), losses);
  const at = jsonPointer(path, "output", "value");
  const isError = /^(?:error-|execution-denied)/.test(wordOf(output.type));
  return {
    type: "tool_output",
    ...(typeof toolCallId === "string" && { call: writableText(toolCallId, path, losses) }),
    ...(typeof toolName === "string" && { name: writableText(toolName, path, losses) }),
    ...(isError && { status: "error" }),
    ...outputOf(output, at, losses),
  };
}

function outputOf(
  output: Record<string, unknown>,
  path: string,
  losses: Losses,
): { text: string; attachments?: PmlAttachment[] } {
  const { type, value, reason } = output;
  if (type === "content" && Array.isArray(value)) {
    const parts = value.map((part: unknown) =>
      isObject(part) && /^(?:media|file-data|image-data|image-url|file-url)$/.test(wordOf(part.type))
        ? { ...part, type: /image/.test(`${wordOf(part.type)} ${wordOf(part.mediaType)}`) ? "image" : "file" }
        : part,
    );
    return textOfParts(contentParts(parts, path, losses), path, losses);
  }
  if (type === "execution-denied")
    return { text: typeof reason === "string" ? writableText(reason, path, losses) : "" };
  if (typeof value === "string") return { text: writableText(value, path, losses) };
  losses.add(path, "json", "a result is text: its JSON is written");
  return { text: writableText(JSON.stringify(plainData(value, path, losses)) ?? "", path, losses) };
}
