import { getProtocol } from "@toolingua/core";
import { OptionsError } from "./errors.js";
import type { ToolCallingOptions } from "./tool-calling-llm.js";

/**
 * Checks what `withToolCalling` is given where it is given: thrown in an agent's step, it would end the process.
 *
 * Errors: `OptionsError` (`bad-option`), `ProtocolError` (`unknown-protocol`).
 *
 * @example checkOptions({ maxToolRounds: 0 }); // throws OptionsError: `maxToolRounds` is 0; …
 */
export function checkOptions(options: ToolCallingOptions): void {
  if (options.protocol !== undefined) getProtocol(options.protocol);
  for (const [option, values] of Object.entries(CHOICES)) {
    const given = options[option as keyof typeof CHOICES];
    if (given === undefined || Object.hasOwn(values, given)) continue;
    throw wrong(option, given, `one of ${Object.keys(values).join(", ")}`);
  }
  const { maxToolRounds = 1, maxInvalidCallRetries = 0, maxRepeatedCalls = 0 } = options;
  const whole = (n: number) => Number.isInteger(n) || n === Number.POSITIVE_INFINITY;
  if (!whole(maxToolRounds) || maxToolRounds < 1) {
    throw wrong(
      "maxToolRounds",
      maxToolRounds,
      "a whole number from 1, or Infinity. For a model without tools, give none",
    );
  }
  if (!Number.isInteger(maxInvalidCallRetries) || maxInvalidCallRetries < 0) {
    throw wrong("maxInvalidCallRetries", maxInvalidCallRetries, "a whole number from 0");
  }
  const { grammar } = options;
  if (grammar !== undefined && (typeof grammar !== "object" || grammar === null)) {
    throw wrong("grammar", grammar, "an object, such as { maxItems: 10 }");
  }
  if (!whole(maxRepeatedCalls) || maxRepeatedCalls < 0) {
    throw wrong("maxRepeatedCalls", maxRepeatedCalls, "a whole number from 0, or Infinity");
  }
}

/** Objects, so that the compiler finds a value that is missing. */
const CHOICES: {
  [K in "style" | "onInvalidCall" | "constraint"]: Record<NonNullable<ToolCallingOptions[K]>, true>;
} = {
  style: { native: true, json: true, signature: true, compact: true },
  onInvalidCall: { retry: true, surface: true, throw: true },
  constraint: { off: true, auto: true, required: true, fallback: true },
};

const wrong = (option: string, given: unknown, right: string) =>
  new OptionsError("bad-option", `\`${option}\` is ${String(given)}; it is ${right}.`);
