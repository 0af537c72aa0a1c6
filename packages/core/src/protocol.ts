import type { ChatMessage, ToolCall, ToolDefinition, ToolResult } from "./types.js";

/** A place in a call that is not fixed text: the tool's name, the call's id, its position, or (in elements) an argument's key. */
export interface Slot {
  slot: "name" | "id" | "index" | "key";
}

/**
 * How one argument is written inside its own markup.
 * `json`: as JSON. `text`: raw where the schema says only string, else JSON. `xml`: the same with XML entities.
 */
export type Leaf = "json" | "text" | "xml";

/** How the arguments are written. */
export type Body =
  /** A JSON object; the name came before it. */
  | { body: "json"; escape?: "markup" }
  /** A JSON object that holds the name and the arguments under these keys. */
  | { body: "json-call"; name: string; arguments: string }
  /** One element an argument. */
  | { body: "elements"; open: Part[]; close: Part[]; leaf: Leaf };

/** A string is an exact marker; space around it is free when read. */
export type Part = string | Slot | Body;

/** One way to write a call. */
export interface Form {
  call: Part[];
}

/** Text between two markers that is not part of the answer. Without `close` it is the marker alone. */
export interface Span {
  open: string;
  close?: string;
  as: "reasoning" | "text" | "dropped";
}

/** A wire format, as data: what is rendered, parsed and constrained follows from it. */
export interface Syntax extends Form {
  /** Several calls in one reply. */
  parallel: boolean;
  /** Stop sequences that end the reply after a call; a reply that stops there is complete. */
  stop?: string[];
  /** Understood, never rendered nor constrained to. */
  also?: Form[];
  spans?: Span[];
}

/** How tools are shown to the model; a choice apart from how calls are written. `native`: the protocol's own way. */
export type ToolStyle = "native" | "json" | "signature";

/** What the tool section of the system prompt depends on. */
export interface ToolPromptContext {
  style: ToolStyle;
  toolChoice: import("./types.js").ToolChoice;
  parallel: boolean;
}

/** A wire format with the functions that show tools and results in it. Made by {@link defineProtocol}. */
export interface Protocol {
  name: string;
  syntax: Syntax;
  /** Model families that were trained on it, or what it is for; and where the format is specified. */
  about: { models: string; source: string };
  /** The tool section of the system prompt: which tools there are and how to call them. */
  renderTools(tools: readonly ToolDefinition[], context: ToolPromptContext): string;
  /** Calls as the model would have written them. Throws `RenderError` for a value the format cannot hold. */
  renderCalls(calls: readonly Pick<ToolCall, "name" | "arguments" | "id">[], context: { tools: readonly ToolDefinition[] }): string;
  /** Results as the model is to see them, inside a user message. */
  renderResults(results: readonly ToolResult[], context: { tools: readonly ToolDefinition[] }): string;
}

export type { ChatMessage };
