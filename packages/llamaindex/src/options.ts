import type { GenerateOptions } from "@toolingua/core";
import type { AdapterOptions } from "@toolingua/core/adapters";

/** The options of `withToolCalling`. */
export interface ToolCallingOptions extends AdapterOptions {
  /**
   * What to do with a wrong call; it never runs. `retry` (default): show the error to the model and ask again.
   * `surface`: do not. In both cases a call that stays wrong is in the message's `options.invalidToolCall`, and
   * described in the text if there is no other content. `throw`: throw an error, which in LlamaIndex's agents ends the
   * process.
   */
  onInvalidCall?: AdapterOptions["onInvalidCall"];
  /**
   * What to do if the model does not make a required call (`tool_choice`), even when asked again. `surface` (default):
   * its text is the answer, as with native tool calling. `throw`: throw a `ToolChoiceError`.
   */
  onMissingCall?: GenerateOptions["onMissingCall"];
  /**
   * How often one reply may make the same call. One more is dropped and ends the reply;
   * `options.repeatedCall` reports it. At least 1; default 2, or 1 if the reply is constrained to calls.
   */
  maxIdenticalCalls?: number | undefined;
  /** The maximum rounds of tool calls after a user's message; then the model must answer. At least 1; default 20. */
  maxToolRounds?: number | undefined;
  /**
   * Whether a grammar constrains calls; the wrapped LLM gets it as the chat option `constraint`. `auto`: if the
   * protocol has one; for an optional call it is the grammar of the whole reply. `required`: throws if a call is required
   * and the protocol has no grammar. `fallback`: only in retries. Default `off`.
   */
  constraint?: GenerateOptions["constraint"];
}
