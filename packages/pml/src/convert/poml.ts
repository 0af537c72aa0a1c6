import type { ChatMessage, ToolDefinition } from "@toolingua/core";
import { converted, isObject, jsonPointer, type Losses } from "@toolingua/core/adapters";
import type { Converted } from "@toolingua/core/providers";
import { PmlTreeError } from "../errors.js";
import { ElementReader, isSpace, type RawElement } from "../read/elements.js";
import { limitsOf, type PmlLimits } from "../read/limits.js";
import type { PmlDocument, PmlMessage, PmlPart, PmlToolOutput, PmlTools } from "../tree.js";
import { escapedAttribute, escapedText, xmlCharacters } from "../write/xml-text.js";
import { documentOf } from "./document-of.js";
import { conversationIn, namedByCalls, type ToMessagesOptions } from "./messages.js";

// The message subset of Microsoft's POML (https://microsoft.github.io/poml): no templates, no components for prompts.

/**
 * Converts a document to POML: `<system-msg>`, `<user-msg>`, `<ai-msg>`, `<ToolRequest>`, `<ToolResponse>`,
 * `<tool-definition>`.
 *
 * Errors: `PmlTreeError` `bad-tree`.
 *
 * @example toPoml(document).value; // <poml>\n<user-msg>Hi</user-msg>\n</poml>\n
 */
export function toPoml(document: PmlDocument, options: ToMessagesOptions = {}): Converted<string> {
  return converted((losses) => {
    const { conversation, origins } = conversationIn(document, losses, options);
    if (document.tools?.choice !== undefined) losses.add("/tools/choice", "choice", "has no counterpart in POML");
    if (document.tools?.list.length === 0) losses.add("/tools", "tools", "are none, and omitted");
    const lines = ["<poml>"];
    conversation.tools?.forEach((tool, i) => {
      lines.push(toolDefinition(tool, jsonPointer("/tools/list", i), losses));
    });
    conversation.messages.forEach((message, i) => {
      lines.push(...messageElements(message, origins[i] ?? "", losses));
    });
    return `${[...lines, "</poml>"].join("\n")}\n`;
  });
}

function toolDefinition({ name, description, parameters }: ToolDefinition, at: string, losses: Losses): string {
  if (!isObject(parameters)) losses.add(jsonPointer(at, "parameters"), "parameters", "is an object in POML");
  const schema = JSON.stringify(isObject(parameters) ? parameters : {});
  loseTemplates([name, description, schema], at, losses);
  return element("tool-definition", { name, description, parser: "json" }, schema);
}

function messageElements(message: ChatMessage, at: string, losses: Losses): string[] {
  const { content } = message;
  loseTemplates([content], at, losses);
  if (content !== content.trim()) losses.add(at, "space", "POML does not keep space around a text");
  switch (message.role) {
    case "system":
      return [element("system-msg", {}, content)];
    case "user":
      for (const _ of message.images ?? []) losses.add(at, "images", "are omitted");
      return [element("user-msg", {}, content)];
    case "assistant":
      return assistantElements(message, at, losses);
    case "tool":
      loseTemplates([message.toolCallId, message.name], at, losses);
      if (message.isError) losses.add(at, "status", "has no counterpart in POML");
      return [element("ToolResponse", { id: message.toolCallId, name: message.name }, content)];
  }
}

function assistantElements(
  { content, reasoning, toolCalls: calls = [] }: Extract<ChatMessage, { role: "assistant" }>,
  at: string,
  losses: Losses,
): string[] {
  if (reasoning) losses.add(at, "thinking", "has no counterpart in POML");
  if (content !== "" && calls.length > 0) losses.add(at, "parts", "calls are messages of their own in POML");
  if (calls.length > 1) losses.add(at, "parts", "each call is a message of its own in POML");
  const requests = calls.map(({ id, name, arguments: args }) => {
    loseTemplates([id, name], at, losses);
    return element("ToolRequest", { id, name, parameters: `{{${JSON.stringify(args)}}}` }, undefined);
  });
  return content !== "" || calls.length === 0 ? [element("ai-msg", {}, content), ...requests] : requests;
}

function loseTemplates(texts: readonly (string | undefined)[], path: string, losses: Losses): void {
  if (texts.some((text) => text?.includes("{{"))) losses.add(path, "template", "{{ begins a template in POML");
}

function element(name: string, attributes: Record<string, string | undefined>, text: string | undefined): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapedAttribute(xmlCharacters(value))}"`],
  );
  const open = `<${name}${written.join("")}`;
  return text === undefined ? `${open}/>` : `${open}>${escapedText(xmlCharacters(text))}</${name}>`;
}

/**
 * Reads the messages, calls, results and tools of a POML document. Other content (templates, components, styles) is
 * reported as lost; text inside components is kept.
 *
 * Errors: `PmlSyntaxError` for text that is not XML, or exceeds the limits; `PmlTreeError` `bad-format` for XML that is not
 * POML; `OptionsError` for limits.
 *
 * @example fromPoml("<poml><system-msg>Be brief.</system-msg><human-msg>Hi</human-msg></poml>").value;
 */
