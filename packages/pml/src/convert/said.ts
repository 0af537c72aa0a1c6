import { type ChatMessage, escapeText, type ImageContent, type ToolCall, type ToolResult } from "@toolingua/core";
import { asUntrusted, jsonPointer, type Losses, oneOf } from "@toolingua/core/adapters";
import { base64In } from "../base64.js";
import type {
  PmlAttachment,
  PmlCall,
  PmlConversation,
  PmlDocument,
  PmlMessage,
  PmlPart,
  PmlToolOutput,
  PmlTurn,
} from "../tree.js";
import { memoryElement, nodeElement } from "../write/elements.js";
import { comesBack, inPrompt, systemXml, unchanged } from "../write/prompt-xml.js";
import { writeElement } from "../write/stringify-pml.js";
import { CallIds } from "./call-ids.js";
import { documentText } from "./long-documents.js";
import { TurnOrder } from "./turn-order.js";
import { writableText } from "./writable-text.js";

/** A document's messages in the form of chat APIs, and their places in the document. */
export interface Said {
  messages: ChatMessage[];
  /** For each message, the JSON pointer to its origin. */
  origins: string[];
}

/** How attachments and edits are written in a text: in the common format for long documents, or as PML. */
export type AttachmentStyle = "documents" | "pml";

/** Options for converting a document to messages. */
interface SaidOptions {
  attachments?: AttachmentStyle | undefined;
  /** Whether the format keeps ids and titles of conversations. */
  keepsConversation?: boolean;
}

export const toMessagesRules = { attachments: oneOf("documents", "pml") };

/** Converts a document to messages, and reports what is lost. */
export function saidIn(document: PmlDocument, losses: Losses, options: SaidOptions = {}): Said {
  return new Speaker(losses, options).speak(document);
}

class Speaker {
  private readonly said: Said = { messages: [], origins: [] };
  private readonly ids = new CallIds();

  constructor(
    private readonly losses: Losses,
    private readonly options: SaidOptions,
  ) {}

  speak({ memory, conversation }: PmlDocument): Said {
    if (memory?.length) {
      // A system message is trusted, and what is remembered is not: users and tools said it.
      this.add(asUntrusted({ role: "system", content: systemXml(memoryElement(memory)) }), "/memory");
      memory.forEach((item, i) => {
        for (const [key, text] of Object.entries(item)) {
          const path = jsonPointer("/memory", i, key);
          writableText(text, path, this.losses);
          if (!comesBack(text)) this.losses.add(path, "characters", "a word joiner inside a marker is omitted");
        }
      });
    } else if (memory) this.losses.add("/memory", "memory", "is empty, and omitted");
    if (!conversation) return this.said;
    this.turns(conversation);
    const [first] = this.said.messages;
    if (!memory?.length && first?.role === "system" && first.content.startsWith("<memory>")) {
      this.losses.add(this.said.origins[0] ?? "", "text", "is read as the memory");
    }
    return this.said;
  }

  private turns(conversation: PmlConversation): void {
    const { turns } = conversation;
    if (!this.options.keepsConversation) this.lose(conversation, ["id", "topic"], "/conversation");
    this.lose(conversation, ["omitted"], "/conversation");
    if (turns.length === 0) this.losses.add("/conversation", "conversation", "has no turns, and is omitted");
    this.ids.reserve(turns);
    turns.forEach((turn, i) => {
      const path = jsonPointer("/conversation/turns", i);
      this.lose(turn, ["id", "keep"], path);
      if (turn.index !== i + 1) this.losses.add(jsonPointer(path, "index"), "index", "turns are counted from 1");
      if (turn.messages.length === 0) this.losses.add(path, "turn", "is empty, and omitted");
      turn.messages.forEach((node, j) => {
        this.node(node, jsonPointer(path, "messages", j));
      });
    });
    this.reportTurns(rolesIn(turns));
  }

