import { describeValue } from "../common/describe-value.js";
import { didYouMean } from "../common/nearest-name.js";
import { isObject } from "../common/plain-object.js";
import { ConversationError } from "../errors.js";
import { checkMisspelt } from "../options/option-names.js";
import { aBoolean, aString, type OptionRules } from "../options/option-rules.js";
import type { ToolResult } from "../types.js";
import { DecisionError } from "./errors.js";
import type { Decision } from "./records.js";

/**
 * Checks that a message is a string with text: models refuse an empty message, and other words in its place would not be
 * the user's. Errors: {@link ConversationError} (`bad-message`).
 */
export function checkContent(content: unknown): void {
  if (typeof content !== "string")
    throw new ConversationError("bad-message", `A message must be a string, not ${describeValue(content)}.`);
  if (content.trim() === "") {
    const right = "Send text, or call run() without a message to continue.";
    throw new ConversationError("bad-message", `A message must have text, not ${describeValue(content)}. ${right}`);
  }
}

const resultRules: OptionRules<ToolResult> = {
  toolCallId: aString,
  name: aString,
  content: aString,
  isError: aBoolean,
};

/**
 * Checks the results of calls. Errors: {@link ConversationError} (`bad-message`); `OptionsError` for a misspelt name.
 */
export function checkResults(results: readonly ToolResult[]): void {
  const given: unknown = results;
  const refuse = (what: string): never => {
    throw new ConversationError("bad-message", what);
  };
  if (!Array.isArray(given)) return refuse("The results must be a list of { toolCallId, content }.");
  for (const [i, result] of given.entries()) {
    if (!isObject(result))
      return refuse(`results[${i}] must be { toolCallId, content }, not ${describeValue(result)}.`);
    checkMisspelt(resultRules, result, `results[${i}]`);
    const { toolCallId, content, isError } = result;
    if (typeof toolCallId !== "string")
      refuse(`results[${i}].toolCallId must be a string, the id of the call, not ${describeValue(toolCallId)}.`);
    if (typeof content !== "string") refuse(`results[${i}].content must be a string, not ${describeValue(content)}.`);
    if (isError !== undefined && typeof isError !== "boolean")
      refuse(`results[${i}].isError must be true or false, not ${describeValue(isError)}.`);
  }
}

/** The fields of each decision besides its type. */
const fields: { [T in Decision["type"]]: Record<string, { is(value: unknown): boolean; words: string }> } = {
  approve: {},
  reject: { message: { is: (value) => value === undefined || typeof value === "string", words: "a string" } },
  edit: { arguments: { is: isObject, words: "an object" } },
  respond: { content: { is: (value) => typeof value === "string", words: "a string" } },
};

/** Checks a decision. Errors: {@link DecisionError} (`bad-decision`). */
export function checkDecision(callId: string, decision: Decision): void {
  const refuse = (message: string): never => {
    throw new DecisionError("bad-decision", callId, message);
  };
  const given: unknown = decision;
  const types = Object.keys(fields);
  if (!isObject(given))
    return refuse(`A decision must be an object such as { type: "approve" }, not ${describeValue(given)}.`);
  const { type, ...rest } = given;
  if (typeof type !== "string" || !Object.hasOwn(fields, type)) {
    return refuse(`The type of a decision is not ${describeValue(type)}. ${didYouMean(String(type), types)}`);
  }
  const known = fields[type as Decision["type"]];
  const unknown = Object.keys(rest).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, Object.keys(known));
    refuse(`There is no "${unknown}" in a decision of the type "${type}". ${hint}`);
  }
  for (const [name, { is, words }] of Object.entries(known)) {
    if (!is(rest[name]))
      refuse(`The \`${name}\` of a decision "${type}" must be ${words}, not ${describeValue(rest[name])}.`);
  }
}

/** The error that `check` throws, if it throws. */
export function failureOf(check: () => void): { error: unknown } | undefined {
  try {
    check();
  } catch (error) {
    return { error };
  }
  return undefined;
}
