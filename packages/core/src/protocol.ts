import type { BodyKind } from "./reply/body-kind.js";
import type { Syntax } from "./syntax/syntax.js";
import type { ToolCall, ToolChoice, ToolDefinition, ToolResult } from "./types.js";

export type {
  ActionBody,
  AttributesBody,
  Body,
  ElementsBody,
  Form,
  InputBody,
  JsonBody,
  JsonCallBody,
  KeyedCallBody,
  Leaf,
  Messages,
  Part,
  PythonArgumentsBody,
  Slot,
  Span,
  Syntax,
  YamlBody,
} from "./syntax/syntax.js";

/**
 * How tools are shown to the model; a choice apart from how calls are written. `native`: the protocol's own way; `json`:
 * compact JSON Schema; `signature`: TypeScript-like signatures; `compact`: a line an argument, the fewest tokens.
 */
export type ToolStyle = "native" | "json" | "signature" | "compact";

/** What the tool section of the system prompt depends on. */
export interface ToolPromptContext {
  style: ToolStyle;
  toolChoice: ToolChoice;
  parallel: boolean;
}

/** What one says of a wire format to `defineProtocol`. */
export interface ProtocolDeclaration {
  name: string;
  /** Model families that were trained on it, or what it is for; and where the format is specified. */
  about: { models: string; source: string };
  syntax: Syntax;
  /** The tool section of the system prompt: which tools there are and how to call them. */
  renderTools(tools: readonly ToolDefinition[], context: ToolPromptContext): string;
  /** Results as the model is to see them, inside a user message. */
  renderResults(results: readonly ToolResult[], context: { tools: readonly ToolDefinition[] }): string;
}

/** A wire format that can be rendered, parsed and constrained. Made by `defineProtocol`. */
export interface Protocol extends ProtocolDeclaration {
  /** What writes and reads the bodies of its syntax. */
  readonly bodies: readonly BodyKind[];
  /** Calls as the model would have written them. Throws `RenderError` for a value the format cannot hold. */
  renderCalls(
    calls: readonly Pick<ToolCall, "name" | "arguments">[],
    context: { tools: readonly ToolDefinition[] },
  ): string;
}
