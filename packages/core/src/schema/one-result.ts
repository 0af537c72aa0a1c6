import { isObject } from "../common/plain-object.js";
import { whyUnreadable } from "../common/result-text.js";
import { ToolDefinitionError } from "./errors.js";

/** Whether a value is a generator or a stream. A part of one would be no result, and as text it is only its class. */
const isSequence = (value: unknown): value is object =>
  isObject(value) &&
  (Symbol.asyncIterator in value || Symbol.iterator in value) &&
  ["next", "getReader", "pipe"].some((name) => name in value);

/** Frees what a generator, a stream or the body of a response keeps open. Rejects for one that cannot be closed. */
export async function closeResult(given: unknown): Promise<void> {
  const value = given instanceof Response ? given.body : given;
  if (!isSequence(value)) return;
  const close = ["return", "cancel", "destroy"].find((name) => typeof Reflect.get(value, name) === "function");
  if (close !== undefined) await Reflect.get(value, close).call(value);
}

/**
 * The error for what a tool returned that is no result: `many-results` for a generator or a stream, `unreadable-result` for an
 * object without data, such as a `Response`, and for bytes that are no text. Undefined for a result.
 *
 * @example wrongResult("read_page", await fetch(url))?.code; // "unreadable-result"
 */
export function wrongResult(tool: string, value: unknown): ToolDefinitionError | undefined {
  const returned = (what: string) => `The tool ${JSON.stringify(tool)} returned ${what}. Its \`execute\` must return`;
  if (isSequence(value))
    return new ToolDefinitionError("many-results", tool, `${returned("a generator or a stream")} one value.`);
  const why = whyUnreadable(value);
  if (why === undefined) return undefined;
  const right = value instanceof Response ? "such as `await response.text()`" : "such as a string or a plain object";
  return new ToolDefinitionError("unreadable-result", tool, `${returned(why)} text or data, ${right}.`);
}
