import { isMisspelling } from "@toolingua/core/adapters";
import { Failure } from "../failure.js";

const noSuchField = (meant: string) => `there is no such field. Did you mean "${meant}"?`;

/** The failure for a field whose name is a misspelling, at its place in the request. */
export const misspelt = (param: string, meant: string): Failure =>
  new Failure("invalid", `\`${param}\`: ${noSuchField(meant)}`, { param, code: "unknown_parameter" });

/** A field of an object whose name is a misspelling of a known one, which it lacks, and what is wrong with it. */
export function misspeltField(body: object, known: readonly string[]): [name: string, problem: string] | undefined {
  for (const name of Object.keys(body)) {
    if (known.includes(name)) continue;
    const meant = known.find((one) => !(one in body) && isMisspelling(name, one));
    if (meant !== undefined) return [name, noSuchField(meant)];
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

/** The word of which a value is a misspelling. */
export const misspeltWord = (given: string, words: readonly string[]): string | undefined =>
  words.includes(given) ? undefined : words.find((word) => isMisspelling(given, word, 1));
