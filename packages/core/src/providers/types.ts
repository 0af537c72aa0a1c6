import type {
  ChatMessage,
  FinishReason,
  JsonSchema,
  ToolCall,
  ToolChoice,
  ToolDefinition,
  ToolResult,
  Usage,
} from "../types.js";

/** Something that a conversion could not carry over, or had to write in another way. */
export interface Loss {
  /** JSON pointer into what was converted. */
  path: string;
  /** The field, keyword or part. */
  what: string;
  why: string;
  /** JSON pointers to what says it in another way instead, as that is read back. */
  instead?: string[] | undefined;
}

/**
 * What a conversion gives: the value, and all that it lacks. No losses: reading it back gives the same again, in its
 * plainest form. These are the same: `isError: false` and none, `toolCalls: []` and none, and parameters that are absent,
 * `true`, `{ type: "object" }` or that with empty `properties` (see `normalizeTools`).
 */
export interface Converted<T> {
  value: T;
  losses: Loss[];
}

/** A conversation, and what the model may call in it. */
export interface Conversation {
  messages: readonly ChatMessage[];
  tools?: readonly ToolDefinition[] | undefined;
  toolChoice?: ToolChoice | undefined;
}

/** A conversation that was read. */
export interface ReadConversation {
  messages: ChatMessage[];
  tools?: ToolDefinition[];
  toolChoice?: ToolChoice;
}

/** A whole response that was read. */
export interface ReadReply {
  /** What the model said, to be added to the conversation. Several where it thought between its calls (OpenAI's Responses). */
  messages: Extract<ChatMessage, { role: "assistant" }>[];
  /** Why it ended, where that is said. */
  finish?: FinishReason;
  /** Tokens, those of thoughts and of caches too, where they are said. */
  usage?: Usage;
}

export interface ReadOptions {
  /** The tools by their own names, for names that the provider could not take and that were written in another way. */
  tools?: readonly Pick<ToolDefinition, "name">[] | undefined;
}

export interface ReadRequestOptions extends ReadOptions {
  /**
   * Whether images of users' messages are kept, for a model that sees: those with an address and those in the request.
   * Default `false`: they are reported as lost.
   */
  images?: boolean | undefined;
}

export interface ReadResultsOptions extends ReadOptions {
  /** The calls that are answered: most providers' results say only the call's id. */
  calls?: readonly Pick<ToolCall, "id" | "name">[] | undefined;
}

/** Something that is read: it may have fields that are not named here, in an SDK's interface and in an object literal alike. */
export type Given<T> = T | (T & { readonly [field: string]: unknown });

/** How tools are written. */
export interface WriteOptions {
  /**
   * Whether parameters are JSON Schema even where the provider has a schema language of its own: Gemini's `parametersJsonSchema`,
   * which newer models take and which says more. Default `false`. Of the other providers parameters are JSON Schema in any case.
   */
  jsonSchema?: boolean | undefined;
}

/** The provider formats that are known. */
export type ProviderName = "openai" | "openai-functions" | "openai-responses" | "anthropic" | "gemini";

/**
 * What every provider's module offers. `to…` writes ours in the provider's shape, `from…` reads it. Both give a report of
 * losses; what is not of the provider's shape at all is a `ProviderFormatError`.
 */
export interface ProviderFormat<Shapes extends ProviderShapes> {
  readonly name: ProviderName;
  toTools(tools: readonly ToolDefinition[], options?: WriteOptions): Converted<Shapes["tools"]>;
  fromTools(tools: Shapes["givenTools"]): Converted<ToolDefinition[]>;
  toToolChoice(choice: ToolChoice): Converted<Shapes["choice"]>;
  fromToolChoice(choice: Shapes["givenChoice"], options?: ReadOptions): Converted<ToolChoice>;
  toCalls(calls: readonly ToolCall[]): Converted<Shapes["calls"]>;
  fromCalls(calls: Shapes["givenCalls"], options?: ReadOptions): Converted<ToolCall[]>;
  toResults(results: readonly ToolResult[]): Converted<Shapes["results"]>;
  fromResults(results: Shapes["givenResults"], options?: ReadResultsOptions): Converted<ToolResult[]>;
  toRequest(conversation: Conversation, options?: WriteOptions): Converted<Shapes["request"]>;
  fromRequest(request: Shapes["givenRequest"], options?: ReadRequestOptions): Converted<ReadConversation>;
  /**
   * A whole response, as the API or its SDK gives it, as what is to be added to the conversation. Streams are not read. Its
   * losses stand at their places in the response. Errors: `ProviderFormatError` for what is no response, such as an error.
   */
  fromResponse(response: Shapes["givenResponse"], options?: ReadOptions): Converted<ReadReply>;
  /** The schema of a tool's parameters, as far as the provider takes it. */
  formatSchema(schema: JsonSchema): Converted<Shapes["schema"]>;
}

/** The provider's own shapes: what is written, and (`given…`) the wider range of what is read. */
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
