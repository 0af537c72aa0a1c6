import { createEscaper, type Escaper, hasBreaker, mapStrings } from "../prompt/escape.js";
import { everyProtocol } from "../protocols/index.js";
import type { ReplyEvent } from "../types.js";

const breaker = 0x2060;

/**
 * Un-escapes streamed answers and arguments in which a model repeats escaped text (see `createEscaper`). Deltas and
 * `call.arguments` remain equal. Raw text (`dropped`, an invalid call's `raw`) is not changed.
 */
export const createEventUnescaper = (escaper: Escaper): ((event: ReplyEvent) => ReplyEvent) =>
  new EventUnescaper(escaper).on;

/**
 * The same for text that was escaped as `renderPrompt` does by default. For adapters that read replies themselves.
 *
 * @example parser.push(chunk).map(unescapedEvents());
 */
export const unescapedEvents = (): ((event: ReplyEvent) => ReplyEvent) =>
  createEventUnescaper(createEscaper(everyProtocol));

/** What is remembered of each kind of text is created when the kind occurs. */
class EventUnescaper {
  #text: TextUnescaper | undefined;
  #reasoning: TextUnescaper | undefined;
  /** The call that is open, and its number: a call ends before the next one begins. */
  #call: { index: number; text: JsonUnescaper } | undefined;

  constructor(private readonly escaper: Escaper) {}

  /** The event with un-escaped text; the same one if nothing changes. */
  readonly on = (event: ReplyEvent): ReplyEvent => {
    switch (event.type) {
      case "text": {
        this.#text ??= new TextUnescaper(this.escaper.breaksAfter);
        const text = this.#text.push(event.text);
        const value = "value" in event ? this.#data(event.value) : undefined;
        if (text === event.text && value === event.value) return event;
        return { ...event, text, ...("value" in event ? { value } : {}) };
      }
      case "reasoning": {
        this.#reasoning ??= new TextUnescaper(this.escaper.breaksAfter);
        const text = this.#reasoning.push(event.text);
        return text === event.text ? event : { ...event, text };
      }
      case "call-start":
        this.#call = { index: event.index, text: new JsonUnescaper(this.escaper.breaksAfter) };
        return event;
      case "call-delta": {
        const argumentsDelta = this.#textOf(event.index)?.push(event.argumentsDelta) ?? event.argumentsDelta;
        return argumentsDelta === event.argumentsDelta ? event : { ...event, argumentsDelta };
      }
      case "call-end": {
        // The arguments are what the deltas say.
        if (this.#textOf(event.index)?.isPlain) return event;
        const args = this.#data(event.call.arguments) as Record<string, unknown>;
        return args === event.call.arguments ? event : { ...event, call: { ...event.call, arguments: args } };
      }
      case "call-invalid": {
        const args = this.#data(event.call.arguments);
        return args === event.call.arguments ? event : { ...event, call: { ...event.call, arguments: args } };
      }
      default:
        return event;
    }
  };

  #textOf(index: number): JsonUnescaper | undefined {
    return this.#call?.index === index ? this.#call.text : undefined;
  }

  /** Data with its strings un-escaped. Keys too: their text is part of the deltas. */
  #data(value: unknown): unknown {
    const { unescape: whole } = this.escaper;
    return holdsBreaker(value) ? mapStrings(value, whole, whole) : value;
  }
}

/** Whether a text or a key of plain data has a breaker. */
function holdsBreaker(value: unknown): boolean {
  if (typeof value === "string") return hasBreaker(value);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsBreaker);
  for (const [key, part] of Object.entries(value)) if (holdsBreaker(key) || holdsBreaker(part)) return true;
  return false;
}

/** Removes breakers from streamed text. */
class TextUnescaper {
  private last = "";

  constructor(private readonly breaksAfter: (char: string) => boolean) {}

  push(piece: string): string {
    if (!hasBreaker(piece)) {
      this.last = piece.at(-1) ?? this.last;
      return piece;
    }
    let out = "";
    for (const char of piece) {
      if (char.charCodeAt(0) === breaker && this.breaksAfter(this.last)) continue;
      out += char;
      this.last = char;
    }
    return out;
  }
}

/**
 * The same for JSON text, where a character may be written as an escape such as `\u0041`, possibly split between two pieces.
 */
class JsonUnescaper {
  private last = "";
  private cut = "";
  private isRead = false;
  private mayBreak = false;

  constructor(private readonly breaksAfter: (char: string) => boolean) {}

  /** Whether text was read, and none of it can have a breaker. */
  get isPlain(): boolean {
    return this.isRead && !this.mayBreak;
  }

  push(piece: string): string {
    const text = this.cut + piece;
    this.cut = "";
    this.isRead = true;
    // A breaker is literal or a `\u` escape.
    if (!text.includes("\\") && !hasBreaker(text)) {
      this.last = text.at(-1) ?? this.last;
      return text;
    }
    this.mayBreak = true;
    let out = "";
    for (let at = 0; at < text.length; ) {
      const length = text[at] !== "\\" ? 1 : text[at + 1] === "u" ? 6 : 2;
      const spelt = text.slice(at, at + length);
      if (spelt.length < length || spelt === "\\") {
        this.cut = spelt;
        break;
      }
      at += length;
      const char = length === 6 ? String.fromCharCode(Number.parseInt(spelt.slice(2), 16)) : spelt;
      if (char.charCodeAt(0) === breaker && this.breaksAfter(this.last)) continue;
      out += spelt;
      this.last = char;
    }
    return out;
  }
}
