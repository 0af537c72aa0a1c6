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
  textAt,
} from "@toolingua/core/adapters";
import { type Converted, ProviderFormatError } from "@toolingua/core/providers";
import { base64In } from "../base64.js";
import { checkAttachment } from "../schema/check-tree.js";
import type { PmlAttachment } from "../tree.js";
import { loseRest, wordOf } from "./values.js";
import { writableText } from "./writable-text.js";

/** Further fields for an attachment of a resource: its title, and its server. */
export interface FromMcpOptions {
  name?: string | undefined;
}

const mcpRules: OptionRules<FromMcpOptions> = { name: aString };

/**
 * Converts the contents of a resource, as `resources/read` of the Model Context Protocol returns them, to attachments:
 * text as text, the rest in base64. Images have the kind `image`.
 *
 * Errors: `ProviderFormatError` for data that is not such a result; `OptionsError`.
 *
 * @example
 * fromMcpResource(await client.readResource({ uri: "file:///notes.md" })).value; // [{ type: "attachment", kind: "file", url: "file:///notes.md", … }]
 */
export function fromMcpResource(result: unknown, options: FromMcpOptions = {}): Converted<PmlAttachment[]> {
  checkOptions(mcpRules, options, "the options of fromMcpResource");
  const { name } = options;
  return converted((losses) => {
    const given = objectAt(result, "", "a result of resources/read: { contents }");
    loseRest(given, ["contents"], "", losses);
    const { contents } = given;
    return listAt(contents, "/contents").map((one, i) => {
      const made = resource(one, jsonPointer("/contents", i), losses);
      return name === undefined ? made : { ...made, name: writableText(name, "", losses) };
    });
  });
}

/**
 * Converts the content of an MCP tool result or prompt message to one text, and attachments for images, audio,
 * resources and resource links.
 *
 * Errors: `ProviderFormatError` for data that is not a list of content blocks.
 *
 * @example
 * const { text, attachments } = fromMcpContent((await client.callTool({ name, arguments: args })).content).value;
 * const output = { type: "tool_output", call: id, text, attachments };
 */
export function fromMcpContent(content: unknown): Converted<{ text: string; attachments: PmlAttachment[] }> {
  return converted((losses) => {
    const texts: string[] = [];
    const attachments: PmlAttachment[] = [];
    listAt(content, "", "a list of content blocks").forEach((one, i) => {
      const path = jsonPointer("", i);
      const block = objectAt(one, path, "a content block: { type }");
      if (block.type === "text") {
        loseRest(block, ["type", "text"], path, losses);
        texts.push(writableText(textAt(block.text, jsonPointer(path, "text")), path, losses));
      } else attachments.push(...attachmentOf(block, path, losses));
    });
    if (texts.length > 1) losses.add("", "text", `${texts.length} texts were joined`);
    return { text: texts.join("\n"), attachments };
  });
}

function attachmentOf(block: Record<string, unknown>, path: string, losses: Losses): PmlAttachment[] {
  switch (block.type) {
    case "image":
    case "audio": {
      loseRest(block, ["type", "data", "mimeType"], path, losses);
      const content = base64At(block.data, jsonPointer(path, "data"));
      const mime = textAt(block.mimeType, jsonPointer(path, "mimeType"));
      return [
        {
          type: "attachment",
          kind: block.type,
          mime: writableText(mime, path, losses),
          encoding: "base64",
          content: writableText(content, path, losses),
        },
      ];
    }
    case "resource":
      loseRest(block, ["type", "resource"], path, losses);
      return [resource(block.resource, jsonPointer(path, "resource"), losses)];
    case "resource_link":
      losses.rest(block, ["type", "uri", "name", "title", "mimeType", "description"], path);
      return [link(block, path, losses)];
    default:
      losses.add(path, wordOf(block.type), "is not a content block that is known here");
      return [];
  }
}

/** Data in base64. Errors: `ProviderFormatError`. */
function base64At(value: unknown, path: string): string {
  const text = textAt(value, path);
  if (text !== "" && base64In(text) === undefined) throw new ProviderFormatError(path, "base64", text.slice(0, 40));
  return text;
}

