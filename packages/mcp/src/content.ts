import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/sdk/types.js";

/**
 * What a model is shown of a result. Text stands as it is; of what is no text (images, sound, binary resources) it is said
 * what it is and how large. Structured content is left out where the text says it all, and is the result where there is
 * nothing else.
 *
 * @example
 * resultContent({ content: [{ type: "image", mimeType: "image/png", data: "…" }] }); // "[image: image/png, 4 KB, cannot be shown]"
 */
export function resultContent({ content, structuredContent }: CallToolResult): unknown {
  const text = content.map(blockText).join("\n");
  if (structuredContent === undefined) return text;
  if (content.length === 0 || (content.length === 1 && isJsonOf(text, structuredContent))) return structuredContent;
  return saysAll(content, text, structuredContent) ? text : `${text}\n${JSON.stringify(structuredContent)}`;
}

function blockText(block: ContentBlock): string {
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
  }
}

/** The text that base64 stands for, where its type says that it is text. */
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

function isJsonOf(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

/**
 * Whether each value of the structured content stands in the text, in its order, or in a block: then it would only be
 * said twice. One pass over the text.
 */
function saysAll(content: readonly ContentBlock[], text: string, structured: unknown): boolean {
  const inBlocks = new Set(content.flatMap(leaves));
  let from = 0;
  return leaves(structured).every((leaf) => {
    if (inBlocks.has(leaf)) return true;
    const at = text.indexOf(leaf, from);
    if (at < 0) return false;
    from = at + leaf.length;
    return true;
  });
}

/** The strings, numbers, booleans and nulls of a value, as text, in their order. */
function leaves(value: unknown): string[] {
  const found: string[] = [];
  // `JSON.stringify` visits them all, and throws a RangeError where they are nested too deeply.
  JSON.stringify(value, (_, item: unknown) => {
    if (typeof item !== "object" || item === null) found.push(String(item));
    return item;
  });
  return found;
}
