import { OptionsError } from "../errors.js";

/**
 * Checks a number that a function of the application returned. `name`: the option; `given`: what the function received.
 *
 * Errors: {@link OptionsError} for anything but a finite number from 0. NaN would never reach a limit.
 *
 * @example givenNumber(cost.of(usage), "budget.cost.of", () => JSON.stringify(usage));
 */
export function givenNumber(value: unknown, name: string, given: () => string): number {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  const isPromise = typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
  const found = typeof value === "number" ? String(value) : isPromise ? "a promise" : JSON.stringify(value);
  throw new OptionsError(
    "bad-option",
    `\`${name}\` returned ${found} for ${given()}; it must be a finite number from 0.`,
  );
}
