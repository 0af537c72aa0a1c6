import type { Content, StreamPart } from "../sdk.js";

/** The content of a whole answer, from the parts of its stream. */
export function collectContent(parts: readonly StreamPart[]): Content[] {
  const content: Content[] = [];
  let open: Map<string, Extract<Content, { type: "text" | "reasoning" }>> | undefined;
  for (const part of parts) {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const block = { type: part.type === "text-start" ? ("text" as const) : ("reasoning" as const), text: "" };
        open ??= new Map();
        open.set(part.id, block);
        content.push(block);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const block = open?.get(part.id);
        if (block) block.text += part.delta;
        break;
      }
      case "text-end":
      case "reasoning-end": {
        const { type: _, id, ...about } = part;
        Object.assign(open?.get(id) ?? {}, about);
        break;
      }
      case "tool-input-start":
      case "tool-input-delta":
      case "tool-input-end":
        break;
      default:
        // Also the types of version 4.
        content.push(part as Content);
    }
  }
  return content;
}
