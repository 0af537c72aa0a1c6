import type { Protocol } from "../protocol.js";
import type { Registry } from "../registry.js";
import type { FinishReason, ReplyEvent, ToolDefinition } from "../types.js";

/** How a reply is to be read. */
export interface ReplyParserOptions<Name extends string = string> {
  /** The tools there are. undefined: nothing is known, names and arguments pass unchecked. []: nothing is a call. */
  tools?: readonly ToolDefinition[] | undefined;
  /** The wire format the model was asked for; `auto` recognises all that are registered. Default `auto`. */
  protocol?: Name | Protocol | "auto" | undefined;
  /** The protocols that names, `auto` and `accept: "any"` stand for. Default: none. */
  registry?: Registry | undefined;
  /**
   * `any` (the default): calls in another registered format are understood too, and calls as bare JSON. Where `registry`
   * and `protocol` are all there is (`@toolingua/core/reply`), bare JSON is read only if one of their protocols has a body
   * of the kind `json-call`, such as `hermes`. `own`: only calls in `protocol`.
   */
  accept?: "any" | "own" | undefined;
  /** What the assistant's turn already began with, such as `<think>\n` or the opener of a call. */
  prefill?: string | undefined;
  /**
   * Texts of this conversation that neither the application nor the model wrote, as they were before escaping: users'
   * messages, tools' results, documents, in their order. A call whose source stands in them, white space and escapes apart,
   * also at the end of one and the beginning of the next, is a copy and no call: it is `text` with the reason `copied-call`. Default: none. `generateWithTools` gives them by itself.
   */
  untrusted?: readonly string[] | undefined;
  /** Whether `call-delta`s are wanted. Default `true`; without them arguments cost less to read. */
  deltas?: boolean | undefined;
  /** Makes the id of each call. Default: `call_` and 24 random letters and digits. */
  generateId?: (() => string) | undefined;
}

/** Reads one reply, piece by piece. */
export interface ReplyParser {
  /** The next piece of the reply, of any length. Never throws. */
  push(chunk: string): ReplyEvent[];
  /** The reply is over. `length`: it was cut off at the token limit, so only a call whose arguments were seen to end, with the object or the markup around them, is whole. */
  end(how?: { finish?: FinishReason | undefined }): ReplyEvent[];
}
