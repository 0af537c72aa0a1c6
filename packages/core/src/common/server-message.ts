import { isObject } from "./plain-object.js";

/**
 * The message in a server's JSON for an error, in the shapes of OpenAI (`error.message`), Ollama (`error`) and FastAPI
 * (`detail`, also a list: then the places and the messages of its entries, without their `input`, which can be the whole
 * request). `undefined` if there is none. The server wrote it: it may be long and contain anything, also a rejected key.
 *
 * Errors: none.
 *
 * @example serverMessage({ error: { message: "model not found" } }); // "model not found"
 */
export function serverMessage(payload: unknown): string | undefined {
  if (typeof payload === "string") return payload;
  if (!isObject(payload)) return undefined;
  const { error, message, detail } = payload;
  if (Array.isArray(detail)) return detail.flatMap(entryMessage).join("; ") || undefined;
  return serverMessage(error) ?? serverMessage(message) ?? serverMessage(detail);
}

/** The message of one entry of FastAPI's list: `body.messages.0: Field required`. */
function entryMessage(entry: unknown): string | [] {
  if (typeof entry === "string") return entry;
  const { loc, msg } = Object(entry) as { loc?: unknown; msg?: unknown };
  if (typeof msg !== "string" || msg === "") return [];
  return Array.isArray(loc) && loc.length > 0 ? `${loc.filter(isStep).join(".")}: ${msg}` : msg;
}

const isStep = (step: unknown) => typeof step === "string" || typeof step === "number";
