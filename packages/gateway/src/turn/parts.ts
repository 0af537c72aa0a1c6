import type { InvalidToolCall, ReplyEvent } from "@toolingua/core";
import { Failure } from "../failure.js";

/** A part of a reply: what the model thought, its text, or a call. `text` of a call is its arguments as JSON, so far. */
export type Part =
  | { type: "reasoning"; index: number; text: string }
  | { type: "text"; index: number; text: string }
  | { type: "call"; index: number; text: string; id: string; name: string; isCut?: boolean };

export type CallPart = Extract<Part, { type: "call" }>;

/** What happens to a part: it begins, grows, ends. One part is open at a time. */
export type Piece =
  | { type: "open"; part: Part }
  | { type: "delta"; part: Part; text: string }
  | { type: "close"; part: Part };

/**
 * The parts of a reply, from the events of a turn. Every API's writer works on them, for a stream and for a whole answer.
 *
 * - Space alone is no part.
 * - A call that is invalid, though the model was asked again, is what a model with native calls would give: a call, if its
 *   name and arguments can be read, which the client checks; else text. One that was begun in the stream and turned out to be
 *   unreadable fails the reply: no API can take back what was sent, and half a call must not be taken for a whole one.
 */
export class Parts {
  readonly list: Part[] = [];
  /** A call was cut by the token limit. */
  cut = false;
  #open: Part | undefined;
  /** Space that no text has followed yet. */
  #space = "";
  /** The events of a call that is sent whole. */
  #waiting: ReplyEvent[] = [];

  /** `holdCalls`: calls come whole, when they are known to be right. */
  constructor(private readonly options: { holdCalls: boolean; reasoning: boolean }) {}

  get calls(): CallPart[] {
    return this.list.filter((part) => part.type === "call");
  }

  on(event: ReplyEvent): Piece[] {
    switch (event.type) {
      case "text":
        return this.#grow("text", event.text);
      case "reasoning":
        return this.options.reasoning ? this.#grow("reasoning", event.text) : [];
      case "call-start":
      case "call-delta":
        if (!this.options.holdCalls) return this.#call(event);
        this.#waiting.push(event);
        return [];
      case "call-end":
        return [...this.#waiting.splice(0).flatMap((one) => this.#call(one)), ...this.#close()];
      case "call-invalid":
        return this.#invalid(event.call);
      default:
        return [];
    }
  }

  /** The reply is over. */
  end(): Piece[] {
    return this.#close();
  }

  #grow(type: "text" | "reasoning", text: string): Piece[] {
    const pieces: Piece[] = [];
    if (this.#open?.type !== type) {
      const begun = this.#space + text;
      this.#space = begun;
      if (begun.trim() === "") return [];
      pieces.push(...this.#start({ type, index: this.list.length, text: "" }), this.#add(begun));
    } else if (text !== "") pieces.push(this.#add(text));
    return pieces;
  }

  #call(event: ReplyEvent): Piece[] {
    if (event.type === "call-delta") return event.argumentsDelta === "" ? [] : [this.#add(event.argumentsDelta)];
    if (event.type !== "call-start") return [];
    return this.#start({ type: "call", index: this.list.length, text: "", id: event.id, name: event.name });
  }

  #invalid(call: InvalidToolCall): Piece[] {
    const wasBegun = this.#open?.type === "call";
    this.#waiting = [];
    if (call.error.code === "truncated") this.cut = true;
    if (wasBegun) return this.#givenUp(call);
    const isReadable = call.error.code === "unknown-tool" || call.error.code === "invalid-arguments";
    if (call.name === undefined || !isReadable || !isRecord(call.arguments))
      return this.cut ? [] : this.#grow("text", call.raw);
    return [
      ...this.#start({ type: "call", index: this.list.length, text: "", id: call.id, name: call.name }),
      this.#add(JSON.stringify(call.arguments)),
      ...this.#close(),
    ];
  }

  /** A call that was begun in the stream. */
  #givenUp(call: InvalidToolCall): Piece[] {
    if (call.error.code === "truncated") {
      // It stays open: what was sent of it is all there is.
      const part = this.#open as CallPart;
      part.isCut = true;
      this.#open = undefined;
      return [{ type: "close", part }];
    }
    if (call.error.code === "invalid-arguments" && isWhole(this.#open!.text)) return this.#close();
    throw new Failure("upstream", `The model wrote a call that cannot be read. ${call.error.message}`, {
      code: "invalid_tool_call",
    });
  }

  #start(part: Part): Piece[] {
    const pieces = this.#close();
    this.#space = "";
    this.#open = part;
    this.list.push(part);
    return [...pieces, { type: "open", part }];
  }

  #add(text: string): Piece {
    const part = this.#open!;
    part.text += text;
    return { type: "delta", part, text };
  }

  #close(): Piece[] {
    const part = this.#open;
    if (!part) return [];
    const pieces: Piece[] = part.type === "call" && part.text === "" ? [this.#add("{}")] : [];
    this.#open = undefined;
    this.#space = "";
    return [...pieces, { type: "close", part }];
  }
}

const isRecord = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

function isWhole(json: string): boolean {
  try {
    return isRecord(JSON.parse(json));
  } catch {
    return false;
  }
}
