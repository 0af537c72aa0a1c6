import { isObject } from "../common/plain-object.js";
import { keptJson } from "../notation/json/kept-json.js";

/**
 * The arguments of an earlier call as a framework has stored them: an object, its JSON, or nothing. What is no object, such as
 * the text of a broken call of another model, is the argument `input`. An integer that JavaScript cannot represent is
 * the string of its digits. For adapters.
 *
 * @example storedArguments('{"a": 1}'); // { a: 1 }
 */
export function storedArguments(input: unknown): Record<string, unknown> {
  if (isObject(input)) return input;
  if (input === undefined || input === null) return {};
  if (typeof input !== "string") return { input };
  if (input.trim() === "") return {};
  const args = keptJson(input);
  return isObject(args) ? args : { input };
}
