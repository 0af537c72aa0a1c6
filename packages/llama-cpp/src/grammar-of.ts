import { OptionsError } from "@toolingua/core";
import { describeValue, isObject } from "@toolingua/core/adapters";

/**
 * The grammar of a constraint, for the engine, which applies it from the first token of the reply on: of a grammar that
 * starts at a trigger, `whole`. A constraint from options of another library may be any value.
 *
 * Errors: `OptionsError` (`bad-option`) for another value, which would leave the reply unconstrained; for triggers without
 * `whole`, whose grammar would force a call.
 *
 * @example grammarOf({ type: "gbnf", grammar: calls, triggers, whole: textOrCalls }); // textOrCalls
 */
export function grammarOf(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (!isObject(given) || typeof given.grammar !== "string") {
    const has = isObject(given) ? `an object with ${Object.keys(given).join(", ") || "nothing"}` : describeValue(given);
    throw new OptionsError("bad-option", `\`constraint\` is { type: "gbnf", grammar: a string }, not ${has}.`);
  }
  const { grammar, triggers, whole } = given;
  if (!triggers) return grammar;
  if (typeof whole === "string") return whole;
  throw new OptionsError(
    "bad-option",
    "The engine does not start a grammar late. Give the constraint `whole`, the grammar of a whole reply, or no `triggers`.",
  );
}
