import { ToolinguaError } from "../errors.js";
import { nearestNames } from "../nearest-name.js";
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
  prefill: { takes: (value: unknown) => typeof value === "boolean", words: "true or false" },
  toolSelection: {
    takes: (value: unknown) => typeof value === "boolean" || isObject(value),
    words: "true, or an object such as { from: 20 }",
  },
  generateId: { takes: (value: unknown) => typeof value === "function", words: "a function" },
  onTrace: { takes: (value: unknown) => typeof value === "function", words: "a function" },
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
  // Every turn does this: no lists are made for it.
  for (const name in rules) {
    const value = (options as Record<string, unknown>)[name];
    if (value === undefined) continue;
    const { takes, words } = rules[name]!;
    if (takes(value)) continue;
    const shown = typeof value === "string" ? JSON.stringify(value) : String(value);
    throw new OptionsError("bad-option", `\`${prefix}${name}\` is ${words}, not ${shown}.`);
  }
}

/**
 * Checks that there is no option by another name: one that is misspelt would be left out without a word.
 *
 * Errors: {@link OptionsError}.
 *
 * @example checkOptionNames(adapterRules, { protcol: "hermes" }); // throws: There is no "protcol" in the options. …
 */
export function checkOptionNames(
  rules: Readonly<Record<string, OptionRule>>,
  options: object,
  where = "the options",
): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(rules, name));
  if (unknown === undefined) return;
  const { meant } = nearestNames(unknown, Object.keys(rules));
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  throw new OptionsError(
    "bad-option",
    `There is no "${unknown}" in ${where}.${hint} There are ${Object.keys(rules).join(", ")}.`,
  );
}
