import { type Constraint, OptionsError } from "@toolingua/core";
import { describeValue, isObject } from "@toolingua/core/adapters";

/**
 * The grammar of a constraint, for the engine, which applies it from the first token of the reply on: of a grammar that
 * starts at a trigger, `whole`.
 *
 * Errors: `OptionsError` (`bad-option`) for another value, which would leave the reply unconstrained; for triggers without
 * `whole`, whose grammar would force a call.
 *
 * @example grammarOf({ type: "gbnf", grammar: calls, triggers, whole: textOrCalls }); // textOrCalls
 */
export function grammarOf(constraint: Constraint | undefined): string | undefined {
  if (constraint === undefined || constraint === null) return undefined;
  const given: unknown = constraint;
  if (!isObject(given) || typeof given.grammar !== "string") {
    const has = isObject(given) ? `an object with ${Object.keys(given).join(", ") || "nothing"}` : describeValue(given);
    throw new OptionsError("bad-option", `\`constraint\` is { type: "gbnf", grammar: a string }, not ${has}.`);
  }
  const { grammar, triggers, whole } = constraint;
  if (!triggers) return grammar;
  if (whole !== undefined) return whole;
  throw new OptionsError(
    "bad-option",
    "The engine does not start a grammar late. Give the constraint `whole`, the grammar of a whole reply, or no `triggers`.",
  );
}
