import { isMisspelling } from "@toolingua/core/adapters";
import { Failure } from "../failure.js";

/** A field of an object whose name is a misspelling of a known one, which it lacks, and what is wrong with it. */
export function misspeltField(body: object, known: readonly string[]): [name: string, problem: string] | undefined {
  for (const name of Object.keys(body)) {
    if (known.includes(name)) continue;
    const meant = known.find((one) => !(one in body) && isMisspelling(name, one));
    if (meant !== undefined) return [name, `there is no such field. Did you mean "${meant}"?`];
  }
  return undefined;
}

/**
 * Refuses a field whose name is a misspelling of one that the gateway reads: it would be ignored silently. Other unknown fields
 * are accepted.
 *
 * Errors: {@link Failure} `invalid`, with the field.
 *
 * @example refuseMisspelt({ temprature: 1 }, ["temperature"]); // throws: `temprature`: … Did you mean "temperature"?
 */
export function refuseMisspelt(body: object, known: readonly string[]): void {
  const [param, problem] = misspeltField(body, known) ?? [];
  if (param === undefined) return;
  throw new Failure("invalid", `\`${param}\`: ${problem}`, { param, code: "unknown_parameter" });
}

/** Unsupported fields, and what to do instead. */
export type Unsupported = Readonly<Record<string, string>>;

/** Refuses a field that cannot be served, unless it asks for nothing. Errors: {@link Failure} `invalid`, with the field. */
export function refuseUnsupported(body: Record<string, unknown>, fields: Unsupported): void {
  for (const [param, why] of Object.entries(fields))
    if (body[param]) throw notServed(param, `\`${param}\` is not supported: ${why}.`);
}

/** The failure of a request for something that cannot be served. */
export const notServed = (param: string, message: string): Failure =>
  new Failure("invalid", message, { param, code: "unsupported_parameter" });

/** Why log probabilities cannot be served. */
export const NO_LOGPROBS = "calls are read from the model's text";

/** The word of which a value is a misspelling. */
export const misspeltWord = (given: string, words: readonly string[]): string | undefined =>
  words.includes(given) ? undefined : words.find((word) => isMisspelling(given, word, 1));
