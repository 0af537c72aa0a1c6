import type { ToolDefinition } from "@toolingua/core";
import type {
  Marks,
  PmlAttachment,
  PmlCall,
  PmlConversation,
  PmlDocument,
  PmlMemoryItem,
  PmlMessage,
  PmlPart,
  PmlToolOutput,
  PmlTools,
  PmlTurn,
} from "../tree.js";
import { ATTRIBUTE_NAME } from "../vocabulary.js";
import { isXmlText } from "./xml-text.js";

/** An element to write. `text`: `raw` text is long, and most readable unescaped. */
export interface OutElement {
  name: string;
  attributes: [name: string, value: string][];
  content: OutElement[] | string;
  raw?: true;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

function element(name: string, attributes: Attributes, content: OutElement[] | string = []): OutElement {
  const given = Object.entries(attributes).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, String(value)]],
  );
  return { name, attributes: given, content };
}

/** The document as elements. Deterministic. */
export const documentElement = ({ version, memory, tools, conversation }: PmlDocument): OutElement =>
  element("pml", { version }, [
    ...(memory ? [memoryElement(memory)] : []),
    ...(tools ? [toolsElement(tools)] : []),
    ...(conversation ? [conversationElement(conversation)] : []),
  ]);

/** `<memory>` alone. */
export const memoryElement = (memory: readonly PmlMemoryItem[]): OutElement =>
  element(
    "memory",
    {},
    memory.map((item) => element(item.type, marks(item), item.text)),
  );

function toolsElement({ choice, list }: PmlTools): OutElement {
  const named = typeof choice === "object" ? { only: choice.name } : { choice };
  return element("tools", named, list.map(toolElement));
}

const toolElement = ({ name, description, parameters }: ToolDefinition): OutElement =>
  element("tool", { name, description }, parameters === undefined ? "" : json(parameters));

const conversationElement = ({ id, topic, omitted, turns }: PmlConversation): OutElement =>
  element("conversation", { id, topic, omitted }, turns.map(turnElement));

const turnElement = ({ index, id, keep, messages }: PmlTurn): OutElement =>
  element("turn", { index, id, keep }, messages.map(nodeElement));

/** A message or a part of one. */
export function nodeElement(node: PmlMessage | PmlPart): OutElement {
  switch (node.type) {
    case "text":
      return element("text", {}, node.text);
    case "thinking":
      return element("thinking", { signature: node.signature }, node.text);
    case "attachment":
      return attachmentElement(node);
    case "call":
      return callElement(node);
    case "tool_output":
      return toolOutputElement(node);
    case "edit":
      return { ...element("edit", { file: node.file, ...marks(node) }, node.text), raw: true };
    default:
      return element(node.type, { role: node.role, name: node.name, ...marks(node) }, node.parts.map(nodeElement));
  }
}

function attachmentElement(node: PmlAttachment): OutElement {
  const { kind, name, path, url, mime, encoding, omitted, attributes, content } = node;
  const known = { type: kind, name, path, ...marks(node), url, mime, encoding };
  const inside: OutElement[] = content === undefined ? [] : [{ ...element("content", {}, content), raw: true }];
  return element("attachment", { ...known, omitted: omitted && "true", ...attributes }, inside);
}

/**
 * String arguments before the first one that no attribute can express become attributes; the others are inside, in
 * order.
 */
function callElement({ id, name, arguments: args }: PmlCall): OutElement {
  const attributes: [string, string][] = [];
  const inside: OutElement[] = [];
  let others: Record<string, unknown> = {};
  const flush = () => {
    if (Object.keys(others).length > 0) inside.push(element("arguments", {}, json(others)));
    others = {};
  };
  for (const [key, value] of Object.entries(args)) {
    const isText = typeof value === "string" && isXmlText(value);
    const isPlain = isText && !/[\t\n\r]/.test(value) && ATTRIBUTE_NAME.test(key) && key !== "id" && key !== "name";
    if (isPlain && inside.length === 0 && Object.keys(others).length === 0) attributes.push([key, value]);
    else if (isText && value.includes("\n") && isXmlText(key)) {
      flush();
      inside.push({ ...element("argument", { name: key }, value), raw: true });
    } else Object.defineProperty(others, key, { value, enumerable: true, configurable: true, writable: true });
  }
  flush();
  const call = element("call", { id, name }, inside);
  return { ...call, attributes: [...call.attributes, ...attributes] };
}

function toolOutputElement(node: PmlToolOutput): OutElement {
  const { call, name, status, text, attachments = [] } = node;
  const inside = [...(text === "" ? [] : [element("text", {}, text)]), ...attachments.map(attachmentElement)];
  return element("tool_output", { call, name, status, ...marks(node) }, attachments.length > 0 ? inside : text);
}

const marks = ({ id, keep, alt }: Marks): Attributes => ({ id, keep, alt });

/** JSON escapes control characters and lone surrogates; XML disallows two more. */
const json = (value: unknown): string =>
  JSON.stringify(value).replace(/[\ufffe\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`);
