import { describeValue } from "../common/describe-value.js";
import { OptionsError } from "../errors.js";

/**
 * Checks that a function returned a stream. Returning the whole reply, or a promise of it, is an easy mistake. `name`: the
 * option that the function is.
 *
 * Errors: {@link OptionsError} (`bad-option`).
 *
 * @example for await (const chunk of streamOf(model(request), "model")) console.log(chunk);
 */
export function streamOf<T extends AsyncIterable<unknown> | Iterable<unknown>>(returned: T, name: string): T {
  const given: unknown = returned;
  const isStream = Symbol.asyncIterator in Object(given) || Symbol.iterator in Object(given);
  if (isStream && typeof given !== "string") return returned;
  // A promise that rejects would end the process.
  if (given instanceof Promise) given.catch(() => {});
  throw new OptionsError(
    "bad-option",
    `\`${name}\` is a function that returns a stream of text (\`async function* () { yield "…"; }\`), not ${describeValue(given)}.`,
  );
}
