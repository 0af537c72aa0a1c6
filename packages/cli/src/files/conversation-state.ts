import { isObject } from "@toolingua/core/adapters";
import { type ConversationState, LOG_VERSION } from "@toolingua/core/conversation";
import { CliError } from "../terminal/errors.js";

/**
 * The state of a conversation in JSON data, as `ToolConversation`'s `toJSON` gives it; `undefined` for other data. Only
 * the outer shape is checked: `ToolConversation` checks each record.
 *
 * Errors: `CliError` (`bad-input`) for the state of a newer version.
 *
 * @param source what the data is from, for the error
 * @example conversationStateIn({ version: 1, log: [] }, "chat.json");
 */
export function conversationStateIn(data: unknown, source: string): ConversationState | undefined {
  if (!isState(data)) return undefined;
  if (data.version <= LOG_VERSION) return data;
  const message = `${source} was written by a newer toolingua (version ${data.version} of chats; this one reads up to ${LOG_VERSION}).`;
  throw new CliError("bad-input", message);
}

const isState = (data: unknown): data is ConversationState =>
  isObject(data) && Number.isInteger(data.version) && Number(data.version) >= 1 && Array.isArray(data.log);
