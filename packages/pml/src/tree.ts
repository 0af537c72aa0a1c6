import type { ToolChoice, ToolDefinition } from "@toolingua/core";

// The tree of a document: plain data, without positions (see `positionOf`). What is absent is left out, never `undefined`.

/**
 * How dear something is when a document is pruned. `low` goes first, `always` never. Default: what it stands in says, else
 * `normal` (system messages `always`, facts and summaries `high`, thinking `low`).
 */
export type Keep = "always" | "high" | "normal" | "low";

/** What can be said of most elements. */
export interface Marks {
  /** By which it is found, as `#id`. */
  id?: string;
  keep?: Keep;
  /** A short text that stands in for it when a document is pruned. */
  alt?: string;
}

/** A document, `<pml version="1">`. */
export interface PmlDocument {
  version: "1";
  memory?: PmlMemoryItem[];
  tools?: PmlTools;
  conversation?: PmlConversation;
}

/** Something that is known whatever the conversation is about: `<fact>`. */
export interface PmlFact extends Marks {
  type: "fact";
  text: string;
}

/** What was said before, in short: `<summary>`. */
export interface PmlSummary extends Marks {
  type: "summary";
  text: string;
}

/** What `<memory>` holds. */
export type PmlMemoryItem = PmlFact | PmlSummary;

/** The tools that the model may call: `<tools choice="auto">` with a `<tool name description>` each, whose text is the JSON Schema of the parameters. */
export interface PmlTools {
  choice?: ToolChoice;
  list: ToolDefinition[];
}

/** `<conversation id topic>`. */
export interface PmlConversation {
  id?: string;
  topic?: string;
  /** How many turns were pruned from its beginning or middle. */
  omitted?: number;
  turns: PmlTurn[];
}

/** What a user says and what comes of it: `<turn index>`. */
export interface PmlTurn {
  index?: number;
  id?: string;
  keep?: Keep;
  messages: (PmlMessage | PmlToolOutput)[];
}

/** `<system>`, `<user>` or `<assistant>`. */
export interface PmlMessage extends Marks {
  type: "system" | "user" | "assistant";
  /** A finer role, in the application's words, such as `developer`. */
  role?: string;
  name?: string;
  parts: PmlPart[];
}

/** What a message consists of. */
export type PmlPart = PmlText | PmlThinking | PmlAttachment | PmlCall | PmlToolOutput | PmlEdit;

/** `<text>`. */
export interface PmlText {
  type: "text";
  text: string;
}

/** What the model thought: `<thinking>`. */
export interface PmlThinking {
  type: "thinking";
  text: string;
  /** By which a provider knows its own thoughts again. */
  signature?: string;
}

/** The kinds of attachments that have a meaning here; any other word is one too. */
export type AttachmentKind = "file" | "image" | "table" | "cursor" | "doc" | "ref" | "db" | "diff" | (string & {});

/** `<attachment type name path …>` with `<content>`. */
export interface PmlAttachment extends Marks {
  type: "attachment";
  /** The XML attribute `type`. */
  kind: AttachmentKind;
  name?: string;
  path?: string;
  /** Where the content is, instead of or besides `content`. */
  url?: string;
  /** The media type, such as `image/png`. */
  mime?: string;
  /** How `content` is written. Default: as text. */
  encoding?: "base64";
  /** The content was pruned. */
  omitted?: true;
  /** Any other attributes. */
  attributes?: Record<string, string>;
  content?: string;
}

/** A call: `<call id name …/>`. Texts are attributes; what attributes cannot hold stands in elements inside. */
export interface PmlCall {
  type: "call";
  id?: string;
  name: string;
  arguments: Record<string, unknown>;
}

/** What a tool gave: `<tool_output call="ID" status="error">`. In a turn, or inside a message. */
export interface PmlToolOutput extends Marks {
  type: "tool_output";
  /** The id of the call. Without: the first call before it that has no output. */
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

/** Anything in a document that has a place of its own. */
export type PmlNode = PmlDocument | PmlMemoryItem | PmlConversation | PmlTurn | PmlMessage | PmlPart;
