import { jsonOf, MAX_JSON_LEVELS } from "../common/json-text.js";
import { isObject, ownValue } from "../common/plain-object.js";
import { ConversationError } from "../errors.js";
import type { ChatMessage } from "../types.js";

/** The fields of a message that must be text, by role. */
const TEXTS: Record<string, readonly string[]> = {
  system: ["content"],
  user: ["content"],
  assistant: ["content"],
  tool: ["content", "name", "toolCallId"],
};

/**
 * Checks the fields of messages that rendering needs, because messages often come from JSON.
 *
 * Errors: {@link ConversationError} (`bad-message`) with the message's index and the wrong field.
 */
export function checkMessages(messages: readonly ChatMessage[]): void {
  const given: unknown = messages;
  if (!Array.isArray(given)) throw new ConversationError("bad-message", "`messages` is not a list of messages.");
  for (const [i, message] of messages.entries()) {
    const fields: Record<string, unknown> = isObject(message) ? message : {};
    const texts = ownValue(TEXTS, String(fields.role));
    if (!texts) {
      const role = isObject(message) ? JSON.stringify(message.role) : String(message);
      refuse(i, `has the role ${role}; the roles are ${Object.keys(TEXTS).join(", ")}`);
    }
    for (const field of texts) {
      if (typeof fields[field] !== "string") refuse(i, `is of the ${message.role} and has no text as its ${field}`);
    }
    if (fields.images !== undefined) checkImages(message.role, fields.images, i);
    if (message.role !== "assistant") continue;
    const calls: unknown = message.toolCalls ?? [];
    if (!Array.isArray(calls)) return refuse(i, "has `toolCalls` that are not a list");
    for (const call of calls) {
      if (!isObject(call) || typeof call.name !== "string") refuse(i, "makes a call without a tool's name");
      if (!isObject(call.arguments)) refuse(i, `calls ${call.name} with arguments that are not an object`);
      const found = unwritable(call.arguments);
      if (!found) continue;
      const path = found.path.length > 100 ? `${found.path.slice(0, 100)}…` : found.path;
      refuse(i, `calls ${call.name} with arguments that cannot be JSON: arguments${path} ${found.what}`);
    }
  }
}

/** The path of a part that JSON lacks, and what it is; `undefined` if there is none. */
function unwritable(given: unknown, level = 1): { path: string; what: string } | undefined {
  const value = jsonOf(given);
  const type = typeof value;
  if (type === "bigint" || type === "symbol" || type === "function") return { path: "", what: `is a ${type}` };
  if (typeof value !== "object" || value === null) return undefined;
  if (level > MAX_JSON_LEVELS)
    return { path: "", what: `is more than ${MAX_JSON_LEVELS} levels deep, or contains itself` };
  if (value instanceof Map || value instanceof Set)
    return { path: "", what: `is a ${value instanceof Map ? "Map" : "Set"}` };
  for (const key of Object.keys(value)) {
    const part: unknown = (value as Record<string, unknown>)[key];
    const found = typeof part === "string" ? undefined : unwritable(part, level + 1);
    if (found) return { ...found, path: (Array.isArray(value) ? `[${key}]` : `.${key}`) + found.path };
  }
  return undefined;
}

function checkImages(role: string, images: unknown, i: number): void {
  if (role !== "user") refuse(i, `is of the ${role} and has \`images\`, which only a user's message can have`);
  const isList = Array.isArray(images) && images.every((image) => isObject(image) && typeof image.url === "string");
  if (!isList) refuse(i, "has `images` that are not a list of { url }");
}

function refuse(index: number, what: string): never {
  throw new ConversationError("bad-message", `messages[${index}] ${what}.`);
}
