import type { SchemaInput } from "../../schema/to-json-schema.js";
import type { AnyTool } from "../../schema/tool-shapes.js";
import type {
  ChatMessage,
  FinishReason,
  ToolCall,
  ToolChoice,
  ToolDefinition,
  ToolResult,
  Usage,
} from "../../types.js";

/** A part of the input that a conversion dropped or had to write in another way. */
export interface Loss {
  /** JSON pointer into the input. */
  path: string;
  /** The field, keyword or part. */
  what: string;
  why: string;
  /** JSON pointers, as read back, to the parts that express it in another way. */
  instead?: string[] | undefined;
  /** The key that is misspelt here. */
  meant?: string | undefined;
}

/**
 * The result of a conversion: the value and all losses. Without losses, reading it back returns the same input in its
 * plainest form. These are equal: `isError: false` and none, `toolCalls: []` and none, and parameters that are absent,
 * `true`, `{ type: "object" }` or that with empty `properties` (see `normalizeTools`).
 */
export interface Converted<T> {
  value: T;
  losses: Loss[];
}

/** A tool to write, of any shape that `normalizeTools` accepts; its schema of any kind that `toJsonSchema` takes. */
export type GivenTool = AnyTool & { strict?: boolean | undefined };

/** The same in our shape. */
export type WritableTool = Omit<ToolDefinition, "parameters"> & { parameters?: SchemaInput | undefined };

/**
 * A conversation, with its tools and tool choice: what every provider's request is read as.
 *
 * @example
 * const conversations: Conversation[] = [openai.fromRequest(a).value, anthropic.fromRequest(b).value];
 * conversations.flatMap(({ tools = [] }) => tools.map(({ name }) => name));
 */
export interface Conversation {
  messages: ChatMessage[];
  tools?: ToolDefinition[] | undefined;
  toolChoice?: ToolChoice | undefined;
}

/** A conversation to write: a {@link Conversation}, or one with tools of any kind. */
export interface GivenConversation {
  messages: readonly ChatMessage[];
  tools?: readonly GivenTool[] | undefined;
  toolChoice?: ToolChoice | undefined;
}

/** A whole response that was read. */
export interface ReadReply {
  /**
   * The messages to append to the conversation. Several if the model reasoned between its calls (OpenAI's Responses).
   */
  messages: Extract<ChatMessage, { role: "assistant" }>[];
  /** The finish reason, if reported. */
  finish?: FinishReason;
  /** The tokens, including those of reasoning and caches, if reported. */
  usage?: Usage;
}

export interface ReadOptions {
  /** The tools with their original names, to restore names that the provider did not accept. */
  tools?: readonly Pick<ToolDefinition, "name">[] | undefined;
}

export interface ReadRequestOptions extends ReadOptions {
  /**
   * Whether to keep images of users' messages, for vision models: those with an address and those in the request. Those in
   * results of Anthropic and of Responses are moved to a user's message after the results. Default `false`: they are
   * reported as lost.
   */
  images?: boolean | undefined;
}

export interface ReadResultsOptions extends ReadOptions {
  /** The answered calls, because most providers' results have only the call's id. */
  calls?: readonly Pick<ToolCall, "id" | "name">[] | undefined;
}

/** An input value: it may have more fields, both as an SDK's interface and as an object literal. */
export type Given<T> = T | (T & { readonly [field: string]: unknown });

/** The options for writing tools. */
export interface WriteOptions {
  /**
   * Whether to write JSON Schema even if the provider has its own schema language: Gemini's `parametersJsonSchema`,
   * which newer models accept and which supports more keywords. Default `false`. Other providers always get JSON
   * Schema.
   */
  jsonSchema?: boolean | undefined;
}

/** The names of the provider formats. */
export type ProviderName = "openai" | "openai-functions" | "openai-responses" | "anthropic" | "gemini";

/**
 * The functions of every provider format. `to…` writes Toolingua's types in the provider's shape, `from…` reads them.
 * Both report losses; input without the provider's shape throws a `ProviderFormatError`, and a wrong option an `OptionsError`
 * (`bad-option`).
 */
export interface ProviderFormat<Shapes extends ProviderShapes> {
  readonly name: ProviderName;
  toTools(tools: readonly GivenTool[], options?: WriteOptions): Converted<Shapes["tools"]>;
  fromTools(tools: Shapes["givenTools"]): Converted<ToolDefinition[]>;
  toToolChoice(choice: ToolChoice): Converted<Shapes["choice"]>;
  fromToolChoice(choice: Shapes["givenChoice"], options?: ReadOptions): Converted<ToolChoice>;
  toCalls(calls: readonly ToolCall[]): Converted<Shapes["calls"]>;
  fromCalls(calls: Shapes["givenCalls"], options?: ReadOptions): Converted<ToolCall[]>;
  toResults(results: readonly ToolResult[]): Converted<Shapes["results"]>;
  fromResults(results: Shapes["givenResults"], options?: ReadResultsOptions): Converted<ToolResult[]>;
  toRequest(conversation: GivenConversation, options?: WriteOptions): Converted<Shapes["request"]>;
  fromRequest(request: Shapes["givenRequest"], options?: ReadRequestOptions): Converted<Conversation>;
  /**
   * Reads a whole response of the API or its SDK as messages to append to the conversation. Does not read streams. The
   * paths of losses are places in the response. Errors: `ProviderFormatError` for other values, such as an API error.
   */
  fromResponse(response: Shapes["givenResponse"], options?: ReadOptions): Converted<ReadReply>;
  /** The schema of a tool's parameters in the provider's format, as far as it can express it. */
  formatSchema(schema: SchemaInput): Converted<Shapes["schema"]>;
}

/** The provider's shapes: those written, and (`given…`) the wider ones that can be read. */
export interface ProviderShapes {
  tools: unknown;
  givenTools: unknown;
  choice: unknown;
  givenChoice: unknown;
  calls: unknown;
  givenCalls: unknown;
  results: unknown;
  givenResults: unknown;
  request: unknown;
  givenRequest: unknown;
  givenResponse: unknown;
  schema: unknown;
}

/** A conversation whose tools are in our shape. */
export type WritableConversation = Omit<GivenConversation, "tools"> & { tools?: readonly WritableTool[] | undefined };

/** A format whose functions get tools in our shape only; `withCommonLosses` makes a {@link ProviderFormat} of it. */
export interface OwnFormat<Shapes extends ProviderShapes>
  extends Omit<ProviderFormat<Shapes>, "toTools" | "toRequest"> {
  toTools(tools: readonly WritableTool[], options?: WriteOptions): Converted<Shapes["tools"]>;
  toRequest(conversation: WritableConversation, options?: WriteOptions): Converted<Shapes["request"]>;
}
