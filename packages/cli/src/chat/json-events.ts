import type { ConversationEvent } from "@toolingua/core/conversation";
import { shownMessage } from "../terminal/errors.js";

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
  const code = error instanceof Error && "code" in error ? error.code : "unknown";
  return { ...given, error: { code, message: shownMessage(error) } };
}
