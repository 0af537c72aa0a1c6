import { converted, isObject, jsonPointer, type Losses, objectAt } from "@toolingua/core/adapters";
import { type Converted, ProviderFormatError } from "@toolingua/core/providers";
import type { PmlDocument, PmlMessage, PmlPart, PmlToolOutput } from "../tree.js";
import { contentParts, idsOf, textOfParts } from "./content-parts.js";
import { conversationIn, documentOfMessages, madeCall, type ToMessagesOptions } from "./messages.js";
import { loseRest, texts } from "./values.js";

/** A message as LangChain stores it. `mapStoredMessagesToChatMessages` converts it to LangChain's classes. */
export interface LangChainStoredMessage {
  type: "system" | "human" | "ai" | "tool";
  data: {
    /** Declared as a string by LangChain, whose classes also accept blocks. */
    content: string | Record<string, unknown>[];
    role: string | undefined;
    name: string | undefined;
    tool_call_id: string | undefined;
    [field: string]: unknown;
  };
}

/**
 * Converts a document to messages of LangChain, in its stored form.
 *
 * Errors: `PmlTreeError` `bad-tree`.
 *
 * @example mapStoredMessagesToChatMessages(toLangChain(document).value);
 */
export function toLangChain(
  document: PmlDocument,
  options: ToMessagesOptions = {},
): Converted<LangChainStoredMessage[]> {
  return converted((losses) => {
    const { conversation } = conversationIn(document, losses, options);
    if (document.tools) losses.add("/tools", "tools", "messages have none");
    return conversation.messages.map((message): LangChainStoredMessage => {
      const data = { role: undefined, name: undefined, tool_call_id: undefined };
      const { content } = message;
      switch (message.role) {
        case "system":
          return { type: "system", data: { ...data, content } };
        case "user":
          return {
            type: "human",
            data: {
              ...data,
              content: message.images ? [...message.images.map(imageBlock), ...textBlocks(content)] : content,
            },
          };
        case "assistant":
          return {
            type: "ai",
            data: {
              ...data,
              content: message.reasoning
                ? [{ type: "reasoning", reasoning: message.reasoning }, ...textBlocks(content)]
                : content,
              tool_calls: (message.toolCalls ?? []).map(({ id, name, arguments: args }) => ({
                ...{ type: "tool_call", id, name, args },
              })),
            },
          };
        default:
          return {
            type: "tool",
            data: {
              ...data,
              ...{ content, name: message.name, tool_call_id: message.toolCallId },
              status: message.isError ? "error" : "success",
            },
          };
      }
    });
  });
}

const imageBlock = ({ url, detail }: { url: string; detail?: string }) => ({
  type: "image_url",
  image_url: { url, ...(detail !== undefined && { detail }) },
});
const textBlocks = (text: string) => (text === "" ? [] : [{ type: "text", text }]);

/**
 * Converts messages of LangChain to a document. Accepts its classes, stored messages (`{ type, data }`), serialized
 * ones (`{ lc, kwargs }`), and plain `{ role, content }`.
 *
 * Errors: `ProviderFormatError` for data that is not a message.
 *
 * @example fromLangChain(state.messages).value;
 */
export function fromLangChain(messages: readonly unknown[]): Converted<PmlDocument> {
  return documentOfMessages(messages, readMessage);
}

/** The roles, by each of LangChain's names. */
const ROLES: Readonly<Record<string, "system" | "user" | "assistant" | "tool">> = {
  ...{ system: "system", SystemMessage: "system", developer: "system", SystemMessageChunk: "system" },
  ...{ human: "user", user: "user", HumanMessage: "user", HumanMessageChunk: "user" },
  ...{ ai: "assistant", assistant: "assistant", AIMessage: "assistant", AIMessageChunk: "assistant" },
  ...{ tool: "tool", ToolMessage: "tool", ToolMessageChunk: "tool" },
};

/** The fields of a message that are converted, and the internal fields of its classes. */
const FIELDS = [
  ...["type", "role", "content", "name", "tool_call_id", "tool_calls", "invalid_tool_calls", "status"],
  ...["lc_serializable", "lc_kwargs", "lc_namespace", "lc_direct_tool_output", "getType", "_getType"],
];

function readMessage(given: unknown, path: string, losses: Losses): PmlMessage | PmlToolOutput {
  const message = objectAt(given, path, "a message of LangChain");
  const { kind, data, at } = unwrapped(message, path, losses);
  const role = typeof kind === "string" && Object.hasOwn(ROLES, kind) ? ROLES[kind] : undefined;
  if (!role) throw new ProviderFormatError(path, "a message of the type system, human, ai or tool", kind);
  loseRest(data, FIELDS, at, losses);
  const calls = Array.isArray(data.tool_calls) ? data.tool_calls : [];
  const called = role === "assistant" ? idsOf(calls) : undefined;
  const content = contentParts(data.content ?? "", jsonPointer(at, "content"), losses, called);
  const name = texts(data, ["name"], at, losses);
  if (role === "tool") {
    const { tool_call_id: call } = texts(data, ["tool_call_id"], at, losses);
    return {
      type: "tool_output",
      ...(call !== undefined && { call }),
      ...name,
      ...(data.status === "error" && { status: "error" }),
      ...textOfParts(content, at, losses),
    };
  }
  const made = calls.map((call: unknown, i): PmlPart => {
    const where = jsonPointer(at, "tool_calls", i);
    const given = objectAt(call, where);
    loseRest(given, ["type", "id", "name", "args"], where, losses);
    const { id, name: called, args } = given;
    return madeCall(id, called, args, where, losses);
  });
  if (Array.isArray(data.invalid_tool_calls) && data.invalid_tool_calls.length > 0) {
    losses.add(jsonPointer(at, "invalid_tool_calls"), "invalid_tool_calls", "are omitted");
  }
  return { type: role === "system" || role === "assistant" ? role : "user", ...name, parts: [...content, ...made] };
}

function unwrapped(message: Record<string, unknown>, path: string, losses: Losses) {
  const { lc, id, kwargs, data, type, role } = message;
  if (lc !== undefined && isObject(kwargs)) {
    loseRest(message, ["lc", "type", "id", "kwargs"], path, losses);
    return { kind: Array.isArray(id) ? id.at(-1) : undefined, data: kwargs, at: jsonPointer(path, "kwargs") };
  }
  if (isObject(data)) {
    loseRest(message, ["type", "data"], path, losses);
    return { kind: type, data, at: jsonPointer(path, "data") };
  }
  const own = message._getType ?? message.getType;
  const kind = type ?? role ?? (typeof own === "function" ? own.call(message) : undefined);
  return { kind, data: message, at: path };
}
