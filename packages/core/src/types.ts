/**
 * The shared types of all packages. Types only: importing this file costs nothing at run time.
 */

/** A JSON Schema (draft 4 to 2020-12), or `true` / `false`. */
export type JsonSchema = boolean | { [keyword: string]: unknown };

/** The definition of a tool for the model. `parameters` is the JSON Schema of the arguments object. */
export interface ToolDefinition {
  name: string;
  description?: string;
  parameters?: JsonSchema;
  /**
   * Whether the provider constrains calls to the schema: `strict` of OpenAI and Anthropic. Only the provider formats
   * read and write it.
   */
  strict?: boolean;
}

/**
 * A tool with its implementation. An `Error` that `execute` returns is a failure that the model is shown; the handling
 * of an error that it throws depends on the framework.
 */
export interface Tool extends ToolDefinition {
  /** Whether the result is the answer: an agent ends with it, unless it is an error. */
  readonly resultAsAnswer?: boolean;
  /**
   * Whether a call waits for a person's approval. A function that throws counts as `true`. Used by `ToolConversation`.
   */
  readonly needsApproval?: boolean | ((args: Record<string, unknown>) => boolean | Promise<boolean>);
  /**
   * The time limit in milliseconds; after it the call counts as failed, and its signal aborts. Used by
   * `ToolConversation`.
   */
  readonly timeout?: number;
  /** Whether a call must run alone, without other calls at the same time. Used by `ToolConversation`. */
  readonly exclusive?: boolean;
  /** Whether a call changes nothing, so that it may start early, and more than once. Used by `ToolConversation`. */
  readonly readOnly?: boolean;
  /**
   * What happens to a call that had started when the process ended, so that its effect is unknown. `ask` (default): a
   * person decides. `rerun`: it runs again, with the same `idempotencyKey`. `fail`: it counts as failed.
   * Used by `ToolConversation`.
   */
  readonly onCrash?: "ask" | "rerun" | "fail";
  execute(args: Record<string, unknown>, context: ToolExecutionContext): unknown | Promise<unknown>;
}

/** What a tool receives about the call that it runs. */
export interface ToolExecutionContext {
  toolCallId: string;
  signal?: AbortSignal;
  /** Equal for every attempt at this call, different for every other call. Set by `ToolConversation`. */
  idempotencyKey?: string;
  /** Set by `ToolConversation`. */
  conversationId?: string;
}

/**
 * How tools are shown to the model, independent of how calls are written. `native`: the protocol's own way; `json`:
 * compact JSON Schema; `signature`: TypeScript-like signatures; `compact`: one line per argument, the fewest tokens.
 */
export type ToolStyle = "native" | "json" | "signature" | "compact";

/** How a list of tools is shown. */
export interface ListContext {
  style: ToolStyle;
  /**
   * Writes the styles that all protocols share: the exported `listTools`. A protocol that is only read has no code for
   * them.
   */
  listTools(tools: readonly ToolDefinition[], style: Exclude<ToolStyle, "native">): string;
}

/** Whether the model must call a tool, and which. */
export type ToolChoice = "auto" | "none" | "required" | { name: string };

