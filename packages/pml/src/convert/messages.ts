import type { ChatMessage, ToolChoice, ToolDefinition } from "@toolingua/core";
import {
  aString,
  checkOptions,
  converted,
  isObject,
  jsonPointer,
  type Losses,
  listAt,
  type OptionRules,
  objectAt,
  plainData,
  textAt,
} from "@toolingua/core/adapters";
import {
  type Conversation,
  type Converted,
  type GivenConversation,
  ProviderFormatError,
} from "@toolingua/core/providers";
import { checkTree } from "../schema/check-tree.js";
import type { PmlAttachment, PmlCall, PmlDocument, PmlMessage, PmlPart, PmlToolOutput, PmlTools } from "../tree.js";
import { documentOf } from "./document-of.js";
import { type AttachmentStyle, type Said, saidIn, toMessagesRules } from "./said.js";
import { loseRest, texts } from "./values.js";
import { writableText } from "./writable-text.js";

/** Options for converting a document to messages. */
export interface ToMessagesOptions {
  /**
   * How attachments and edits are written in the text: `documents` (default), the common format for long documents, or
   * `pml`. Users' images remain images.
   */
  attachments?: AttachmentStyle | undefined;
}

/**
 * Converts a document to messages, with a report of what is lost. The memory is the first system message. Calls without
 * ids get generated ones; outputs without ids answer the calls in order.
 *
 * Errors: `PmlTreeError` `bad-tree`.
 *
 * @example const { value: messages, losses } = toMessages(parsePml(xml));
 */
export function toMessages(document: PmlDocument, options: ToMessagesOptions = {}): Converted<ChatMessage[]> {
  return converted((losses) => {
    const { messages } = said(document, losses, options);
    if (document.tools) losses.add("/tools", "tools", "messages have none: toConversation gives them");
    return messages;
  });
}

/**
 * As {@link toMessages}, with the tools: the input of `renderPrompt` and of the provider formats.
 *
 * @example const { messages, tools } = toConversation(document).value;
 */
export function toConversation(document: PmlDocument, options: ToMessagesOptions = {}): Converted<Conversation> {
  return converted((losses) => conversationIn(document, losses, options).conversation);
}

/** The conversation, and the origins of its messages. */
export function conversationIn(document: PmlDocument, losses: Losses, options: ToMessagesOptions = {}) {
  const { messages, origins } = said(document, losses, options);
  const { tools } = document;
  const conversation: Conversation = {
    messages,
    ...(tools && { tools: tools.list }),
    ...(tools?.choice !== undefined && { toolChoice: tools.choice }),
  };
  return { conversation, origins };
}

const said = (document: PmlDocument, losses: Losses, options: ToMessagesOptions): Said => {
  checkOptions(toMessagesRules, options);
  checkTree(document);
  return saidIn(document, losses, options);
};

/**
 * Converts messages to a document, with a report of what is lost. A turn begins where a user speaks after an answer.
 * The message that `toMessages` makes of a memory becomes the memory again.
 *
 * Errors: `ProviderFormatError` for data that is not a list of messages.
 *
 * @example const { value: document } = fromMessages([{ role: "user", content: "Hi" }]);
 */
export function fromMessages(messages: readonly ChatMessage[]): Converted<PmlDocument> {
  return fromConversation({ messages });
}

const aboutRules: OptionRules<{ id?: string; topic?: string }> = { id: aString, topic: aString };

/**
 * As {@link fromMessages}, with tools, and the id and topic of the conversation.
 *
 * @example fromConversation({ messages, tools }, { id: "c1", topic: "Weather" }).value;
 */
export function fromConversation(
  conversation: GivenConversation,
  about: { id?: string; topic?: string } = {},
): Converted<PmlDocument> {
  checkOptions(aboutRules, about, "what is said about the conversation");
  return converted((losses) => {
    const whole = objectAt(conversation, "", "a conversation: { messages }");
    loseRest(whole, ["messages", "tools", "toolChoice"], "", losses);
    const { messages, tools, toolChoice } = whole;
    const given = listAt(messages, "/messages");
    const nodes = given.map((message, i) => nodeOf(message, jsonPointer("/messages", i), losses));
    const named = namedByCalls(nodes);
    return documentOf(named, { ...about, tools: toolsOf({ tools, toolChoice }, losses) });
  });
}

