import { describeValue } from "../common/describe-value.js";
import { isObject } from "../common/plain-object.js";
import { OptionsError } from "../errors.js";
import type { FinishReason, TextModelChunk } from "../types.js";

const FIELDS = ["reasoning", "usage", "finish", "content"];

const FINISHES: readonly unknown[] = ["stop", "length", "content-filter"] satisfies FinishReason[];

/**
 * Checks a chunk that is an object: unknown fields would be lost, and an unknown finish reason would count as cut off in one
 * place and as an end in another.
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
  const { finish, reasoning } = chunk;
  if (finish != null && !FINISHES.includes(finish)) {
    const read = "`readFinishReason` reads it from a provider's fields, such as { finish_reason }";
    const message = `\`finish\` of a chunk is "stop", "length" or "content-filter", not ${describeValue(finish)}; ${read}.`;
    throw new OptionsError("bad-option", message);
  }
  if (reasoning != null && typeof reasoning !== "string")
    throw new OptionsError("bad-option", `\`reasoning\` of a chunk is a string, not ${describeValue(reasoning)}.`);
}