/**
 * The repairs that a reading may need. None of them chooses between two readings: such a call is invalid.
 *
 * Where the notation deviates, and says the same:
 * - brackets and separators of JSON: `missing-bracket`, `extra-bracket`, `missing-comma`, `extra-comma`,
 *   `trailing-comma`, `comma-spelling` (a comma of another script), `missing-colon`, `key-separator` (`=` or `:` in place
 *   of the other), `comment`;
 * - strings and keys: `single-quotes`, `triple-quotes`, `other-quotes`, `missing-quote`, `extra-quote`, `unescaped-quote`,
 *   `invalid-escape`, `control-character`, `string-prefix` (`r"…"`), `joined-strings` (`"a" + "b"`), `unquoted-string`,
 *   `unquoted-key`, `quoted-key` (of a Python call);
 * - words and numbers: `python-literal` (`True`), `literal-spelling` (JavaScript's word for nothing), `number-spelling`
 *   (`1_000`);
 * - markup: `missing-opener`, `missing-closer`, `missing-name-closer`, `wrong-closer`, `extra-closer`, `missing-value`,
 *   `unquoted-value`, `dropped-attribute`, `fence` and `cdata` (around arguments);
 * - YAML: `yaml` (it was JSON), `loose-lines` (lines that are no YAML), `unquoted-text`, `unindented-text`;
 * - `json`: a provider's arguments, as text, that were no JSON.
 *
 * Where the call has another shape:
 * - `renamed-tool`, `renamed-key`: another spelling of a name;
 * - `wrapped-arguments`, `partly-wrapped`: an object around all or some of the arguments; `unwrapped`: around one value;
 * - `flat-arguments`: beside the name; `listed-arguments`, `paired-arguments`: in a list, in pairs of key and value;
 * - `arguments-only`: without a name, where only one tool may be called; `split-call`: name and arguments in two objects;
 * - `quoted-call`: the call is in quotes; `named-input`, `dropped-input`: the input of a tool names its argument, or of
 *   one without parameters; `lone-text`: a text that can only be one argument; `dropped-text`: text beside the arguments.
 *
 * Where a value is of another type than the schema's, at the repair's path:
 * - `to-string`, `to-number`, `to-boolean`, `to-null`, `to-array` (of one item, or of an object that has the items),
 *   `parsed-text` (a text that is JSON), `split-text` (a text that is a list), `enum-spelling`, `rounded-number`;
 * - `dropped-null`: null for an optional argument; `dropped-key`: a key that the schema does not allow.
 */
export type RepairCode =
  | ("missing-bracket" | "extra-bracket" | "missing-comma" | "extra-comma" | "missing-quote" | "extra-quote")
  | ("trailing-comma" | "comma-spelling" | "missing-colon" | "key-separator" | "comment")
  | ("single-quotes" | "triple-quotes" | "other-quotes" | "unescaped-quote" | "invalid-escape" | "control-character")
  | ("string-prefix" | "joined-strings" | "unquoted-string" | "unquoted-key" | "quoted-key")
  | ("python-literal" | "literal-spelling" | "number-spelling")
  | (
      | "missing-opener"
      | "missing-closer"
      | "missing-name-closer"
      | "wrong-closer"
      | "extra-closer"
      | "missing-value"
      | "unquoted-value"
    )
  | ("dropped-attribute" | "fence" | "cdata")
  | ("yaml" | "loose-lines" | "unquoted-text" | "unindented-text" | "json")
  | ("renamed-tool" | "renamed-key" | "wrapped-arguments" | "partly-wrapped" | "unwrapped")
  | ("flat-arguments" | "listed-arguments" | "paired-arguments" | "arguments-only" | "split-call" | "quoted-call")
  | ("named-input" | "dropped-input" | "lone-text" | "dropped-text")
  | ("to-string" | "to-number" | "to-boolean" | "to-null" | "to-array" | "parsed-text" | "split-text")
  | ("enum-spelling" | "rounded-number" | "dropped-null" | "dropped-key");

/** A repair in a call: what (`code`) and where (`path`, a JSON pointer into the arguments). */
export interface Repair {
  code: RepairCode;
  path?: string;
}

/** A call that names a known tool and whose arguments match its schema. `ToolCallOf` types it by the tools. */
export interface ToolCall<Name extends string = string, Arguments = Record<string, unknown>> {
  id: string;
  name: Name;
  arguments: Arguments;
  /** Present only if the call was repaired. */
  repairs?: Repair[];
}

/**
 * Why a call is invalid.
 * `unknown-tool`: no such tool; `invalid-arguments`: the arguments do not match the schema; `malformed`: the wire
 * format is broken; `truncated`: the reply ended inside the call; `limit`: the call exceeds a stated limit (nesting,
 * size).
 */
