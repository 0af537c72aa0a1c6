import type { PmlSyntaxError } from "../errors.js";
import type { PmlConversation, PmlDocument, PmlMemoryItem, PmlTools, PmlTurn } from "../tree.js";
import { roots } from "../vocabulary.js";
import { ElementReader, type RawElement } from "./elements.js";
import { limitsOf, type PmlLimits } from "./limits.js";
import { NodeReader } from "./nodes.js";
import { type PmlRange, remember } from "./position.js";

/** A piece of a document. Reading by events needs little memory for a document of any size. */
export type PmlEvent =
  | { type: "memory" }
  | { type: "memory-item"; item: PmlMemoryItem }
  | { type: "tools"; tools: PmlTools }
  | { type: "conversation"; conversation: Omit<PmlConversation, "turns"> }
  | { type: "turn"; turn: PmlTurn };

/** Reads a document in pieces. */
export interface PmlReader {
  /** Returns the events that are now complete. */
  push(chunk: string): PmlEvent[];
  end(): PmlEvent[];
}

/**
 * Reads the text of a document in pieces: each fact and each turn is returned when it is complete, and not kept.
 * `<memory>`, `<tools>` and `<conversation>` may occur without `<pml version="1">` around them.
 *
 * Errors: `PmlSyntaxError`, with line and column; `OptionsError` for limits.
 *
 * @example
 * const reader = createPmlReader({ maxLength: Infinity });
 * for await (const chunk of file.createReadStream({ encoding: "utf8" })) for (const event of reader.push(chunk))
 * show(event); reader.end();
 */
export function createPmlReader(limits: PmlLimits = {}): PmlReader {
  return new Reader(limits);
}

class Reader implements PmlReader {
  private readonly elements: ElementReader;
  private readonly nodes: NodeReader;
  private readonly seen = new Set<string>();
  private events: PmlEvent[] = [];
  private conversation: object | undefined;
  /** Whether `</pml>` was read. */
  private isClosed = false;

  constructor(given: PmlLimits) {
    const limits = limitsOf(given);
    this.nodes = new NodeReader(() => this.elements, limits);
    this.elements = new ElementReader(limits, this);
  }

  push(chunk: string): PmlEvent[] {
    this.elements.push(chunk);
    return this.taken();
  }

  end(): PmlEvent[] {
    this.elements.end();
    if (this.seen.size === 0) {
      throw this.elements.error(
        "structure",
        'The text is not a document: a document begins with <pml version="1">.',
        this.range.start,
      );
    }
    return this.taken();
  }

  opened(element: RawElement): void {
    const { name } = element;
    if (!roots.includes(name)) return;
    if (this.isClosed) {
      throw this.elements.error("structure", `<${name}> comes after </pml>, which ends the document.`, element.start);
    }
    if (this.seen.has(name) || (name === "pml" && this.seen.size > 0)) {
      throw this.elements.error("structure", `A document has one <${name}>.`, element.start);
    }
    this.seen.add(name);
    if (name === "memory") this.events.push({ type: "memory" });
    if (name === "conversation") {
      const conversation = this.nodes.conversation(element);
      this.conversation = conversation;
      this.events.push({ type: "conversation", conversation });
    }
  }

  closed(element: RawElement): boolean {
    switch (element.name) {
      case "fact":
      case "summary":
        this.events.push({ type: "memory-item", item: this.nodes.memoryItem(element) });
        return true;
      case "tools":
        this.events.push({ type: "tools", tools: this.nodes.tools(element) });
        return true;
      case "turn":
        this.events.push({ type: "turn", turn: this.nodes.turn(element) });
        return true;
      case "conversation":
        if (this.conversation) remember(this.conversation, this.elements.rangeOf(element));
        return true;
      case "pml":
        this.isClosed = true;
        return true;
      default:
        return roots.includes(element.name);
    }
  }

  /** The range of the whole document. */
  get range(): PmlRange {
    return this.elements.range;
  }

  notText(): PmlSyntaxError {
    return this.elements.error("syntax", "The bytes are not UTF-8. Save the document as UTF-8.");
  }

  noStream(): PmlSyntaxError {
    return this.elements.error(
      "syntax",
      "A document is read from a stream of text or bytes, such as a response's body.",
    );
  }

  private taken(): PmlEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }
}

/**
 * Parses a whole document. Strict: elements, attributes and values unknown to PML are errors, not ignored. Text
 * directly in `<user>` counts as a `<text>` without surrounding white space. Comments are skipped.
 *
 * Errors: `PmlSyntaxError`, with line and column and what would be right; `OptionsError` for limits.
 *
 * @example
 * const { conversation } = parsePml('<pml
 * version="1"><conversation><turn><user>Hi</user></turn></conversation></pml>');
 * conversation.turns[0].messages[0].parts; // [{ type: "text", text: "Hi" }]
 */
export function parsePml(xml: string, limits: PmlLimits = {}): PmlDocument {
  const reader = new Reader(limits);
  const document: PmlDocument = { version: "1" };
  for (const event of [...reader.push(xml), ...reader.end()]) addTo(document, event);
  remember(document, reader.range);
  return document;
}

/** Adds an event to the document that is being built. */
export function addTo(document: PmlDocument, event: PmlEvent): void {
  switch (event.type) {
    case "memory":
      document.memory ??= [];
      return;
    case "memory-item":
      document.memory = document.memory ?? [];
      document.memory.push(event.item);
      return;
    case "tools":
      document.tools = event.tools;
      return;
    case "conversation":
      // The same object, because its position is recorded when it is complete.
      document.conversation = Object.assign(event.conversation, { turns: [] });
      return;
    case "turn":
      document.conversation = document.conversation ?? { turns: [] };
      document.conversation.turns.push(event.turn);
      return;
  }
}

/**
 * Reads a document from a stream of text or of UTF-8 bytes, such as a file's or a response's body.
 *
 * Errors: those of {@link createPmlReader}; `PmlSyntaxError` `syntax` for bytes that are not UTF-8.
 *
 * @example for await (const event of readPml(response.body)) if (event.type === "turn") show(event.turn);
 */
export async function* readPml(
  source: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  limits: PmlLimits = {},
): AsyncGenerator<PmlEvent> {
  const reader = new Reader(limits);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decoded = (bytes?: Uint8Array): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw reader.notText();
    }
  };
  if (typeof source !== "string" && !(Symbol.asyncIterator in Object(source)) && !(Symbol.iterator in Object(source)))
    throw reader.noStream();
  for await (const chunk of source) yield* reader.push(typeof chunk === "string" ? chunk : decoded(chunk));
  yield* reader.push(decoded());
  yield* reader.end();
}
