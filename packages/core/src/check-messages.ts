import { clip } from "./common/clip.js";
import { describeValue } from "./common/describe-value.js";
import { lackedByJson } from "./common/json-text.js";
import { isMisspelling } from "./common/nearest-name.js";
import { isObject, ownValue } from "./common/plain-object.js";
import { ConversationError } from "./errors.js";
import type { ChatMessage } from "./types.js";

/** The fields of a message that must be text, by role. */
const TEXTS: Record<string, readonly string[]> = {
  system: ["content"],
  user: ["content"],
  assistant: ["content"],
  tool: ["content", "toolCallId", "name"],
};

/**
 * The messages, checked, because they often come from JSON: the fields that rendering needs are of the right kind. The content
 * of an assistant's message may be missing or null, as other APIs write it beside calls: it is empty then. `asJson`: whether
 * arguments that JSON lacks are refused. The name of a result may be empty: documents and APIs need not say it.
 *
 * Errors: {@link ConversationError} (`bad-message`) with the message's index and the wrong field.
 *
 * @example checkedMessages([{ role: "assistant", content: null, toolCalls: [] }])[0].content; // ""
 */
export function checkedMessages(messages: readonly ChatMessage[], asJson = true): readonly ChatMessage[] {
  const given: unknown = messages;
  if (!Array.isArray(given)) throw new ConversationError("bad-message", "`messages` is not a list of messages.");
  // A list with holes is no list of messages either: `entries` finds them.
  for (const [i, message] of messages.entries()) checkMessage(message, i, asJson);
  return messages.some(lacksContent)
    ? messages.map((message) => (lacksContent(message) ? { ...message, content: "" } : message))
    : messages;
}

const lacksContent = ({ role, content }: ChatMessage) => role === "assistant" && (content ?? undefined) === undefined;

function checkMessage(message: ChatMessage, i: number, asJson: boolean): void {
  const fields: Record<string, unknown> = isObject(message) ? message : {};
  const texts = typeof fields.role === "string" ? ownValue(TEXTS, fields.role) : undefined;
  if (!texts) {
    const role = isObject(message) ? describeValue(message.role) : String(message);
    refuse(i, `has the role ${role}; the roles are ${Object.keys(TEXTS).join(", ")}`);
  }
  for (const field of texts) {
    if (fields[field] === undefined) refuseMisspelt(fields, field, i);
    if (typeof fields[field] !== "string" && !lacksContent(message))
      refuse(i, `must be a string, not ${orParts(fields[field])}`, `.${field}`);
  }
  if (fields.images !== undefined) checkImages(message.role, fields.images, i);
  if (message.role !== "assistant") return;
  if (fields.toolCalls === undefined) refuseLostCalls(fields, i);
  if (typeof (fields.reasoning ?? "") !== "string") refuse(i, "has `reasoning` that is no text");
  const calls: unknown = message.toolCalls ?? [];
  if (!Array.isArray(calls)) return refuse(i, "has `toolCalls` that are not a list");
  for (const call of calls) {
    if (!isObject(call) || typeof call.name !== "string" || call.name === "")
      refuse(i, "makes a call without a tool's name");
    if (!isObject(call.arguments)) refuse(i, `calls ${call.name} with arguments that are not an object`);
    if (typeof (call.id ?? "") !== "string") refuse(i, `calls ${call.name} with an \`id\` that is no text`);
    const found = asJson ? lackedByJson(call.arguments) : undefined;
    if (!found) continue;
    const path = clip(found.path, 100);
    refuse(i, `calls ${call.name} with arguments that cannot be JSON: arguments${path} ${found.what}`);
  }
}

const orParts = (content: unknown) =>
  Array.isArray(content)
    ? "a list of parts: `openai.fromRequest` of @toolingua/core/providers reads those of OpenAI"
    : describeValue(content);

/** Refuses a text under a name that must mean this field, which is missing. */
function refuseMisspelt(fields: Record<string, unknown>, field: string, i: number): void {
  for (const name of Object.keys(fields))
    if (name !== field && typeof fields[name] === "string" && isMisspelling(name, field))
      refuse(i, misspelt(name, field));
}

const misspelt = (name: string, right: string) => `has \`${clip(name, 100)}\`. Did you mean \`${right}\`?`;

/** Calls under another name would vanish from the history, and with them the reason for the results that follow. */
function refuseLostCalls(fields: Record<string, unknown>, i: number): void {
  for (const name of Object.keys(fields)) {
    if ((fields[name] ?? undefined) === undefined) continue;
    if (name === "tool_calls" || name === "function_call") {
      const right = "`openai.fromRequest` of @toolingua/core/providers reads them as `toolCalls`";
      refuse(i, `has \`${name}\` of OpenAI: ${right}`);
    }
    if (isMisspelling(name, "toolCalls")) refuse(i, misspelt(name, "toolCalls"));
  }
}

function checkImages(role: string, images: unknown, i: number): void {
  if (role !== "user") refuse(i, `is of the ${role} and has \`images\`, which only a user's message can have`);
  const isList = Array.isArray(images) && images.every((image) => isObject(image) && typeof image.url === "string");
  if (!isList) refuse(i, "has `images` that are not a list of { url }");
}

function refuse(index: number, what: string, field = ""): never {
  const end = what.endsWith("?") ? "" : ".";
  throw new ConversationError("bad-message", `messages[${index}]${field} ${what}${end}`);
}