export type ToolCallErrorCode = "unknown-tool" | "invalid-arguments" | "malformed" | "truncated" | "limit";

/** The error of a call. `feedback` is written for the model: what was wrong, where, what would be right. */
export interface ToolCallError {
  code: ToolCallErrorCode;
  message: string;
  feedback: string;
  /**
   * Set if the arguments that were read are one of several readings, or only a part: a key had two values, or all keys were
   * dropped. They may match the schema, so no other check refuses them; a program must not pass them on.
   */
  ambiguous?: true;
}

/** A call that must not run. `arguments` is the part that could be read; `raw` is the call as the model wrote it. */
export interface InvalidToolCall {
  id: string;
  name?: string;
  arguments?: unknown;
  raw: string;
  error: ToolCallError;
}

/** The result of a tool, as text. */
export interface ToolResult {
  toolCallId: string;
  name: string;
  content: string;
  isError?: boolean;
}

/**
 * An image of a user message, placed before its text. `chatEndpoint` of `@toolingua/endpoints` sends it; a text prompt
 * refuses it; other text models ignore it.
 */
export interface ImageContent {
  /** `https://…`, `http://…`, or the image itself as `data:image/png;base64,…`. */
  url: string;
  /** The level of detail, as the server names it, such as `low` or `high`. */
  detail?: string;
}

/**
 * An answer as its provider wrote it, for content that must be sent back unchanged, such as signed thoughts. Only the
 * named format writes it, and only while the message has the same content.
 */
export interface OriginalMessage {
  /** The provider format, such as `anthropic`. */
  format: string;
  parts: readonly unknown[];
}

/** A message of the conversation as the application sees it. */
export type ChatMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string; images?: readonly ImageContent[] }
  | { role: "assistant"; content: string; toolCalls?: ToolCall[]; reasoning?: string; original?: OriginalMessage }
  | ({ role: "tool" } & ToolResult);

/** A message that any text-only model accepts: at most one system message, first; then user and assistant alternate. */
export interface TextMessage {
  role: "system" | "user" | "assistant";
  content: string;
  /** Only in user messages. Placed before the text. */
  images?: readonly ImageContent[];
}

/** The number of tokens used. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** How many of `inputTokens` were read from a cache, if reported. */
  cacheReadTokens?: number | undefined;
  /** How many of `inputTokens` were written to a cache, if reported. */
  cacheWriteTokens?: number | undefined;
  /** How many of `outputTokens` are reasoning, if reported. */
  reasoningTokens?: number | undefined;
  /** Whether the numbers are estimates from the request and reply, because the server did not report any. */
  estimated?: true;
}

/**
 * The text that starts a lazy grammar: a word, or a regular expression whose first group is the beginning of the call.
 */
export interface GrammarTrigger {
  type: "word" | "pattern";
  value: string;
}

/** A grammar that the reply must match, in llama.cpp's GBNF. */
export interface Constraint {
  type: "gbnf";
  grammar: string;
  /**
   * The grammar applies from the first of these triggers in the reply on; the text before it is free. Without triggers:
   * from the start. A model without support for triggers applies `whole`; this grammar would force a call.
   */
  triggers?: readonly GrammarTrigger[];
  /** With `triggers`: the grammar of the whole reply, text and calls, for a model that cannot start a grammar late. */
  whole?: string;
}

/**
 * Why the model stopped: by itself (or at a stop sequence), at the token limit, or by its provider's content filter. Calls of
 * a reply that a filter ended should not run.
 */
export type FinishReason = "stop" | "length" | "content-filter";

/** One request to a text-only model. */
export interface TextModelRequest {
  messages: TextMessage[];
  /** Generation ends before any of these. A model may ignore them. */
  stop?: string[];
  constraint?: Constraint;
  /** Fields for the request to the model's server that constrain the reply (see `constraintFor`). */
  fields?: Record<string, unknown>;
  /** The beginning of the assistant's turn. The model continues it and does not repeat it. */
  prefill?: string;
  signal?: AbortSignal;
  maxTokens?: number;
  temperature?: number;
  seed?: number;
}

