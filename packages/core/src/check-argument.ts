import { describeValue } from "./common/describe-value.js";
import { isObject } from "./common/plain-object.js";
import { OptionsError } from "./errors.js";

const kinds = {
  string: { words: "a string", takes: (value: unknown) => typeof value === "string" },
  object: { words: "an object", takes: isObject },
  function: { words: "a function", takes: (value: unknown) => typeof value === "function" },
  list: { words: "a list", takes: Array.isArray },
};

/**
 * Checks an argument of a public function, which JavaScript may leave out or mistake. `words`: the right value, where the kind
 * does not say enough.
 *
 * Errors: `OptionsError` (`bad-option`).
 *
 * @example checkArgument("text", "string", undefined); // throws: `text` is a string, not undefined.
 */
export function checkArgument(name: string, kind: keyof typeof kinds, value: unknown, words = kinds[kind].words): void {
  if (kinds[kind].takes(value)) return;
  throw new OptionsError("bad-option", `\`${name}\` is ${words}, not ${describeValue(value)}.`);
}
