import type { BodyKind } from "./reply/readers/body-kind.js";
import type { Syntax } from "./syntax/syntax.js";
import type { ListContext, ToolCall, ToolChoice, ToolDefinition, ToolResult } from "./types.js";

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

/** The context for rendering the tool section of the system prompt. */
export interface ToolPromptContext extends ListContext {
  toolChoice: ToolChoice;
  parallel: boolean;
}

/** The declaration of a wire format, for `defineProtocol`. */
export interface ProtocolDeclaration {
  name: string;
  /** The model families trained on it, or its purpose; and the source of its specification. */
  about: { models: string; source: string };
  syntax: Syntax;
  /** Renders the tool section of the system prompt: the available tools and how to call them. */
  renderTools(tools: readonly ToolDefinition[], context: ToolPromptContext): string;
  /** Renders results for the model, inside a user message. */
  renderResults(results: readonly ToolResult[], context: { tools: readonly ToolDefinition[] }): string;
}

/** A wire format that can be rendered, parsed and constrained. Created by `defineProtocol`. */
export interface Protocol extends ProtocolDeclaration {
  /** The kinds of the bodies in its syntax. */
  readonly bodies: readonly BodyKind[];
  /** Renders calls as the model writes them. Throws `RenderError` for a value that the format cannot represent. */
  renderCalls(
    calls: readonly Pick<ToolCall, "name" | "arguments">[],
    context: { tools: readonly ToolDefinition[] },
  ): string;
}