/** The tools of a conversation, as JSON and XML can represent them. */
export function toolsOf({ tools, toolChoice }: GivenTools, losses: Losses, path = "/tools"): PmlTools | undefined {
  if (tools === undefined && toolChoice === undefined) return undefined;
  return {
    ...(toolChoice !== undefined && { choice: choiceOf(toolChoice, losses) }),
    list: listAt(tools ?? [], path).map((tool, i) => toolOf(tool, jsonPointer(path, i), losses)),
  };
}

/** The given tools and tool choice. */
interface GivenTools {
  tools?: unknown;
  toolChoice?: unknown;
}

function choiceOf(choice: unknown, losses: Losses): ToolChoice {
  if (choice === "auto" || choice === "none" || choice === "required") return choice;
  const { name } = objectAt(choice, "/toolChoice", '"auto", "none", "required" or { name }');
  return { name: writableText(textAt(name, "/toolChoice/name"), "/toolChoice/name", losses) };
}

function toolOf(given: unknown, path: string, losses: Losses): ToolDefinition {
  const tool = objectAt(given, path, "a tool: { name, description, parameters }");
  loseRest(tool, ["name", "description", "parameters"], path, losses);
  const { parameters, description } = tool;
  const at = jsonPointer(path, "parameters");
  const schema = parameters === undefined ? undefined : plainData(parameters, at, losses);
  return {
    name: writableText(textAt(tool.name, jsonPointer(path, "name")), jsonPointer(path, "name"), losses),
    ...(description !== undefined && {
      description: writableText(
        textAt(description, jsonPointer(path, "description")),
        jsonPointer(path, "description"),
        losses,
      ),
    }),
    ...(parameters !== undefined && { parameters: typeof schema === "boolean" ? schema : objectAt(schema, at) }),
  };
}

function nodeOf(given: unknown, path: string, losses: Losses): PmlMessage | PmlToolOutput {
  const message = objectAt(given, path, "a message: { role, content }");
  const text = (key: string) =>
    writableText(textAt(message[key], jsonPointer(path, key)), jsonPointer(path, key), losses);
  const content = text("content");
  const spoken: PmlPart[] = content === "" ? [] : [{ type: "text", text: content }];
  switch (message.role) {
    case "system":
      losses.rest(message, ["role", "content"], path);
      return { type: "system", parts: spoken };
    case "user":
      losses.rest(message, ["role", "content", "images"], path);
      return { type: "user", parts: [...imagesOf(message.images, jsonPointer(path, "images"), losses), ...spoken] };
    case "assistant": {
      const signed = signedThoughts(message.original, path, losses);
      losses.rest(message, ["role", "content", "toolCalls", "reasoning", ...(signed ? ["original"] : [])], path);
      const thought: PmlPart[] = message.reasoning ? [{ type: "thinking", text: text("reasoning") }] : [];
      const thinking = signed ?? thought;
      const at = jsonPointer(path, "toolCalls");
      const calls = message.toolCalls == null ? [] : listAt(message.toolCalls, at);
      return {
        type: "assistant",
        parts: [...thinking, ...spoken, ...calls.map((call, i) => callOf(call, jsonPointer(at, i), losses))],
      };
    }
    default: {
      if (message.role !== "tool") {
        const expected = '"system", "user", "assistant" or "tool"';
        throw new ProviderFormatError(jsonPointer(path, "role"), expected, message.role);
      }
      losses.rest(message, ["role", "content", "toolCallId", "name", "isError"], path);
      const isError = message.isError === true;
      return {
        ...{ type: "tool_output", call: text("toolCallId"), name: text("name") },
        ...(isError && { status: "error" }),
        text: content,
      };
    }
  }
}

