import { isDeepStrictEqual } from "node:util";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/sdk/types.js";

/**
 * The form of a result for the model. Text is unchanged. Other content (images, audio, binary resources) is described
 * by type and size. Structured content is omitted if the text contains it, and is the result if there is no other
 * content.
 *
 * @example
 * resultContent({ content: [{ type: "image", mimeType: "image/png", data: "…" }] }); // "[image: image/png, …, cannot be shown]"
 */
export function resultContent({ content, structuredContent }: CallToolResult): unknown {
  const text = content.map(blockText).join("\n");
  if (structuredContent === undefined) return text;
  if (content.length === 0 || (content.length === 1 && isJsonOf(text, structuredContent))) return structuredContent;
  return isAllOf(content, structuredContent) ? text : `${text}\n${JSON.stringify(structuredContent)}`;
}

/** The blocks that {@link blockText} can show: those of results, prompts and sampling requests. */
export type ShownBlock = ContentBlock | { type: "tool_use" | "tool_result" };

/**
 * The form of a result for a model with vision: blocks if there is content other than text; else the result of {@link
 * resultContent}. Images and audio are blocks of MCP, which are also LangChain's; other bytes are `{ type: "file",
 * data, mimeType }`.
 */
export function resultBlocks(result: CallToolResult): unknown {
  const isMedia = (block: ContentBlock) =>
    block.type === "image" || block.type === "audio" || fileBlock(block) !== undefined;
  if (!result.content.some(isMedia)) return resultContent(result);
  const { content, structuredContent } = result;
  const blocks: unknown[] = content.map((block) => {
    if (block.type === "image" || block.type === "audio") {
      return { type: block.type, data: block.data, mimeType: block.mimeType };
    }
    return fileBlock(block) ?? { type: "text", text: blockText(block) };
  });
  const isSaid = structuredContent === undefined || isAllOf(content, structuredContent);
  return isSaid ? blocks : [...blocks, { type: "text", text: JSON.stringify(structuredContent) }];
}

/** A binary resource, as an image if it is one. */
function fileBlock(block: ContentBlock): { type: string; data: string; mimeType: string } | undefined {
  if (block.type !== "resource" || !("blob" in block.resource)) return undefined;
  const { blob, mimeType = "application/octet-stream" } = block.resource;
  if (textOf(blob, mimeType) !== undefined) return undefined;
  const [kind = ""] = mimeType.split("/");
  return { type: ["image", "audio"].includes(kind) ? kind : "file", data: blob, mimeType };
}

/** A block as text: its text, or a description. */
export function blockText(block: ShownBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type}: ${block.mimeType}, ${size(block.data)}, cannot be shown]`;
    case "resource_link": {
      const about = [block.title ?? block.name, block.description, block.mimeType].filter(Boolean).join(", ");
      return `[resource ${block.uri}: ${about}]`;
    }
    case "resource": {
      const { resource } = block;
      const text = "text" in resource ? resource.text : textOf(resource.blob, resource.mimeType);
      if (text !== undefined) return `[resource ${resource.uri}]\n${text}`;
      const { blob } = resource as { blob: string };
      return `[resource ${resource.uri}: ${resource.mimeType ?? "binary"}, ${size(blob)}, cannot be shown]`;
    }
    default:
      return JSON.stringify(block);
  }
}

/** The decoded base64, if its type is one of text. */
function textOf(blob: string, mimeType = ""): string | undefined {
  if (!/^text\/|[/+](json|xml|yaml)$/i.test(mimeType.replace(/;.*/s, "").trim())) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(blob, "base64"));
  } catch {
    return undefined;
  }
}

function size(base64: string): string {
  const bytes = Buffer.byteLength(base64, "base64");
  return bytes < 1000
    ? `${bytes} bytes`
    : bytes < 1e6
      ? `${Math.round(bytes / 1000)} KB`
      : `${(bytes / 1e6).toFixed(1)} MB`;
}

/**
 * Whether the content is exactly the structured content: a block of its JSON, or, if it has only one value, that value.
 * Many servers wrap a value in an object only because the protocol requires one.
 */
function isAllOf(content: readonly ContentBlock[], structured: Record<string, unknown>): boolean {
  if (content.some((block) => isBlockOf(block, structured))) return true;
  const [value, ...more] = Object.values(structured);
  if (value === undefined || more.length > 0) return false;
  if (content.some((block) => isBlockOf(block, value))) return true;
  // A list may be given as one block per item.
  return (
    Array.isArray(value) && value.length === content.length && content.every((block, i) => isBlockOf(block, value[i]))
  );
}

const isBlockOf = (block: ContentBlock, value: unknown) =>
  isDeepStrictEqual(block, value) || (block.type === "text" && (block.text === value || isJsonOf(block.text, value)));

function isJsonOf(text: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}
