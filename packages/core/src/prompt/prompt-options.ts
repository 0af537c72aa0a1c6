import type { ToolCallGrammarOptions } from "../grammar/index.js";
import type { Protocol } from "../protocol.js";
import type { ProtocolName } from "../protocols/index.js";
import type { AnyTool } from "../schema/tool-shapes.js";
import type { ChatMessage, ToolChoice, ToolDefinition, ToolStyle } from "../types.js";
import type { ConstraintTarget } from "./constrain.js";
import type { TranscriptRenderer } from "./transcript.js";

/** The options of a prompt. */
export interface PromptOptions {
  messages: readonly ChatMessage[];
  tools?: readonly ToolDefinition[] | undefined;
  /** The tools that the system message lists, if the messages show the others. Default: all. */
  listed?: readonly ToolDefinition[] | undefined;
  /** Default `auto`. `none`: the tools are not offered, but earlier calls and results are still shown. */
  toolChoice?: ToolChoice | undefined;
  /** Default `xml`. */
  protocol?: ProtocolName | Protocol | undefined;
  /** How the prompt describes tools. Default `native`, the protocol's own style. */
  style?: ToolStyle | undefined;
  /**
   * Whether the model may make several calls in one reply. Default: whether the protocol can; a named tool is called
   * once.
   */
  parallel?: boolean | undefined;
  /** Whether the model supports a prefill, the beginning of its own turn. Default `true`. */
  prefill?: boolean | undefined;
  /**
   * Whether a grammar constrains the reply to calls; a call that `toolChoice` requires then needs no prefill. Default
   * `false`. Protocols without a grammar are not constrained; `required`: throws if a call is required there.
   */
  constraint?: boolean | "required" | undefined;
  /** Where it is enforced: `gbnf` (default), by the model's `constraint`; a server, by the request's `fields`. */
  backend?: ConstraintTarget | undefined;
  /** More options of the grammar. */
  grammar?:
    | Pick<ToolCallGrammarOptions, "maxUnordered" | "maxStringLength" | "maxItems" | "maxDepth" | "maxCalls">
    | undefined;
  /** Protocols to guard in addition to `protocol`: untrusted text cannot contain their markers. Default: all. */
  guard?: readonly Protocol[] | undefined;
  /** More markers that untrusted text must not contain, such as those of the model's own chat template. */
  markers?: readonly string[] | undefined;
  /**
   * Renders the conversation as one text, such as `pmlTranscript()` of `@toolingua/pml`. Default: separate messages.
   */
  transcript?: TranscriptRenderer | undefined;
}

/** The options of `renderPrompt`: its tools may have any shape that `normalizeTools` accepts. */
export interface RenderPromptOptions extends Omit<PromptOptions, "tools"> {
  tools?: readonly AnyTool[] | undefined;
}