export function fromPoml(poml: string, limits: PmlLimits = {}): Converted<PmlDocument> {
  const [root, ...others] = elementsOf(poml, limits);
  if (root?.name !== "poml") {
    throw new PmlTreeError("bad-format", "", "expected the POML of messages, which begins with <poml>.");
  }
  return converted((losses) => {
    const tools: PmlTools = { list: [] };
    const nodes: (PmlMessage | PmlToolOutput)[] = [];
    loseAttributes(root, [], "/poml", losses);
    readInside(root, "/poml", losses, tools, nodes);
    others.forEach(({ name }, i) => {
      losses.add(jsonPointer("", i + 1), `<${name}>`, "comes after the document, which is one <poml>");
    });
    return documentOf(namedByCalls(nodes), { tools: tools.list.length > 0 ? tools : undefined });
  });
}

function elementsOf(xml: string, limits: PmlLimits): RawElement[] {
  const roots: RawElement[] = [];
  let depth = 0;
  const reader = new ElementReader(
    limitsOf(limits),
    {
      opened: () => {
        depth++;
      },
      closed: (one) => {
        if (--depth === 0) roots.push(one);
        return depth === 0;
      },
    },
    "any",
  );
  reader.push(xml);
  reader.end();
  return roots;
}

/** Messages, by each of POML's names. */
const MESSAGES: Readonly<Record<string, PmlMessage["type"]>> = {
  ...{ "system-msg": "system", SystemMessage: "system" },
  ...{ "user-msg": "user", "human-msg": "user", HumanMessage: "user", UserMessage: "user" },
  ...{ "ai-msg": "assistant", AiMessage: "assistant" },
};

function readInside(
  { content }: RawElement,
  path: string,
  losses: Losses,
  tools: PmlTools,
  nodes: (PmlMessage | PmlToolOutput)[],
): void {
  content.forEach((child, i) => {
    const at = jsonPointer(path, i);
    if (typeof child === "string") {
      if (!isSpace(child)) losses.add(at, "text", "is in no message");
      return;
    }
    const { name } = child;
    const type = Object.hasOwn(MESSAGES, name) ? MESSAGES[name] : undefined;
    if (type) {
      loseAttributes(child, [], at, losses);
      const text = textIn(child, at, losses);
      nodes.push({ type, parts: text === "" ? [] : [{ type: "text", text }] });
    } else if (/^tool-?request$/i.test(name)) nodes.push({ type: "assistant", parts: [callIn(child, at, losses)] });
    else if (/^tool-?response$/i.test(name)) nodes.push(outputIn(child, at, losses));
    else if (/^tool(?:-definition)?$/.test(name)) tools.list.push(definitionIn(child, at, losses));
    else if (name === "conversation" || name === "poml") {
      loseAttributes(child, [], at, losses);
      readInside(child, at, losses, tools, nodes);
    } else losses.add(at, `<${name}>`, "has no counterpart here");
  });
}

function callIn(request: RawElement, at: string, losses: Losses): PmlPart {
  loseAttributes(request, ["id", "name", "parameters"], at, losses);
  const { attributes } = request;
  const id = attributes.get("id");
  return {
    type: "call",
    ...(id !== undefined && { id }),
    name: attributes.get("name") ?? "",
    arguments: parametersOf(attributes.get("parameters") ?? "{{{}}}", at, losses),
  };
}

function outputIn(response: RawElement, at: string, losses: Losses): PmlToolOutput {
  loseAttributes(response, ["id", "name"], at, losses);
  const [call, name] = [response.attributes.get("id"), response.attributes.get("name")];
  const ids = { ...(call !== undefined && { call }), ...(name !== undefined && { name }) };
  return { type: "tool_output", ...ids, text: textIn(response, at, losses) };
}

function definitionIn(tool: RawElement, at: string, losses: Losses): ToolDefinition {
  loseAttributes(tool, ["name", "description", "parser"], at, losses);
  const parameters = parametersOf(textIn(tool, at, losses), at, losses);
  const description = tool.attributes.get("description");
  return { name: tool.attributes.get("name") ?? "", ...(description !== undefined && { description }), parameters };
}

/** Reports attributes that are not converted, such as `for` and `if`, and templates in those that are. */
function loseAttributes({ attributes }: RawElement, converted: readonly string[], path: string, losses: Losses): void {
  for (const [name, value] of attributes) {
    if (!converted.includes(name)) losses.add(path, name, "has no counterpart here");
    else if (name !== "parameters" && value.includes("{{")) losses.add(path, "template", "is not filled in");
  }
}

/** Parses JSON, plain or as the only content of a template. */
function parametersOf(text: string, path: string, losses: Losses): Record<string, unknown> {
  const inner = /^\s*\{\{([\s\S]*)\}\}\s*$/.exec(text)?.[1];
  for (const json of [text, inner]) {
    if (json === undefined) continue;
    try {
      const value: unknown = JSON.parse(json);
      if (isObject(value)) return value;
    } catch {
      // Tries the other form.
    }
  }
  losses.add(path, "parameters", "are not a JSON object");
  return {};
}

/** The text of an element and of the components in it. */
function textIn({ name, content }: RawElement, path: string, losses: Losses): string {
  const isCode = /^tool/i.test(name);
  const text = content
    .map((part, i) => {
      if (typeof part === "string") {
        if (part.includes("{{") && !isCode) losses.add(path, "template", "is not filled in");
        return part;
      }
      losses.add(jsonPointer(path, i), `<${part.name}>`, "only its text stays");
      return textIn(part, jsonPointer(path, i), losses);
    })
    .join("");
  return text.trim();
}
