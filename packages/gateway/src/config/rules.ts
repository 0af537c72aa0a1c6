import { describeValue, didYouMean, sameOption } from "@toolingua/core/adapters";
import { z } from "zod";

// Schemas whose errors name the right value, and the probably intended one.

const list = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(", ");

/** An object with exactly these keys. {@link unknownKey} words the error for each other key. `example`: a right one. */
export const strict = <Shape extends z.ZodRawShape>(shape: Shape, example?: string) => {
  const names = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === "unrecognized_keys") allowedNames.set(issue.keys, names);
      if (issue.input === undefined)
        return example === undefined ? "is missing" : `is missing: give one such as ${example}`;
      return `must be an object with ${list(names)}${example === undefined ? "" : `, such as ${example}`}`;
    },
  });
};

/** The names that an object may have, by the list of its unknown keys: zod reports all of them at once, in one message. */
const allowedNames = new WeakMap<readonly string[], readonly string[]>();

/** What is wrong with one of the unknown keys that zod reports. */
export function unknownKey(key: string, { keys }: z.core.$ZodIssueUnrecognizedKeys): string {
  const names = allowedNames.get(keys) ?? [];
  const same = sameOption(key, names);
  const hint = same === undefined ? didYouMean(key, names) : `Did you mean "${same}"?`;
  return `There is no ${JSON.stringify(key)} here. ${hint}`;
}

/** One of these strings. */
export const oneOf = <const Values extends readonly [string, ...string[]]>(...values: Values) =>
  z.enum(values, {
    error: ({ input }) => {
      if (typeof input !== "string") return `must be one of ${list(values)}, not ${describeValue(input)}.`;
      return `cannot be ${JSON.stringify(input.slice(0, 80))}. ${didYouMean(input, values)}`;
    },
  });

/** A string that is not empty. */
export const text = (words: string) => z.string({ error: words }).min(1, { error: words });

/** An integer of at least `least`. */
export const whole = (least: number) => {
  const error = `must be a whole number from ${least}`;
  return z.int({ error }).min(least, { error });
};

/** A key that a header can carry. */
export const secret = (words: string) =>
  text(words).regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, {
    error: `${words}: printable ASCII characters, without space before or after them`,
  });

/** The longest time of a timer in seconds: timers count milliseconds in 31 bits. */
const LONGEST = 2_147_483;

/** A positive number of seconds. */
export const seconds = () => {
  const error = `must be a number of seconds above 0, at most ${LONGEST}`;
  return z.number({ error }).positive({ error }).max(LONGEST, { error });
};
