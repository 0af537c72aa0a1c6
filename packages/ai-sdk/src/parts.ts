import type { Content, GenerateResult, StreamPart } from "./sdk.js";

/** Content that a stream has in pieces. */
export type Block = "text" | "reasoning";
/** A piece of it, its beginning or its end. */
export type BlockPart = Extract<StreamPart, { type: `${Block}-${string}` }>;

export const blockOf = ({ type }: BlockPart): Block => (type.startsWith("text") ? "text" : "reasoning");

/** The content of a whole answer, from the parts of its stream. */
export function collectContent(parts: readonly StreamPart[]): Content[] {
  const content: Content[] = [];
  let open: Map<string, Extract<Content, { type: "text" | "reasoning" }>> | undefined;
  for (const part of parts) {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const block = { type: blockOf(part), text: "" };
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

/** The parts of the stream that a whole answer would be. */
export function* partsOf({ content, finishReason, usage, warnings }: GenerateResult): Generator<StreamPart, undefined> {
  yield { type: "stream-start", warnings };
  for (const part of content) {
    if (part.type === "text" || part.type === "reasoning") {
      const { type, text, ...about } = part;
      yield { type: `${type}-start`, id: "" };
      yield { type: `${type}-delta`, id: "", delta: text };
      yield { type: `${type}-end`, id: "", ...about };
    } else yield part;
  }
  yield { type: "finish", finishReason, usage };
}

// `ping`: version 4 has it.
const WITHOUT_CONTENT = new Set<string>(["stream-start", "response-metadata", "raw", "error", "ping"]);

/** Whether a part of a stream is content of the reply, and not only about it. */
export const hasContent = ({ type }: StreamPart): boolean => !WITHOUT_CONTENT.has(type);
