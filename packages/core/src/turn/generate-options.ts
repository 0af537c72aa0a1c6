import type { PromptOptions } from "../prompt/prompt-options.js";
import type { SchemaInput } from "../schema/to-json-schema.js";
import type { AnyTool } from "../schema/tool-shapes.js";
import type { InvalidToolCall, TextModel } from "../types.js";
import type { ToolSelection } from "./selection/tool-selection.js";
import type { TraceListener } from "./trace.js";

/** The options of `generateWithTools`, in addition to those of the prompt. */
export interface GenerateOptions extends Omit<PromptOptions, "guard" | "listed" | "constraint"> {
  model: TextModel;
  /** Shows only those of many tools that the conversation needs. Default: all are shown. */
  toolSelection?: ToolSelection | undefined;
  /**
   * What to do with a call that must not run. `surface` (default): emit `call-invalid`, next to the valid calls.
   * `retry`: show the error to the model and ask again, except about a call that the token limit or a content filter cut off,
   * because it would be cut off again, and after a step with only wrong calls, whose results have asked again. An empty reply
   * is retried too, and one that ends with a call in a code block: what the next reply calls is made.
   * `throw`: the turn fails with `InvalidToolCallError`.
   */
  onInvalidCall?: "surface" | "retry" | "throw" | undefined;
  /**
   * Whether a grammar constrains calls, enforced by `backend`; the text before an optional call is free. `auto`: if the
   * protocol has a grammar. `required`: like `auto`, but throws if a required call cannot be constrained. `fallback`:
   * only in retries. Default `off`.
   */
  constraint?: "off" | "auto" | "required" | "fallback" | undefined;
  /** The maximum number of retries. Default 2 under `retry`; else 1, for a missing required call. */
  maxInvalidCallRetries?: number | undefined;
  /**
   * How often one reply may make the same call (equal name and arguments), at least 1. One more is dropped and ends the reply,
   * because small models get caught in loops. Default 2, so that two rolls of a die are possible; 1 if the reply is constrained
   * to calls, where loops are common. `Infinity`: no limit.
   */
  maxIdenticalCalls?: number | undefined;
  /**
   * How to read a call that is copied from a user's message or a result, ignoring white space and escapes. `text`
   * (default): as text with the `reason` `copied-call`, because the model only repeats untrusted text. `call`: as a
   * call.
   */
  copiedCalls?: "text" | "call" | undefined;
  /**
   * The model's chat template opens the reasoning, so a reply begins inside it and only its end is marked, as with DeepSeek-R1,
   * QwQ and Qwen3-Thinking after a server that leaves reasoning in the text. The end is that of the protocol's own reasoning,
   * `</think>` in most. A reply that does not begin so is read as it is: one that continues a prefill, that has the opening
   * marker, that a grammar constrains from its first character, that is JSON if `answerSchema` asks for it, or whose reasoning
   * the server separates. If the end is missing, the text is reasoning, and marked calls at its end are calls. Default `false`.
   * To `parseReply` and `createReplyParser`, pass the marker as `prefill: "<think>"`.
   */
  startWithReasoning?: boolean | undefined;
  /** Which calls the parser reads: those of any protocol, or only of the prompted one. Default: the parser's. */
  accept?: "any" | "own" | undefined;
  /**
   * With `onInvalidCall: "retry"`: calls stream while the model writes them, and the model is asked again only if no
   * part of a call was sent, such as for an unknown tool. Default `false`: calls are buffered, so that each can be
   * retried.
   */
  liveCalls?: boolean | undefined;
  /**
   * What to do if a required call is missing after all retries. `throw` (default): the turn fails with
   * `ToolChoiceError`. `surface`: the reply is the answer; calls of other tools than the one that `toolChoice` names are text
   * in it.
   */
  onMissingCall?: "throw" | "surface" | undefined;
  /**
   * The JSON Schema of an answer without calls, or a schema that `toJsonSchema` takes; `{ type: "object" }` for any JSON
   * object. The prompt shows it. The answer is buffered until it is complete. If it does not match, the model is asked again
   * (`maxInvalidCallRetries` times; after that, the answer is returned anyway). `value` of the result is the data, as the
   * schema's library reads it, with defaults and transforms. Without tools, `constraint` constrains the answer: a grammar has
   * only the keys that the schema declares, and the limits of `grammar`.
   */
  answerSchema?: SchemaInput | undefined;
  /**
   * The call that `toolChoice` requires runs nothing, because its arguments are the answer, as in structured output. If only
   * that tool can be called, a JSON object that matches is its arguments also beside other text. Default `false`: only as the
   * whole reply, or after an announcement that ends with a colon.
   */
  answersByCall?: boolean | undefined;
  /**
   * Whether an object that answers `answerSchema` streams while the model writes it, with repairs. If it does not
   * match, it is not retried once a part of it was sent. Default `false`.
   */
  liveAnswer?: boolean | undefined;
  /**
   * More fields of the request to the model's server, such as `{ top_p: 0.9 }`. Fields of a constraint take precedence.
   */
  fields?: Readonly<Record<string, unknown>> | undefined;
  /** More stop sequences. */
  stop?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
  maxTokens?: number | undefined;
  temperature?: number | undefined;
  seed?: number | undefined;
  /** Generates the ids of calls. */
  generateId?: (() => string) | undefined;
  /**
   * Called before each retry, with the invalid calls. The list is empty if the retry has another reason: a required call is
   * missing, the answer does not match `answerSchema`, or the reply is empty or ends with a call in a code block.
   */
  onRetry?: ((calls: readonly InvalidToolCall[]) => void) | undefined;
  /**
   * Receives the requests, the raw replies, their events and the reasons for retries. What it throws is printed with
   * `console.error`, and the turn continues. The environment variable `TOOLINGUA_DEBUG=1` writes the same to the console.
   */
  onTrace?: TraceListener | undefined;
}

/** The same, with tools of any shape that `normalizeTools` accepts. `A`: the schema of the answer. */
export interface GenerateInput<T extends readonly AnyTool[] = readonly AnyTool[], A extends SchemaInput = SchemaInput>
  extends Omit<GenerateOptions, "tools" | "answerSchema"> {
  tools?: T | undefined;
  answerSchema?: A | undefined;
}