/** The thoughts of Anthropic's blocks, which an answer keeps with their signatures. */
function signedThoughts(original: unknown, path: string, losses: Losses): PmlPart[] | undefined {
  if (!isObject(original) || original.format !== "anthropic" || !Array.isArray(original.parts)) return undefined;
  const at = jsonPointer(path, "original");
  return original.parts.flatMap((block: unknown, i): PmlPart[] => {
    const where = jsonPointer(at, "parts", i);
    if (!isObject(block)) return [];
    if (block.type === "redacted_thinking") losses.add(where, "redacted_thinking", "is omitted");
    if (block.type !== "thinking" || typeof block.thinking !== "string" || block.thinking === "") return [];
    const { signature } = texts(block, ["signature"], where, losses);
    const text = writableText(block.thinking, where, losses);
    return [{ type: "thinking", ...(signature !== undefined && { signature }), text }];
  });
}

function callOf(given: unknown, path: string, losses: Losses): PmlCall {
  const call = objectAt(given, path, "a call: { id, name, arguments }");
  losses.rest(call, ["id", "name", "arguments"], path);
  return madeCall(call.id, call.name, call.arguments, path, losses);
}

/** A call, whose arguments must be plain data. */
export function madeCall(id: unknown, name: unknown, args: unknown, path: string, losses: Losses): PmlCall {
  const at = jsonPointer(path, "arguments");
  return {
    type: "call",
    ...(id != null && { id: writableText(textAt(id, jsonPointer(path, "id")), jsonPointer(path, "id"), losses) }),
    name: writableText(textAt(name, jsonPointer(path, "name")), jsonPointer(path, "name"), losses),
    arguments: objectAt(plainData(args ?? {}, at, losses), at),
  };
}

/** Reads a message of a framework: one node, or several. */
type ReadMessage = (message: unknown, path: string, losses: Losses) => Node | Node[];

/**
 * Converts the messages of a framework to a document.
 *
 * Errors: `ProviderFormatError` for what is not a list, and those of `read`.
 *
 * @example documentOfMessages(messages, readMessage).value;
 */
export const documentOfMessages = (messages: readonly unknown[], read: ReadMessage): Converted<PmlDocument> =>
  converted((losses) => {
    const nodes = listAt(messages, "").flatMap((message, i) => read(message, jsonPointer("", i), losses));
    return documentOf(namedByCalls(nodes));
  });

type Node = PmlMessage | PmlToolOutput;

/** Removes the name of an output that is the name of its call. */
export function namedByCalls(nodes: readonly Node[]): Node[] {
  const names = new Map<string, string>();
  return nodes.map((node) => {
    if (node.type !== "tool_output") {
      for (const part of node.parts) if (part.type === "call" && part.id !== undefined) names.set(part.id, part.name);
      return node;
    }
    const { name, ...rest } = node;
    const called = node.call === undefined ? undefined : names.get(node.call);
    // An empty name, for an output without a known call, has no meaning.
    return name === (called ?? "") ? rest : node;
  });
}

const imagesOf = (images: unknown, path: string, losses: Losses): PmlAttachment[] =>
  images == null
    ? []
    : listAt(images, path).map((image, i) => {
        const given = objectAt(image, jsonPointer(path, i), "an image: { url }");
        loseRest(given, ["url", "detail"], jsonPointer(path, i), losses);
        const { url, detail } = given;
        const at = jsonPointer(path, i, "url");
        return {
          ...imageOf(writableText(textAt(url, at), at, losses)),
          ...(typeof detail === "string" && { attributes: { detail: writableText(detail, at, losses) } }),
        };
      });

/** An image, by its URL or its data URL. */
export function imageOf(url: string): PmlAttachment {
  const data = /^data:(image\/[\w.+-]+);base64,([A-Za-z0-9+/=]*)$/.exec(url);
  const [, mime, content] = data ?? [];
  return mime !== undefined && content !== undefined
    ? { type: "attachment", kind: "image", mime, encoding: "base64", content }
    : { type: "attachment", kind: "image", url };
}
