import { type Constraint, OptionsError } from "@toolingua/core";

/**
 * The grammar of a constraint, for the engine, which applies it from the first token of the reply on: of a grammar that
 * starts at a trigger, `whole`.
 *
 * Errors: `OptionsError` (`bad-option`) for triggers without `whole`, whose grammar would force a call.
 *
 * @example grammarOf({ type: "gbnf", grammar: calls, triggers, whole: textOrCalls }); // textOrCalls
 */
export function grammarOf(constraint: Constraint | undefined): string | undefined {
  const { grammar, triggers, whole } = constraint ?? {};
  if (!triggers) return grammar;
  if (whole !== undefined) return whole;
  throw new OptionsError(
    "bad-option",
    "The engine does not start a grammar late. Give the constraint `whole`, the grammar of a whole reply, or no `triggers`.",
  );
}
