import {
  type ConstraintBackend,
  constraintFor,
  GrammarError,
  type ToolCallGrammarOptions,
  toolCallGrammar,
} from "../grammar/index.js";
import type { Constraint, TextModelRequest } from "../types.js";

/** Where a constraint is enforced: by a model that reads grammars (`gbnf`), or by a server, through request fields. */
export type ConstraintTarget = Constraint["type"] | ConstraintBackend;

/** The part of a request that constrains the reply. */
export type Hold = Pick<TextModelRequest, "constraint" | "fields">;

/**
 * Builds the constraint for calls of these tools. For an optional call: a grammar with triggers, or a format that can
 * also express answers.
 *
 * Returns `undefined` if the format has no such grammar; with `strict`, throws a `GrammarError` `unsupported` if a call
 * is required.
 */
export function holdTo(
  target: ConstraintTarget,
  calls: ToolCallGrammarOptions & { strict?: boolean },
): Hold | undefined {
  const { strict = false, ...request } = calls;
  const mayAnswer = calls.toolChoice === "auto";
  try {
    if (target !== "gbnf") return { fields: constraintFor(target, { ...request, lazy: mayAnswer }) };
    const { grammar, triggers } = toolCallGrammar({ ...request, lazy: mayAnswer });
    if (!triggers) return { constraint: { type: "gbnf", grammar } };
    let whole: string | undefined;
    return {
      constraint: {
        ...{ type: "gbnf", grammar, triggers },
        // Compiled only for a model that needs it.
        get whole() {
          whole ??= toolCallGrammar({ ...request, lazy: false }).grammar;
          return whole;
        },
      },
    };
  } catch (error) {
    if (error instanceof GrammarError && error.code === "unsupported" && (mayAnswer || !strict)) return undefined;
    throw error;
  }
}
