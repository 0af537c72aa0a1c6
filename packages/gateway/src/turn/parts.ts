import {
  type FinishReason,
  type InvalidToolCall,
  type ReplyEvent,
  type ToolDefinition,
  validateValue,
} from "@toolingua/core";
import { hasOneReading, isObject, jsonObject, lineBetween } from "@toolingua/core/adapters";
import { Failure } from "../failure.js";

/**
 * A part of a reply: reasoning, text, or a call. The `text` of a call is its arguments as JSON, as received so far.
 * `isCut`: the reply ended within the part, at the token limit or by a content filter.
 */
export type Part =
  | { type: "reasoning"; index: number; text: string; isCut?: boolean }
  | { type: "text"; index: number; text: string; isCut?: boolean }
  | { type: "call"; index: number; text: string; id: string; name: string; isCut?: boolean };

export type CallPart = Extract<Part, { type: "call" }>;

/** A change of a part: it begins, grows or ends. Only one part is open at a time. */
export type Piece =
  | { type: "open"; part: Part }
  | { type: "delta"; part: Part; text: string }
  | { type: "close"; part: Part };

/** Options of {@link Parts}. */
export interface PartsOptions {
  /** Whether a call is sent while the model writes it, not only when it is complete and valid. */
  liveCalls: boolean;
  /** Whether the answer includes the model's reasoning. */
  reasoning: boolean;
  /** The tools of the request. */
  tools?: readonly ToolDefinition[] | undefined;
  /** Whether the client has tools that this request does not allow. */
  hasForbidden?: boolean | undefined;
}

/**
 * Turns the events of a turn into the parts of a reply. Every API's writer uses them, for streams and for whole
 * answers.
 *
 * - White space alone is not a part.
 * - A call that is still invalid after the retries becomes what a model with native calls would return: a call if its
 *   name and arguments can be read in one way, which the client validates; else text. An unreadable call whose beginning was
 *   already streamed stays a call if it is complete and its arguments do not match the schema, so that the client refuses it.
 *   Otherwise it fails the reply: no API can take back what was sent, and a partial call must not pass for a complete one.
 */
export class Parts {
  readonly list: Part[] = [];
  /** Whether the token limit truncated a call. */
  cut = false;
  /** A call that the reply ended within, whether its beginning was sent, and the events of one that was not. */
  #half: { raw: string; wasBegun: boolean; waiting: ReplyEvent[] } | undefined;
  #open: Part | undefined;
  /** White space that is not followed by text yet. */
  #space = "";
  /** Whether the open text ends with a call. */
  #isAfterCall = false;
  /** The events of a buffered call. */
  #waiting: ReplyEvent[] = [];

  constructor(private readonly options: PartsOptions) {}

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
        if (this.options.liveCalls) return this.#call(event);
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

  /**
   * Called at the end of the reply. `finish`: why the model stopped. If it was not the token limit, half a call is like any
   * other that cannot be read; at the limit, one whose arguments are whole is passed on, as from a model with native calls.
   */
  end(finish?: FinishReason): Piece[] {
    const half = this.#half;
    if (half === undefined || finish !== "stop") {
      this.cut = half !== undefined;
      const pieces = half && finish !== "content-filter" ? this.#cutCall(half.waiting) : [];
      if (this.#open && (pieces.length > 0 || (!half && finish !== undefined && finish !== "stop")))
        this.#open.isCut = true;
      return [...pieces, ...this.#close()];
    }
    if (half.wasBegun) throw unreadable("The reply ended within it.");
    return [...this.#callAsText(half.raw), ...this.#close()];
  }

  #grow(type: "text" | "reasoning", text: string): Piece[] {
    const pieces: Piece[] = [];
    if (this.#open?.type !== type) {
      const begun = this.#space + text;
      this.#space = begun;
      if (begun.trim() === "") return [];
      pieces.push(...this.#start({ type, index: this.list.length, text: "" }), this.#add(begun));
    } else if (text !== "") pieces.push(this.#add(this.#isAfterCall ? lineBetween(this.#open.text, text) : text));
    if (text !== "") this.#isAfterCall = false;
    return pieces;
  }

  /** The pieces of a buffered call that the reply ended within, if its arguments are whole. */
  #cutCall(events: readonly ReplyEvent[]): Piece[] {
    const args = events.map((event) => (event.type === "call-delta" ? event.argumentsDelta : "")).join("");
    return jsonObject(args) === undefined ? [] : events.flatMap((event) => this.#call(event));
  }

  /** A call that cannot be passed on is text on lines of its own. */
  #callAsText(raw: string): Piece[] {
    const before = this.#open?.type === "text" ? this.#open.text : "";
    const pieces = this.#grow("text", lineBetween(before, raw));
    this.#isAfterCall = true;
    return pieces;
  }

  #call(event: ReplyEvent): Piece[] {
    if (event.type === "call-delta") return event.argumentsDelta === "" ? [] : [this.#add(event.argumentsDelta)];
    if (event.type !== "call-start") return [];
    return this.#start({ type: "call", index: this.list.length, text: "", id: event.id, name: event.name });
  }

  #invalid(call: InvalidToolCall): Piece[] {
    const wasBegun = this.#open?.type === "call";
    const waiting = this.#waiting.splice(0);
    if (call.error.code === "truncated") this.#half = { raw: call.raw, wasBegun, waiting };
    if (wasBegun) return this.#givenUp(call);
    if (call.name === undefined || !this.#wasRead(call) || !isObject(call.arguments))
      return this.#half ? [] : this.#callAsText(call.raw);
    return [
      ...this.#start({ type: "call", index: this.list.length, text: "", id: call.id, name: call.name }),
      this.#add(JSON.stringify(call.arguments)),
      ...this.#close(),
    ];
  }

  /** Handles an invalid call whose beginning was streamed. */
  #givenUp(call: InvalidToolCall): Piece[] {
    if (call.error.code === "truncated") {
      // The part stays open: nothing can be added to it.
      const part = this.#open as CallPart;
      part.isCut = true;
      this.#open = undefined;
      return [{ type: "close", part }];
    }
    const sent = jsonObject(this.#open!.text);
    if (sent !== undefined && (this.#wasRead(call) || this.#isRefused(call, sent))) return this.#close();
    throw unreadable(call.error.message);
  }

  #start(part: Part): Piece[] {
    const pieces = this.#close();
    this.#isAfterCall = false;
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

  /**
   * Whether every client that checks these arguments refuses them, such as those that lack a required one because the model
   * gave it an unknown name.
   */
  #isRefused({ name, error }: InvalidToolCall, sent: object): boolean {
    const tool = this.options.tools?.find((one) => one.name === name);
    return tool !== undefined && error.code === "invalid-arguments" && validateValue(sent, tool.parameters).length > 0;
  }

  /** Whether the client can check a call: it has one reading, and no tool that the client knows and forbids. */
  #wasRead(call: InvalidToolCall): boolean {
    return hasOneReading(call) && !(call.error.code === "unknown-tool" && this.options.hasForbidden);
  }
}

const unreadable = (why: string) =>
  new Failure("upstream", `The model wrote a call that cannot be read. ${why}`, { code: "invalid_tool_call" });
