import type { AnyTool } from "../schema/tool-shapes.js";
import type { ToolChoice, ToolDefinition } from "../types.js";
import type { AnySyntax } from "./any-syntax.js";
import type { GapPolicy } from "./errors.js";
import type { JsonStyle } from "./json-style.js";

/** Options of `jsonSchemaToGbnf`. */
export interface JsonGrammarOptions extends JsonStyle, GapPolicy {}

/** Options of grammars of calls, such as `toolCallGrammar`. */
export interface ToolCallGrammarOptions
  extends Pick<JsonStyle, "maxStringLength" | "maxItems" | "maxDepth" | "closed" | "maxUnordered">,
    GapPolicy {
  tools: readonly ToolDefinition[];
  /** The wire format. */
  protocol: AnySyntax;
  /** `required`: any of the tools; `{ name }`: that one; `auto`: calls, or text, or text and then calls. */
  toolChoice: ToolChoice;
  /** For `auto`: the grammar begins with a call, and an engine starts it at one of the `triggers`. Default `false`. */
  lazy?: boolean | undefined;
  /** Whether a reply may contain several calls. Default: the syntax's `parallel`. */
  parallel?: boolean | undefined;
  /** The maximum number of calls in one reply. Default 8. */
  maxCalls?: number | undefined;
  /** Text before the first call, such as an empty reasoning block. */
  prefix?: string | undefined;
  /**
   * The beginning of the reply that is already written (at most up to the arguments); the grammar continues after it.
   * For `auto` it is text before any call.
   */
  prefill?: string | undefined;
}

/** {@link ToolCallGrammarOptions} with tools of any shape that `normalizeTools` accepts. */
export interface ToolCallGrammarInput extends Omit<ToolCallGrammarOptions, "tools"> {
  tools: readonly AnyTool[];
}

/** Options of `constraintFor`. */
export interface ConstraintOptions extends ToolCallGrammarInput {
  /**
   * `llguidance`: the server's grammar engine is llguidance (llama.cpp built with it, `--grammar-backend llguidance` in
   * SGLang, `guidance` in vLLM). Default: the server's own engine (GBNF in llama.cpp, xgrammar in the others).
   */
  engine?: "llguidance" | undefined;
}

/** Options of `replySchema`. */
export interface ReplySchemaOptions {
  /** Tools of any shape that `normalizeTools` accepts. */
  tools: readonly AnyTool[];
  /** A format in which the whole reply is JSON: `json-action`, `json-list`, `llama3-json`. */
  protocol: AnySyntax;
  /**
   * `required`: any of the tools; `{ name }`: that one; `auto`: a call or, where the format has one, the final answer.
   */
  toolChoice: ToolChoice;
  /** The maximum number of calls in a list. Default 8. */
  maxCalls?: number | undefined;
}
