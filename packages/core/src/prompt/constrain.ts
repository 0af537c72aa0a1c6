import { takesGrammar } from "../grammar/backends.js";
import { constraintOf } from "../grammar/calls/constraint-of.js";
import {
  type ConstraintBackend,
  constraintFields,
  constraintFor,
  GrammarError,
  type ToolCallGrammarOptions,
} from "../grammar/index.js";
import type { Constraint, TextModelRequest } from "../types.js";

/** Where a constraint is enforced: by a model that reads grammars (`gbnf`), or by a server, through request fields. */
export type ConstraintTarget = Constraint["type"] | ConstraintBackend;

/** The part of a request that constrains the reply. */
export type RequestConstraint = Pick<TextModelRequest, "constraint" | "fields">;

/**
 * Builds the constraint for calls of these tools. For an optional call: a grammar with triggers, of which servers and
 * the embedded model get `whole` (see `constraintFields`), or a format that can also express answers.
 *
 * Returns `undefined` if the format has no such grammar; with `strict`, throws a `GrammarError` `unsupported` if a call
 * is required.
 */
export function constrainTo(
  target: ConstraintTarget,
  calls: ToolCallGrammarOptions & { strict?: boolean },
): RequestConstraint | undefined {
  const { strict = false, ...request } = calls;
  const mayAnswer = calls.toolChoice === "auto";
  try {
    if (!takesGrammar(target)) return { fields: constraintFor(target, request) };
    const constraint = constraintOf({ ...request, lazy: mayAnswer });
    if (target === "gbnf") return { constraint };
    const fields = constraintFields(target, constraint);
    return fields && { fields };
  } catch (error) {
    if (error instanceof GrammarError && error.code === "unsupported" && (mayAnswer || !strict)) return undefined;
    throw error;
  }
}
