import type { Constraint } from "../../types.js";
import type { ToolCallGrammarInput } from "../grammar-options.js";
import { toolCallGrammar } from "./tool-call-grammar.js";

/**
 * The grammar of these calls as a constraint of a request. Where it starts late, `whole` is the grammar of the whole
 * reply, for servers that cannot do so; it is compiled when it is first read.
 *
 * Errors: those of `toolCallGrammar`.
 *
 * @example constraintOf({ tools, protocol: "hermes", toolChoice: "auto", lazy: true }).triggers; // [{ type: "word", … }]
 */
export function constraintOf(calls: ToolCallGrammarInput): Constraint {
  const { grammar, triggers } = toolCallGrammar(calls);
  if (!triggers) return { type: "gbnf", grammar };
  let whole: string | undefined;
  return {
    ...{ type: "gbnf", grammar, triggers },
    get whole() {
      whole ??= toolCallGrammar({ ...calls, lazy: false }).grammar;
      return whole;
    },
  };
}