/**
 * A chunk of a text-only model's stream: a piece of the reply, reasoning that is separate from the reply, the usage so
 * far (the last value counts), and at the end why the model stopped. `content`: the reply has content that is not text,
 * such as an image, so that it is not empty without text.
 */
export type TextModelChunk = string | { reasoning?: string; usage?: Usage; finish?: FinishReason; content?: boolean };

/** What a text model can do besides writing text. A turn reads it where its options of the same names are not given. */
export interface ModelAbilities {
  /** What constrains its replies: a grammar (`gbnf`), or a JSON Schema in OpenAI's `response_format`. Default: `gbnf`. */
  backend?: "gbnf" | "openai" | undefined;
  /** Whether it continues a prefill. Default: yes. */
  prefill?: boolean | undefined;
}

/**
 * All that Toolingua needs from a model: text messages in, text out. Every adapter creates one of these. A function that wraps
 * another one passes its `abilities` on.
 *
 * @example
 * const logged: TextModel = Object.assign((request) => model(log(request)), { abilities: model.abilities });
 */
export interface TextModel {
  (request: TextModelRequest): AsyncIterable<TextModelChunk>;
  readonly abilities?: ModelAbilities | undefined;
}

/**
 * The events of the reply parser, in the order of the reply. Every character of the reply belongs to exactly one event; an
 * answer inside JSON is the text of its string.
 * The `argumentsDelta`s of a call, joined, parse to exactly `call.arguments` of its `call-end`.
 */
export type ReplyEvent<Call = ToolCall> =
  /**
   * `value`: the answer if it is data; `text` is then its JSON. `reason: "copied-call"`: text that would be a call but
   * occurs in a user's text or a result, and is only repeated.
   */
  | { type: "text"; text: string; value?: unknown; reason?: "copied-call" }
  | { type: "reasoning"; text: string }
  /** Removed from the text: results that the model made up, markup around a call. */
  | { type: "dropped"; text: string; reason: DroppedReason }
  | { type: "call-start"; index: number; id: string; name: string }
  | { type: "call-delta"; index: number; argumentsDelta: string }
  /** `source`: the call as the model wrote it, if the parser was asked for `sources`. */
  | { type: "call-end"; index: number; call: Call; source?: string }
  | { type: "call-invalid"; index: number; call: InvalidToolCall };

/**
 * Why a part of a reply was removed from its text. The last five are about calls and answers of a turn, and so are only
 * in the events of `generateWithTools`.
 */
export type DroppedReason =
  | "markup around a call"
  | "markup around the answer"
  | "an opener without a call"
  | "an opener written twice"
  | "an empty list of calls"
  | "no call"
  | "a result that the model made up"
  | "a turn that the model made up"
  | "a call that was made before"
  | "a call of a tool that was not asked for"
  | "a request for tools"
  | "said before"
  | "after the answer";

/** A whole reply after parsing. */
export interface ParsedReply<Call = ToolCall> {
  text: string;
  reasoning: string;
  toolCalls: Call[];
  invalidToolCalls: InvalidToolCall[];
  /** The answer if it is data; `text` is then its JSON. */
  value?: unknown;
}

/** Reads one reply piece by piece. */
export interface ReplyParser<Call = ToolCall> {
  /**
   * Reads the next piece of the reply, of any length.
   *
   * Errors: `OptionsError` (`bad-option`) for anything but a string, and after the end: a parser reads one reply.
   */
  push(chunk: string): ReplyEvent<Call>[];
  /**
   * Ends the reply. `length`: it was cut off at the token limit, so only a call with the end of its arguments, by their
   * object or by the markup around them, is whole. The parser of `@toolingua/core` throws `OptionsError` (`bad-option`)
   * for an unknown `finish`.
   */
  end(how?: { finish?: FinishReason | undefined }): ReplyEvent<Call>[];
}
