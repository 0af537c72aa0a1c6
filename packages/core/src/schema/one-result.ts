import { isObject } from "../common/plain-object.js";
import { ToolDefinitionError } from "./errors.js";

/** Whether a value is a generator or a stream. A part of one would be no result, and as text it is only its class. */
export const isSequence = (value: unknown): value is object =>
  isObject(value) &&
  (Symbol.asyncIterator in value || Symbol.iterator in value) &&
  ["next", "getReader", "pipe"].some((name) => name in value);

/** Frees what a generator or a stream keeps open. Rejects for one that cannot be closed. */
export async function closeSequence(value: unknown): Promise<void> {
  if (!isSequence(value)) return;
  const close = ["return", "cancel", "destroy"].find((name) => typeof Reflect.get(value, name) === "function");
  if (close !== undefined) await Reflect.get(value, close).call(value);
}

/** The error for a tool whose result is many. */
export const manyResults = (tool: string) =>
  new ToolDefinitionError(
    "many-results",
    tool,
    `The tool ${JSON.stringify(tool)} returned a generator or a stream. Its \`execute\` must return one value.`,
  );