/** A resource with its content. */
function resource(given: unknown, path: string, losses: Losses): PmlAttachment {
  const one = objectAt(given, path, "a resource: { uri, text or blob }");
  const { text, blob } = one;
  losses.rest(one, ["uri", "name", "title", "mimeType", "description", "text", "blob"], path);
  if (typeof text === "string" && blob != null) {
    losses.add(jsonPointer(path, "blob"), "blob", "an attachment has one content: the text is kept");
  }
  if (typeof text !== "string" && typeof blob !== "string") textAt(text, jsonPointer(path, "text"));
  const encoded =
    typeof blob === "string"
      ? ({ encoding: "base64", content: base64At(blob, jsonPointer(path, "blob")) } as const)
      : {};
  const plain = typeof text === "string" ? { content: writableText(text, path, losses) } : {};
  return { ...link(one, path, losses), ...(typeof text === "string" ? plain : encoded) };
}

/** The kind of a resource of this type. */
const kindOf = (mime: string | undefined): string => (mime?.startsWith("image/") ? "image" : "file");

/** A resource link: only its address. */
function link(one: Record<string, unknown>, path: string, losses: Losses): PmlAttachment {
  const { uri, name, title, mimeType, description } = one;
  const [called, second] = [title, name].filter((value) => typeof value === "string");
  if (second !== undefined && second !== called) {
    losses.add(jsonPointer(path, "name"), "name", "an attachment has one name: the title is kept");
  }
  const url = writableText(textAt(uri, jsonPointer(path, "uri")), path, losses);
  const kind = kindOf(typeof mimeType === "string" ? mimeType : undefined);
  return {
    ...{ type: "attachment", kind: kind === "file" && one.type === "resource_link" ? "ref" : kind },
    ...(typeof called === "string" && { name: writableText(called, path, losses) }),
    ...(typeof description === "string" && { alt: writableText(description, path, losses) }),
    url,
    ...(typeof mimeType === "string" && { mime: writableText(mimeType, path, losses) }),
  };
}

/**
 * Converts an attachment to an embedded resource of MCP. An attachment without a URL gets one made of its path or name.
 *
 * Errors: `PmlTreeError` `bad-tree` for data that is not an attachment.
 *
 * @example toMcpResource(attachment).value; // { type: "resource", resource: { uri: "file:///src/a.ts", text: "…" } }
 */
export function toMcpResource(attachment: PmlAttachment): Converted<{
  type: "resource";
  resource: { uri: string; mimeType?: string } & ({ text: string } | { blob: string });
}> {
  checkAttachment(attachment);
  return converted((losses) => {
    const { url, path, name, kind, mime, encoding, content = "" } = attachment;
    const uri =
      url ??
      (path === undefined
        ? `pml:${encodeURIComponent(writableText(name ?? kind, "/name", losses))}`
        : fileAddress(writableText(path, "/path", losses)));
    const kept = [
      "type",
      "kind",
      "url",
      "mime",
      "encoding",
      "content",
      ...(url === undefined ? [path === undefined ? "name" : "path"] : []),
    ];
    if (kind !== kindOf(mime)) losses.add("/kind", "kind", `is read as ${JSON.stringify(kindOf(mime))}`);
    for (const [key, value] of Object.entries(attachment)) {
      if (!kept.includes(key) && value !== undefined && !(isObject(value) && Object.keys(value).length === 0)) {
        losses.add(jsonPointer("", key), key, "has no counterpart in a resource");
      }
    }
    const source = path !== undefined ? "path" : name !== undefined ? "name" : "kind";
    if (url === undefined) losses.add(`/${source}`, source, "is written as a URL, and is read as one");
    if (attachment.content === undefined) losses.add("", "content", "a resource has one: an empty text is written");
    const inline = encoding === "base64" ? { blob: content } : { text: content };
    return { type: "resource", resource: { uri, ...(mime !== undefined && { mimeType: mime }), ...inline } };
  });
}

const fileAddress = (path: string): string =>
  `file://${encodeURI(path.replace(/^(?!\/)/, "/")).replace(/[#?]/g, encodeURIComponent)}`;