  /** Reports turns that will not be read back: a turn begins where a user speaks after an answer. */
  private reportTurns(roles: readonly (readonly string[])[]): void {
    const order = new TurnOrder();
    let isFirst = true;
    roles.forEach((turn, i) => {
      const path = jsonPointer("/conversation/turns", i);
      turn.forEach((role, j) => {
        const begins = order.begins(role);
        if (j === 0 && !isFirst && !begins) {
          this.losses.add(
            path,
            "turn",
            "begins with no user's message after an answer: it is joined to the one before it",
          );
        }
        if (j > 0 && begins) this.losses.add(path, "turn", "has a user's message after an answer: it is parted there");
        isFirst = false;
      });
    });
  }

  private node(node: PmlMessage | PmlToolOutput, path: string): void {
    if (node.type === "tool_output") this.toolOutput(node, path);
    else if (node.type === "assistant") this.assistant(node, path);
    else this.speech(node, path, node.type);
  }

  private speech(node: PmlMessage, path: string, role: "system" | "user"): void {
    this.lose(node, MESSAGE, path);
    const texts: string[] = [];
    const images: ImageContent[] = [];
    node.parts.forEach((part, i) => {
      const at = jsonPointer(path, "parts", i);
      if (part.type === "tool_output") this.loseSplit(node, at);
      const image = role === "user" && part.type === "attachment" ? this.image(part, at) : undefined;
      if (image && texts.length > 0) this.losses.add(at, "order", "images come before the text");
      if (image) images.push(image);
      else this.text(part, at, texts, role === "system");
    });
    const content = this.joined(texts, path);
    if (role === "system") this.add({ role, content }, path);
    else this.add({ role, content, ...(images.length > 0 && { images }) }, path);
    this.outputsIn(node, path);
  }

  /** Adds the outputs inside a message after it. */
  private outputsIn(node: PmlMessage, path: string): void {
    node.parts.forEach((part, i) => {
      if (part.type === "tool_output") this.toolOutput(part, jsonPointer(path, "parts", i));
    });
  }

  private loseSplit(node: PmlMessage, path: string): void {
    this.losses.add(path, "tool_output", `is inside <${node.type}>: it becomes a separate message`);
  }

  private assistant(node: PmlMessage, path: string): void {
    this.lose(node, MESSAGE, path);
    let texts: string[] = [];
    let thoughts: string[] = [];
    let calls: ToolCall[] = [];
    let isEmpty = true;
    const flush = () => {
      const content = this.joined(texts, path);
      const reasoning = this.joined(thoughts, path);
      this.add(
        {
          ...{ role: "assistant", content },
          ...(calls.length > 0 && { toolCalls: calls }),
          ...(thoughts.length > 0 && { reasoning }),
        },
        path,
      );
      [texts, thoughts, calls, isEmpty] = [[], [], [], true];
    };
    node.parts.forEach((part, i) => {
      const at = jsonPointer(path, "parts", i);
      switch (part.type) {
        case "tool_output":
          this.loseSplit(node, at);
          if (!isEmpty) flush();
          this.toolOutput(part, at);
          return;
        case "thinking":
          this.lose(part, ["signature"], at);
          if (texts.length + calls.length > 0) this.losses.add(at, "order", "thinking comes before the text");
          if (part.text === "") this.losses.add(at, "thinking", "is empty, and omitted");
          else thoughts.push(part.text);
          break;
        case "call":
          calls.push(this.call(part, at));
          break;
        default:
          if (calls.length > 0) this.losses.add(at, "order", "text comes before the calls");
          this.text(part, at, texts);
      }
      isEmpty = false;
    });
    if (!isEmpty || node.parts.length === 0) flush();
  }

  private call(part: PmlCall, path: string): ToolCall {
    if (part.id === undefined) this.losses.add(jsonPointer(path, "id"), "id", "was made");
    // A call without a name is none in a message.
    const name = part.name || "unknown";
    if (name !== part.name) this.losses.add(jsonPointer(path, "name"), "name", "is empty, and was made");
    return { id: this.ids.called(part).id, name, arguments: part.arguments };
  }

