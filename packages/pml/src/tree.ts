import type { ToolChoice, ToolDefinition } from "@toolingua/core";

// The tree of a document: plain data, without positions (see `positionOf`). Absent fields are left out, never
// `undefined`.

/**
 * The importance of a node when a document is pruned. `low` is removed first, `always` never. Default: that of the
 * parent, else `normal` (system messages `always`, facts and summaries `high`, thinking `low`).
 */
export type Keep = "always" | "high" | "normal" | "low";

/** Fields of most elements. */
export interface Marks {
  /** The id by which the node is found, as `#id`. */
  id?: string;
  keep?: Keep;
  /** A short text that replaces the node when a document is pruned. */
  alt?: string;
}

/** A document, `<pml version="1">`. */
export interface PmlDocument {
  version: "1";
  memory?: PmlMemoryItem[];
  tools?: PmlTools;
  conversation?: PmlConversation;
}

/** A fact that is valid for any conversation: `<fact>`. */
export interface PmlFact extends Marks {
  type: "fact";
  text: string;
}

/** A short version of earlier conversation: `<summary>`. */
export interface PmlSummary extends Marks {
  type: "summary";
  text: string;
}

/** An item of `<memory>`. */
export type PmlMemoryItem = PmlFact | PmlSummary;

/**
 * The tools that the model may call: `<tools choice="auto">` with a `<tool name description>` each, whose text is the
 * JSON Schema of the parameters.
 */
export interface PmlTools {
  choice?: ToolChoice;
  list: ToolDefinition[];
}

/** `<conversation id topic>`. */
export interface PmlConversation {
  id?: string;
  topic?: string;
  /** The number of turns that were pruned from its beginning or middle. */
  omitted?: number;
  turns: PmlTurn[];
}

/** A user's message and the answers to it: `<turn index>`. */
export interface PmlTurn {
  index?: number;
  id?: string;
  keep?: Keep;
  messages: (PmlMessage | PmlToolOutput)[];
}

/** `<system>`, `<user>` or `<assistant>`. */
export interface PmlMessage extends Marks {
  type: "system" | "user" | "assistant";
  /** A more specific role defined by the application, such as `developer`. */
  role?: string;
  name?: string;
  parts: PmlPart[];
}

/** A part of a message. */
export type PmlPart = PmlText | PmlThinking | PmlAttachment | PmlCall | PmlToolOutput | PmlEdit;

/** `<text>`. */
export interface PmlText {
  type: "text";
  text: string;
}

/** The model's reasoning: `<thinking>`. */
export interface PmlThinking {
  type: "thinking";
  text: string;
  /** The signature by which a provider verifies its own reasoning. */
  signature?: string;
}

/** The kinds of attachments with a defined meaning. Other kinds are allowed. */
export type AttachmentKind = "file" | "image" | "table" | "cursor" | "doc" | "ref" | "db" | "diff" | (string & {});

/** `<attachment type name path …>` with `<content>`. */
export interface PmlAttachment extends Marks {
  type: "attachment";
  /** The XML attribute `type`. */
  kind: AttachmentKind;
  name?: string;
  path?: string;
  /** The address of the content, instead of or besides `content`. */
  url?: string;
  /** The media type, such as `image/png`. */
  mime?: string;
  /** The encoding of `content`. Default: plain text. */
  encoding?: "base64";
  /** Set if the content was pruned. */
  omitted?: true;
  /** Any other attributes. */
  attributes?: Record<string, string>;
  content?: string;
}

/** A call: `<call id name …/>`. String arguments are attributes; other arguments are elements inside. */
export interface PmlCall {
  type: "call";
  id?: string;
  name: string;
  arguments: Record<string, unknown>;
}

/** The result of a tool: `<tool_output call="ID" status="error">`. In a turn, or inside a message. */
export interface PmlToolOutput extends Marks {
  type: "tool_output";
  /** The id of the call. If missing: the first earlier call without an output. */
  call?: string;
  name?: string;
  status?: "error";
  text: string;
  attachments?: PmlAttachment[];
}

/** A change of a file, as new content or as a diff: `<edit file="…">`. */
export interface PmlEdit extends Marks {
  type: "edit";
  file: string;
  text: string;
}

/** Any node of a document that has a position. */
export type PmlNode = PmlDocument | PmlMemoryItem | PmlConversation | PmlTurn | PmlMessage | PmlPart;
