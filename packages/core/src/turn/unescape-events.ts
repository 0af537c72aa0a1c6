import { type Escaper, mapStrings } from "../prompt/escape.js";
import type { ReplyEvent } from "../types.js";

const breaker = 0x2060;

/**
 * Un-escapes streamed answers and arguments in which a model repeats escaped text (see `createEscaper`). Deltas and
 * `call.arguments` remain equal. Raw text (`dropped`, an invalid call's `raw`) is not changed.
 */
export function createEventUnescaper({ unescape: whole, breaksAfter }: Escaper): (event: ReplyEvent) => ReplyEvent {
  // Keys too: their text is part of the deltas.
  const data = (value: unknown) => (holdsBreaker(value) ? mapStrings(value, whole, whole) : value);
  const text = new TextUnescaper(breaksAfter);
  const reasoning = new TextUnescaper(breaksAfter);
  const calls = new Map<number, JsonUnescaper>();
  return (event) => {
    switch (event.type) {
      case "text":
        return {
          ...event,
          text: text.push(event.text),
          ...("value" in event ? { value: data(event.value) } : {}),
        };
      case "reasoning":
        return { ...event, text: reasoning.push(event.text) };
      case "call-start":
        calls.set(event.index, new JsonUnescaper(breaksAfter));
        return event;
      case "call-delta": {
        const argumentsDelta = calls.get(event.index)?.push(event.argumentsDelta) ?? event.argumentsDelta;
        return argumentsDelta === event.argumentsDelta ? event : { ...event, argumentsDelta };
      }
      case "call-end": {
        const args = data(event.call.arguments) as Record<string, unknown>;
        return args === event.call.arguments ? event : { ...event, call: { ...event.call, arguments: args } };
      }
      case "call-invalid": {
        const args = data(event.call.arguments);
        return args === event.call.arguments ? event : { ...event, call: { ...event.call, arguments: args } };
      }
      default:
        return event;
    }
  };
}

/** Whether a text or a key of plain data has a breaker. */
function holdsBreaker(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\u2060");
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
    if (!piece.includes("\u2060")) {
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

/** The same for JSON text, where a character may be written as `\uXXXX`, possibly split between two pieces. */
class JsonUnescaper {
  private last = "";
  private cut = "";

  constructor(private readonly breaksAfter: (char: string) => boolean) {}

  push(piece: string): string {
    const text = this.cut + piece;
    this.cut = "";
    // A breaker is literal or a `\u` escape.
    if (!text.includes("\\") && !text.includes("\u2060")) {
      this.last = text.at(-1) ?? this.last;
      return text;
    }
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
