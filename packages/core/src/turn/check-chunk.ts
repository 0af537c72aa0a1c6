import { describeValue } from "../common/describe-value.js";
import { isObject } from "../common/plain-object.js";
import { OptionsError } from "../errors.js";
import type { TextModelChunk } from "../types.js";

const FIELDS = ["reasoning", "usage", "finish", "content"];

/**
 * Checks a chunk that is an object: unknown fields would be lost.
 *
 * Errors: {@link OptionsError} (`bad-option`).
 */
export function checkChunk(chunk: Exclude<TextModelChunk, string>): void {
  const right = "A chunk of a model is a string, or an object with `reasoning`, `usage`, `finish` or `content`";
  if (!isObject(chunk)) throw new OptionsError("bad-option", `${right}, not ${describeValue(chunk)}.`);
  for (const name in chunk) {
    if (FIELDS.includes(name)) continue;
    throw new OptionsError("bad-option", `There is no "${name}" in a chunk of a model. ${right}.`);
  }
}
