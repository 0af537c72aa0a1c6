import type { ConversationEvent } from "@toolingua/core/conversation";
import { codeOf, shownMessage } from "../terminal/errors.js";

/**
 * An event of a conversation as JSON. Errors become `{ code, message }`.
 *
 * @example jsonEvent({ type: "text", text: "Hi" }); // the same
 */
export const jsonEvent = (event: ConversationEvent): object => {
  if (event.type === "turn-end") return { ...event, turn: withPlainError(event.turn) };
  return event.type === "end" ? { ...event, result: withPlainError(event.result) } : event;
};

function withPlainError<T extends { error?: unknown }>(given: T): T {
  const { error } = given;
  if (error === undefined) return given;
  return { ...given, error: { code: codeOf(error) ?? "unknown", message: shownMessage(error) } };
}
