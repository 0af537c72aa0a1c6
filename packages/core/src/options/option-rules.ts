import { describeValue } from "../common/describe-value.js";
import { nearestNames } from "../common/nearest-name.js";
import { isObject } from "../common/plain-object.js";
import { OptionsError } from "../errors.js";

/** A check of an option's value, and the words for valid values. */
export interface OptionRule {
  takes(value: unknown): boolean;
  words: string;
  /** What a wrong value is, where its kind alone would not say it. */
  describe?(value: unknown): string;
  /** The valid values, if they are words: a misspelt one is recognised. */
  values?: readonly string[];
}

/** A rule for each option of `T`; the compiler reports missing rules. */
export type OptionRules<T> = { [K in keyof Required<T>]: OptionRule };

/** A whole number within a range, both ends included. */
export const wholeWithin = (least: number, most: number): OptionRule => ({
  takes: (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  words: `a whole number from ${least} to ${most}`,
});

/** The longest time of a timer, in milliseconds (24 days): a longer one fires at once. */
export const MAX_TIMER = 2 ** 31 - 1;
export const aTimer = wholeWithin(1, MAX_TIMER);
/** A limit that need not be a timer's. */
export const aDuration: OptionRule = {
  takes: (value) => typeof value === "number" && value > 0,
  words: "a number of milliseconds above 0, or Infinity",
};

/** A value that is checked where it is used, with an error of its own. */
export const checkedElsewhere: OptionRule = { takes: () => true, words: "" };

/** Whether a value is a list of such items; a hole (`[1, , 3]`) is an item too, `undefined`, which `every` skips. */
export const listWith =
  (takes: (item: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && Array.from(value).every((one) => takes(one));

/** One of these strings. */
export const oneOf = (...values: string[]): OptionRule => ({
  values,
  takes: (value) => values.includes(value as string),
  words: values
    .map((value) => `"${value}"`)
    .join(", ")
    .replace(/, ([^,]*)$/, " or $1"),
});

/** A whole number from `least`, with `orInfinity` also `Infinity`. */
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
  takes: listWith((one) => typeof one === "string"),
  words: "a list of strings",
  describe: (value) =>
    Array.isArray(value)
      ? `a list with ${describeValue(value.find((one) => typeof one !== "string"))}`
      : describeValue(value),
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

/**
 * Checks the values of options before they are used; ignores unknown names. `prefix`: the object that
 * contains them, for messages.
 *
 * Errors: {@link OptionsError}; what a rule throws.
 *
 * @example
 * checkOptionValues({ style: oneOf("native", "json") }, { style: "pretty" }); // throws: `style` is "native" or "json", not "pretty".
 */
export function checkOptionValues(rules: Readonly<Record<string, OptionRule>>, options: object, prefix = ""): void {
  // Every reply and turn runs this check, so it allocates no lists, and looks for no option that a plain object lacks.
  const isPlain = Object.getPrototypeOf(options) === Object.prototype;
  for (const name in isPlain ? options : rules) {
    const value = (options as Record<string, unknown>)[name];
    if (value === undefined || !Object.hasOwn(rules, name)) continue;
    const { takes, words, describe = describeValue, values = [] } = rules[name]!;
    if (takes(value)) continue;
    const isText = typeof value === "string";
    const meant = isText ? nearestNames(value, values).meant : undefined;
    const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
    throw new OptionsError("bad-option", `\`${prefix}${name}\` is ${words}, not ${describe(value)}.${hint}`);
  }
}
