import { isObject, ownValue } from "../../common/plain-object.js";
import type { ChatMessage, ToolCall } from "../../types.js";
import { Losses } from "./losses.js";
import type { Names } from "./names.js";

export type AssistantMessage = Extract<ChatMessage, { role: "assistant" }>;

/** A format's functions to read the parts of an answer again. */
interface Reading {
  format: string;
  /** Whether the API accepts the part unchanged. */
  isOwn(part: unknown): boolean;
  /** Reads the parts as a message. */
  read(parts: readonly unknown[]): Pick<AssistantMessage, "content" | "toolCalls">;
}

/**
 * The original parts of an answer, if they are of this format and the message is unchanged: its text, and its calls
 * under the provider's names.
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

/** The check whether a part has all fields of its type, by `type`, so that an API accepts the part unchanged. */
export const hasFields =
  (ofType: Readonly<Record<string, readonly string[]>>) =>
  (part: unknown): boolean =>
    isObject(part) && (ownValue(ofType, String(part.type))?.every((field) => part[field] != null) ?? false);
