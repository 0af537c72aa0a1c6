import {
  type ConstraintBackend,
  constraintFor,
  GrammarError,
  type ToolCallGrammarOptions,
  toolCallGrammar,
} from "../grammar/index.js";
import type { Constraint, TextModelRequest } from "../types.js";

/** What takes the form of a reply: a model that reads grammars itself (`gbnf`), or a server, by fields of the request. */
export type ConstraintTarget = Constraint["type"] | ConstraintBackend;

/** What holds a reply to calls, as it stands in a request. */
export type Hold = Pick<TextModelRequest, "constraint" | "fields">;

/**
 * What holds a reply to calls of these tools. For a call that may come: a grammar that waits for its beginning, or a
 * format that has a form for answers too.
 *
 * `undefined` where the format has no such grammar; `strict`: a `GrammarError` `unsupported` where a call must come.
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
    return { constraint: { type: "gbnf", grammar, ...(triggers && { triggers }) } };
  } catch (error) {
    if (error instanceof GrammarError && error.code === "unsupported" && (mayAnswer || !strict)) return undefined;
    throw error;
  }
}
