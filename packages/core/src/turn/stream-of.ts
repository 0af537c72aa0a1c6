import type { TextModelChunk } from "../types.js";
import { OptionsError } from "./option-rules.js";

/**
 * What a model returned, if it can be read. A model that returns a promise of its whole reply is an easy mistake.
 *
 * Errors: {@link OptionsError} (`bad-option`).
 */
export function streamOf(returned: AsyncIterable<TextModelChunk>): AsyncIterable<TextModelChunk> {
  const given: unknown = returned;
  if (Symbol.asyncIterator in Object(given) || Symbol.iterator in Object(given)) return returned;
  const what = given instanceof Promise ? "a promise" : typeof given === "object" ? "an object" : String(given);
  throw new OptionsError(
    "bad-option",
    `\`model\` is a function that returns a stream of text (\`async function* () { yield "…"; }\`), not ${what}.`,
  );
}
