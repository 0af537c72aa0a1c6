import {
  type ConstraintBackend,
  constraintFields,
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
 * Builds the constraint for calls of these tools. For an optional call: a grammar with triggers, of which a server gets
 * `whole` (see `constraintFields`), or a format that can also express answers.
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
    if (target === "ollama" || target === "openai") return { fields: constraintFor(target, request) };
    const constraint = grammarOf(request);
    if (target === "gbnf") return { constraint };
    const fields = constraintFields(target, constraint);
    return fields && { fields };
  } catch (error) {
    if (error instanceof GrammarError && error.code === "unsupported" && (mayAnswer || !strict)) return undefined;
    throw error;
  }
}

/** The grammar of these calls. It starts late where a call is optional. */
function grammarOf(calls: ToolCallGrammarOptions): Constraint {
  const { grammar, triggers } = toolCallGrammar({ ...calls, lazy: calls.toolChoice === "auto" });
  if (!triggers) return { type: "gbnf", grammar };
  let whole: string | undefined;
  return {
    ...{ type: "gbnf", grammar, triggers },
    // Compiled only for a model that needs it.
    get whole() {
      whole ??= toolCallGrammar({ ...calls, lazy: false }).grammar;
      return whole;
    },
  };
}