  private toolOutput(node: PmlToolOutput, path: string): void {
    this.lose(node, ["id", "keep", "alt"], path);
    const { id, name, isKnown } = this.ids.answered(node);
    if (node.call === undefined) {
      this.losses.add(jsonPointer(path, "call"), "call", isKnown ? "was found by the order" : "was made");
    }
    if (isKnown && node.name !== undefined) this.losses.add(jsonPointer(path, "name"), "name", "is the call's");
    if (!isKnown && !node.name) this.losses.add(jsonPointer(path, "name"), "name", "is not known");
    const texts = node.text === "" ? [] : [node.text];
    node.attachments?.forEach((one, i) => {
      this.text(one, jsonPointer(path, "attachments", i), texts);
    });
    const content = texts.join("\n\n");
    const result: ToolResult = { toolCallId: id, name, content, ...(node.status && { isError: true }) };
    this.add({ role: "tool", ...result }, path);
  }

  /** Adds a part that is text, or becomes text. */
  private text(part: PmlPart, path: string, texts: string[], isTrusted = false): void {
    switch (part.type) {
      case "text":
        if (part.text === "") this.losses.add(path, "text", "is empty, and omitted");
        else texts.push(part.text);
        return;
      case "tool_output":
        return;
      case "thinking":
        this.losses.add(path, "thinking", "only the assistant thinks: it is omitted");
        return;
      default: {
        this.losses.add(path, part.type, "is written as text");
        const text = this.options.attachments === "pml" ? xmlOf(part) : documentText(part);
        // A system message is trusted: nothing else breaks the markers in it.
        texts.push(isTrusted ? escapeText(text) : text);
      }
    }
  }

  /** The part as an image that APIs accept, if it is one. */
  private image(part: PmlAttachment, path: string): ImageContent | undefined {
    const { url, mime, encoding, content, attributes = {} } = part;
    const { detail, ...others } = attributes;
    if (part.kind !== "image") return undefined;
    const data = encoding === "base64" && /^image\/[\w.+-]+$/.test(mime ?? "") ? base64In(content) : undefined;
    if (data === undefined && (url === undefined || !/^https?:\/\//i.test(url))) return undefined;
    this.lose(
      part,
      ["id", "keep", "alt", "name", "path", "omitted", ...(data ? ["url"] : ["mime", "encoding", "content"])],
      path,
    );
    if (data !== undefined && data !== content) this.losses.add(path, "space", "base64 is written without space in it");
    if (Object.keys(others).length > 0) this.lose({ attributes: others }, ["attributes"], path);
    const address = data === undefined ? String(url) : `data:${mime};base64,${data}`;
    return { url: address, ...(detail !== undefined && { detail }) };
  }

  private joined(texts: readonly string[], path: string): string {
    if (texts.length > 1) this.losses.add(path, "parts", `a message has one text: ${texts.length} were joined`);
    return texts.join("\n\n");
  }

  private lose(node: object, fields: readonly string[], path: string): void {
    for (const [key, value] of Object.entries(node)) {
      if (fields.includes(key) && value !== undefined) {
        this.losses.add(jsonPointer(path, key), key, "has no counterpart in messages");
      }
    }
  }

  private add(message: ChatMessage, origin: string): void {
    this.said.messages.push(message);
    this.said.origins.push(origin);
  }
}

const MESSAGE = ["role", "name", "id", "keep", "alt"];

/** The roles in each turn. Outputs inside a message are in the message's turn anyway. */
const rolesIn = (turns: readonly PmlTurn[]): string[][] =>
  turns.map(({ messages }) => messages.map(({ type }) => type));

/** A part as PML. */
const xmlOf = (part: PmlPart): string => writeElement(nodeElement(part), inPrompt(unchanged)).trimEnd();
