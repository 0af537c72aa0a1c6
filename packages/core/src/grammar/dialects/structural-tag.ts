import { toolCallGrammar } from "../calls/tool-call-grammar.js";
import type { ToolCallGrammarInput } from "../grammar-options.js";
import { toEbnf } from "./ebnf.js";

/** A structural tag: free text, in which a trigger starts a tag whose content a grammar constrains. */
export interface StructuralTag {
  type: "structural_tag";
  format: {
    type: "triggered_tags";
    triggers: string[];
    tags: { type: "tag"; begin: string; content: { type: "grammar"; grammar: string }; end: string }[];
    at_least_one: boolean;
    stop_after_first: boolean;
  };
}

/**
 * A structural tag for xgrammar from 0.1.25 on: text is free until a call begins, and the reply is constrained from
 * there on. Undefined where a call begins with more than a word, such as a label at the beginning of a line. Format:
 * https://xgrammar.mlc.ai/docs/structural_tag/structural_tag_details.html
 *
 * Errors: those of `toolCallGrammar` for a lazy grammar.
 *
 * @example structuralTag({ tools, protocol: "hermes" })?.format.triggers; // ["<tool_call>"]
 */
export function structuralTag(options: ToolCallGrammarInput): StructuralTag | undefined {
  const { triggers = [] } = toolCallGrammar({ ...options, toolChoice: "auto", lazy: true });
  if (triggers.some(({ type }) => type !== "word")) return undefined;
  const words = triggers.map(({ value }) => value);
  return {
    type: "structural_tag",
    format: {
      type: "triggered_tags",
      triggers: words,
      tags: words.map((begin) => ({
        type: "tag",
        begin,
        content: { type: "grammar", grammar: toEbnf(grammarAfter(begin, options)) },
        end: "",
      })),
      at_least_one: false,
      // The grammar includes further calls. No text follows them.
      stop_after_first: true,
    },
  };
}

/** The grammar of what follows the trigger. */
function grammarAfter(trigger: string, options: ToolCallGrammarInput): string {
  const rest = { ...options, toolChoice: "required", lazy: false, prefix: "", prefill: trigger } as const;
  return toolCallGrammar(rest).grammar;
}
