/**
 * The vocabulary every package shares. Types only: importing this file costs nothing at run time.
 */

/** A JSON Schema (draft 4 to 2020-12), or `true` / `false`. */
export type JsonSchema = boolean | { [keyword: string]: unknown };

/** What a model is told about a tool. `parameters` is the JSON Schema of the arguments object. */
export interface ToolDefinition {
  name: string;
  description?: string;
  parameters?: JsonSchema;
  /**
   * The provider holds calls to the schema by itself: `strict` of OpenAI and Anthropic. Only the provider formats read and
   * write it.
   */
  strict?: boolean;
}

/**
 * A tool that can run. An `Error` that `execute` gives back is a failure the model is told of; what follows on one that
 * it throws is up to the framework.
 */
export interface Tool extends ToolDefinition {
  /** The result is the answer: an agent ends with it, unless it is an error. */
  readonly resultAsAnswer?: boolean;
  /** Whether a call waits for a person's approval. A function that throws counts as `true`. Used by `ToolConversation`. */
  readonly needsApproval?: boolean | ((args: Record<string, unknown>) => boolean | Promise<boolean>);
  /** Milliseconds after which a call counts as failed; its signal is aborted then. Used by `ToolConversation`. */
  readonly timeoutMs?: number;
  /** A call runs alone: no other call runs at the same time. Used by `ToolConversation`. */
  readonly exclusive?: boolean;
  /** A call changes nothing, so that it may start early, and more than once. Used by `ToolConversation`. */
  readonly readOnly?: boolean;
  /**
   * What becomes of a call that had started when the process ended, so that nobody knows whether it took effect. `ask`
   * (default): a person decides. `rerun`: it runs again, with the same `idempotencyKey`. `fail`: it counts as failed.
   * Used by `ToolConversation`.
   */
  readonly onCrash?: "ask" | "rerun" | "fail";
  execute(args: Record<string, unknown>, context: ToolExecutionContext): unknown | Promise<unknown>;
}

/** What a tool is told of the call that it runs. */
export interface ToolExecutionContext {
  toolCallId: string;
  signal?: AbortSignal;
  /** The same for every attempt at this call, different for every other call. Set by `ToolConversation`. */
  idempotencyKey?: string;
  /** Set by `ToolConversation`. */
  conversationId?: string;
}

/** Whether and what the model must call. */
export type ToolChoice = "auto" | "none" | "required" | { name: string };

/** Something the parser mended in a call: what (`code`) and where (`path`, a JSON pointer into the arguments). */
export interface Repair {
  code: string;
  path?: string;
}

/** A call that names a known tool and whose arguments fit its schema. `ToolCallOf` types it by the tools. */
export interface ToolCall<Name extends string = string, Arguments = Record<string, unknown>> {
  id: string;
  name: Name;
  arguments: Arguments;
  /** Present only when something was mended. */
  repairs?: Repair[];
}

/**
 * Why a call is invalid.
 * `unknown-tool`: no such tool; `invalid-arguments`: the schema is broken; `malformed`: the wire format is broken;
 * `truncated`: the reply ended inside the call; `limit`: a stated limit (nesting, size) was met.
 */
export type ToolCallErrorCode = "unknown-tool" | "invalid-arguments" | "malformed" | "truncated" | "limit";

/** What was wrong with a call. `feedback` is written for the model: what was wrong, where, what would be right. */
export interface ToolCallError {
  code: ToolCallErrorCode;
  message: string;
  feedback: string;
}

/** A call that must not run. `arguments` is what could be read; `raw` is the call as the model wrote it. */
export interface InvalidToolCall {
  id: string;
  name?: string;
  arguments?: unknown;
  raw: string;
  error: ToolCallError;
}

/** What a tool gave back, as text. */
export interface ToolResult {
  toolCallId: string;
  name: string;
  content: string;
  isError?: boolean;
}

