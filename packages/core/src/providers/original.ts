import type { ChatMessage, ToolCall } from "../types.js";
import { Losses } from "./losses.js";
import type { Names } from "./names.js";

export type AssistantMessage = Extract<ChatMessage, { role: "assistant" }>;

/** How a format reads the parts of an answer again. */
interface Reading {
  format: string;
  /** Whether the API takes the part back as it is. */
  isOwn(part: unknown): boolean;
  /** The message that the parts say. */
  read(parts: readonly unknown[]): Pick<AssistantMessage, "content" | "toolCalls">;
}

/**
 * The parts that an answer was read from, where this format wrote them and the message still says the same: its text, and
 * its calls under the names that the provider knows.
 *
 * @example unchangedParts(message, { format: "gemini", isOwn, read }, names) ?? writeParts(message);
 */
export function unchangedParts(
  { original, content, toolCalls = [] }: AssistantMessage,
  { format, isOwn, read }: Reading,
  names: Names,
): readonly unknown[] | undefined {
  if (original?.format !== format || !original.parts.every(isOwn)) return undefined;
  const said = read(original.parts);
  const written = (calls: readonly ToolCall[]) =>
    JSON.stringify(calls.map(({ id, name, arguments: args }) => [id, names.write(name, "", new Losses()), args]));
  const isSame = said.content === content && written(said.toolCalls ?? []) === written(toolCalls);
  return isSame ? original.parts : undefined;
}
