import { describeValue } from "../common/describe-value.js";
import { isObject } from "../common/plain-object.js";
import { OptionsError } from "../errors.js";
import type { TextModelChunk } from "../types.js";
import type { AnyIterable } from "./abortable.js";

/**
 * Checks that a model returned a stream. Returning the whole reply, or a promise of it, is an easy mistake.
 *
 * Errors: {@link OptionsError} (`bad-option`).
 */
export function streamOf(returned: AnyIterable<TextModelChunk>): AnyIterable<TextModelChunk> {
  const given: unknown = returned;
  const isStream = Symbol.asyncIterator in Object(given) || Symbol.iterator in Object(given);
  if (isStream && typeof given !== "string") return returned;
  throw new OptionsError(
    "bad-option",
    `\`model\` is a function that returns a stream of text (\`async function* () { yield "…"; }\`), not ${describeValue(given)}.`,
  );
}

const FIELDS = ["reasoning", "usage", "finish"];

/**
 * Checks a chunk that is an object: unknown fields would be lost.
 *
 * Errors: {@link OptionsError} (`bad-option`).
 */
export function checkChunk(chunk: Exclude<TextModelChunk, string>): void {
  const right = "A chunk of a model is a string, or an object with `reasoning`, `usage` or `finish`";
  if (!isObject(chunk)) throw new OptionsError("bad-option", `${right}, not ${describeValue(chunk)}.`);
  for (const name in chunk) {
    if (FIELDS.includes(name)) continue;
    throw new OptionsError("bad-option", `There is no "${name}" in a chunk of a model. ${right}.`);
  }
}
