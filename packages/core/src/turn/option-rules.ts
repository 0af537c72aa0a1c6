import { ToolinguaError } from "../errors.js";
import { isObject } from "../plain-object.js";
import { getProtocol, type ProtocolName } from "../protocols/index.js";

/**
 * An option that there is not, or that has a value it cannot have (`bad-option`).
 *
 * @example
 * try { withToolCalling(model, { maxToolRounds: 0 }); }
 * catch (error) { if (error instanceof OptionsError) console.error(error.message); }
 */
export class OptionsError extends ToolinguaError {}

/** What an option may be, and the words for it. */
export interface OptionRule {
  takes(value: unknown): boolean;
  words: string;
}

/** A rule for each option of `T`; the compiler finds one that is missing. */
export type OptionRules<T> = { [K in keyof Required<T>]: OptionRule };

/** One of these words. */
export const oneOf = (...values: string[]): OptionRule => ({
  takes: (value) => values.includes(value as string),
  words: values
    .map((value) => `"${value}"`)
    .join(", ")
    .replace(/, ([^,]*)$/, " or $1"),
});

/** A whole number, with `orInfinity` also no limit. */
export const wholeFrom = (least: number, orInfinity = false): OptionRule => ({
  takes: (value) =>
    (Number.isInteger(value) && (value as number) >= least) || (orInfinity && value === Number.POSITIVE_INFINITY),
  words: `a whole number from ${least}${orInfinity ? ", or Infinity" : ""}`,
});

const typed = (type: string, words: string): OptionRule => ({ takes: (value) => typeof value === type, words });
export const aFunction = typed("function", "a function");
export const aString = typed("string", "a string");
export const aBoolean = typed("boolean", "true or false");
export const anObject: OptionRule = { takes: isObject, words: "an object" };
export const strings: OptionRule = {
  takes: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
  words: "a list of strings",
};

/** An object with these methods. */
export const withMethods = (words: string, ...names: string[]): OptionRule => ({
  takes: (value) =>
    typeof value === "object" &&
    value !== null &&
    names.every((name) => typeof (value as Record<string, unknown>)[name] === "function"),
  words,
});
export const aSignal = withMethods("an AbortSignal", "addEventListener", "removeEventListener");

/** The options that every adapter has for a wrapped model. `protocol` throws `ProtocolError` (`unknown-protocol`). */
export const adapterRules = {
  protocol: { takes: (value: unknown) => getProtocol(value as ProtocolName) !== undefined, words: "a protocol" },
  style: oneOf("native", "json", "signature", "compact"),
  onInvalidCall: oneOf("retry", "surface", "throw"),
  maxInvalidCallRetries: wholeFrom(0),
  maxRepeatedCalls: wholeFrom(0, true),
  copiedCalls: oneOf("text", "call"),
  constraint: oneOf("off", "auto", "required", "fallback"),
  grammar: { takes: isObject, words: "an object, such as { maxItems: 10 }" },
  prefill: aBoolean,
  transcript: typed("function", "a function that writes the transcript, such as pmlTranscript()"),
  toolSelection: {
    takes: (value: unknown) => typeof value === "boolean" || isObject(value),
    words: "true, or an object such as { from: 20 }",
  },
  generateId: aFunction,
  onTrace: aFunction,
} satisfies Record<string, OptionRule>;

/**
 * Checks the values of options before anything is made of them; names it does not know are not looked at. `prefix`: what
 * they are options of.
 *
 * Errors: {@link OptionsError}; what a rule throws.
 *
 * @example checkOptionValues(adapterRules, { style: "pretty" }); // throws: `style` is "native", "json", …, not "pretty".
 */
export function checkOptionValues(rules: Readonly<Record<string, OptionRule>>, options: object, prefix = ""): void {
  // Every turn runs this check, so it allocates no lists.
  for (const name in rules) {
    const value = (options as Record<string, unknown>)[name];
    if (value === undefined) continue;
    const { takes, words } = rules[name]!;
    if (takes(value)) continue;
    const shown = typeof value === "string" ? JSON.stringify(value) : String(value);
    throw new OptionsError("bad-option", `\`${prefix}${name}\` is ${words}, not ${shown}.`);
  }
}
