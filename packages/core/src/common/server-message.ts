import { isObject } from "./plain-object.js";

/**
 * The message in a server's JSON for an error, in the shapes of OpenAI (`error.message`), Ollama (`error`) and FastAPI
 * (`detail`, also a list). `undefined` if there is none. The server wrote it: it may contain anything, also a rejected key.
 *
 * Errors: none.
 *
 * @example serverMessage({ error: { message: "model not found" } }); // "model not found"
 */
export function serverMessage(payload: unknown): string | undefined {
  if (typeof payload === "string") return payload;
  if (!isObject(payload)) return undefined;
  const { error, message, detail } = payload;
  if (Array.isArray(detail)) return JSON.stringify(detail);
  return serverMessage(error) ?? serverMessage(message) ?? serverMessage(detail);
}
