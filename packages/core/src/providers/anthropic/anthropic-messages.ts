import type { GivenMessage, GivenPart } from "../common/given.js";
import type { ObjectSchema } from "../common/parameters.js";
import type { Given } from "../common/types.js";

// The types of Anthropic's Messages: https://docs.anthropic.com/en/api/messages

export interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: ObjectSchema;
  /** Whether the server constrains calls to the schema. Default: it does not. */
  strict?: true;
}

export type AnthropicToolChoice =
  | { type: "auto" }
  | { type: "any" }
  | { type: "none" }
  | { type: "tool"; name: string };

export interface AnthropicTextBlock {
  type: "text";
  text: string;
}

export interface AnthropicImageBlock {
  type: "image";
  source:
    | { type: "url"; url: string }
    | { type: "base64"; media_type: "image/jpeg" | "image/png" | "image/gif" | "image/webp"; data: string };
}

export interface AnthropicToolUse {
  type: "tool_use";
  id: string;
  name: string;
  input: Record<string, unknown>;
}

export interface AnthropicToolResult {
  type: "tool_result";
  tool_use_id: string;
  /** Undefined if the tool returned nothing. */
  content?: string;
  is_error?: boolean;
}

/** Reasoning, signed by the server, which accepts it again. */
export type AnthropicThought =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string };

export type AnthropicMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | (AnthropicImageBlock | AnthropicTextBlock)[] | AnthropicToolResult[] }
  | { role: "assistant"; content: string | (AnthropicThought | AnthropicTextBlock | AnthropicToolUse)[] };

export interface AnthropicRequest {
  /** The system text; several texts are separate blocks. */
  system?: string | AnthropicTextBlock[];
  messages: AnthropicMessage[];
  tools?: AnthropicTool[];
  tool_choice?: AnthropicToolChoice;
}

export type GivenAnthropicRequest = Given<{
  readonly system?: string | readonly GivenPart[] | undefined;
  readonly messages: readonly GivenMessage[];
  readonly tools?: readonly object[] | undefined;
  readonly tool_choice?: GivenPart | undefined;
}>;

/** The API's response message. */
export type GivenAnthropicResponse = Given<{
  readonly content: readonly GivenPart[];
}>;