/**
 * An image of a user's message, which stands before its text. `chatEndpoint` of `@toolingua/endpoints` sends it; a prompt of text
 * refuses it; text models of other kinds do not look at it.
 */
export interface ImageContent {
  /** `https://…`, `http://…`, or the image itself as `data:image/png;base64,…`. */
  url: string;
  /** How closely the model looks, in its server's words, such as `low` or `high`. */
  detail?: string;
}

/**
 * An answer as its provider wrote it, where that has to be sent back unchanged: thoughts that the provider signed. Only the
 * format that is named writes it, and only while the message says the same.
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

/** A message any text-only model takes: one system message first, then user and assistant in turn. */
export interface TextMessage {
  role: "system" | "user" | "assistant";
  content: string;
  /** Of a user only. They stand before the text. */
  images?: readonly ImageContent[];
}

/** Tokens spent. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** The server did not say: the figures are guessed from what was sent and what came. */
  estimated?: true;
}

/** What starts a lazy grammar when the model writes it: a word, or a regular expression whose first group is where the call begins. */
export interface GrammarTrigger {
  type: "word" | "pattern";
  value: string;
}

/** A grammar that the reply must match, in llama.cpp's GBNF. */
export interface Constraint {
  type: "gbnf";
  grammar: string;
  /**
   * The grammar holds from where the reply has one of these on, and what comes before is free. Without: from the start. A
   * model that cannot wait for them must not hold the reply to the grammar at all: it would force a call.
   */
  triggers?: readonly GrammarTrigger[];
}

/** Why the model stopped: by itself (or at a stop sequence), or at the token limit. */
export type FinishReason = "stop" | "length";

/** One request to a text-only model. */
export interface TextModelRequest {
  messages: TextMessage[];
  /** Generation ends before any of these. A model may ignore them. */
  stop?: string[];
  constraint?: Constraint;
  /** Fields for the request to the model's server that hold the reply to a form (see `constraintFor`). */
  fields?: Record<string, unknown>;
  /** What the assistant's turn already begins with. The model goes on from there and does not repeat it. */
  prefill?: string;
  signal?: AbortSignal;
  maxTokens?: number;
  temperature?: number;
  seed?: number;
}

/**
 * What a text-only model streams: pieces of the reply, what it thought where it says that apart from the reply, what it
 * cost so far (the last word counts), and at the end why it stopped.
 */
export type TextModelChunk = string | { reasoning?: string; usage?: Usage; finish?: FinishReason };

/** The one thing Toolingua needs from a model: text messages in, text out. Every adapter makes one of these. */
export type TextModel = (request: TextModelRequest) => AsyncIterable<TextModelChunk>;

/**
 * What the reply parser reports, in the order of the reply. Every character of the reply belongs to exactly one event.
 * The `argumentsDelta`s of a call, joined, parse to exactly `call.arguments` of its `call-end`.
 */
export type ReplyEvent<Call = ToolCall> =
  /**
   * `value`: the answer where it is data and not text, which the text then is in JSON. `reason: "copied-call"`: what would
   * be a call, but stands in the text of a user or a result and is only repeated.
   */
  | { type: "text"; text: string; value?: unknown; reason?: "copied-call" }
  | { type: "reasoning"; text: string }
  /** Left out of the text: results the model made up, markup around a call. */
  | { type: "dropped"; text: string; reason: string }
  | { type: "call-start"; index: number; id: string; name: string }
  | { type: "call-delta"; index: number; argumentsDelta: string }
  | { type: "call-end"; index: number; call: Call }
  | { type: "call-invalid"; index: number; call: InvalidToolCall };

/** A whole reply, read. */
export interface ParsedReply<Call = ToolCall> {
  text: string;
  reasoning: string;
  toolCalls: Call[];
  invalidToolCalls: InvalidToolCall[];
  /** The answer where it is data and not text, which `text` then is in JSON. */
  value?: unknown;
}
