import { getProtocol, type ProtocolName } from "@toolingua/core";
import { ModelError } from "./errors.js";
import type { ToolSelectionSettings } from "./hybrid-selection.js";
import type { ToolCallingOptions } from "./options.js";

/** What an option may be, and the words for it. */
interface Rule {
  takes(value: unknown): boolean;
  words: string;
}
type Rules<T> = { [K in keyof Required<T>]: Rule };

const oneOf = <T extends string>(...values: T[]): Rule => ({
  takes: (value) => values.includes(value as T),
  words: values
    .map((value) => `"${value}"`)
    .join(", ")
    .replace(/, ([^,]*)$/, " or $1"),
});
const wholeFrom = (least: number): Rule => ({
  takes: (value) => Number.isInteger(value) && (value as number) >= least,
  words: `a whole number from ${least}`,
});
const isCountOrInfinity = (value: unknown) =>
  value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && (value as number) >= 0);
const isObject = (value: unknown) => typeof value === "object" && value !== null;
const aFunction: Rule = { takes: (value) => typeof value === "function", words: "a function" };

const selection: Rules<ToolSelectionSettings> = {
  from: wholeFrom(0),
  limit: wholeFrom(1),
  by: oneOf("auto", "text"),
};

const rules: Rules<ToolCallingOptions> = {
  protocol: { takes: (value) => getProtocol(value as ProtocolName) !== undefined, words: "a protocol" },
  native: oneOf("auto", "never"),
  style: oneOf("native", "json", "signature", "compact"),
  onInvalidCall: oneOf("retry", "surface", "throw"),
  maxInvalidCallRetries: wholeFrom(0),
  maxRepeatedCalls: { takes: isCountOrInfinity, words: "a whole number from 0, or Infinity" },
  constraint: oneOf("off", "auto", "required", "fallback"),
  backend: oneOf("gbnf", "llama.cpp", "ollama", "openai", "vllm", "sglang"),
  grammar: { takes: isObject, words: "an object, such as { maxItems: 10 }" },
  prefill: { takes: (value) => typeof value === "boolean", words: "true or false" },
  toolSelection: {
    takes: (value) => typeof value === "boolean" || isObject(value),
    words: "true or { from, limit, by }",
  },
  generateId: aFunction,
};

/**
 * Checks the values of options before anything is made of them; names it does not know are not looked at.
 *
 * Errors: `ModelError` `bad-option`; `ProtocolError` `unknown-protocol`.
 */
export function checkValues(options: ToolCallingOptions): void {
  check(rules, options);
  if (isObject(options.toolSelection)) {
    checkNames(selection, options.toolSelection as object, "toolSelection");
    check(selection, options.toolSelection as object, "toolSelection.");
  }
}

/** Checks that there is no option by another name. Errors: `ModelError` `bad-option`. */
export function checkOptionNames(options: ToolCallingOptions): void {
  checkNames(rules, options, "the options");
}

function check(table: Record<string, Rule>, options: object, prefix = ""): void {
  for (const [name, { takes, words }] of Object.entries(table)) {
    const value = (options as Record<string, unknown>)[name];
    if (value === undefined || takes(value)) continue;
    const shown = typeof value === "string" ? JSON.stringify(value) : String(value);
    throw new ModelError("bad-option", `\`${prefix}${name}\` is ${words}, not ${shown}.`);
  }
}

function checkNames(table: Record<string, Rule>, options: object, where: string): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(table, name));
  if (unknown === undefined) return;
  const known = Object.keys(table).join(", ");
  throw new ModelError("bad-option", `There is no "${unknown}" in ${where}. There are ${known}.`);
}
