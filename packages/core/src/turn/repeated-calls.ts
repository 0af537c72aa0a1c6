import { callKey } from "../common/call-key.js";
import type { InvalidToolCall, ReplyEvent, ToolCall } from "../types.js";
import type { Emit } from "./attempt-events.js";

/** A repeated call that was dropped and ended the reply. */
export interface RepeatedCall {
  name: string;
  arguments: unknown;
}

/**
 * Passes the same call (same name, equal arguments, keys in any order) up to `max` times. One more is dropped and the
 * reply is `over`, because a small model may get caught in a loop and repeat one call up to the token limit. Wrong calls
 * count too.
 *
 * Calls stream, except those that may be such a repetition: once a call of a tool has reached the limit, the next call
 * of that tool is buffered until it is complete.
 */
export class RepeatedCalls {
  /** The call that ended the reply. */
  over: RepeatedCall | undefined;
  /** The first call: most replies have one, and need no maps. */
  #only: { name: string; args: unknown } | undefined;
  /** The first call of each tool; its key is computed only when a second one comes. */
  #first: Map<string, unknown> | undefined;
  #made: Map<string, number> | undefined;
  /** The tools with a call that has reached the limit. */
  #full: Set<string> | undefined;
  #buffered: ReplyEvent[] | undefined;

  constructor(
    private readonly max: number,
    private readonly emit: Emit,
  ) {}

  /** Processes an event, and emits or buffers it. */
  on(event: ReplyEvent): void {
    if (event.type === "call-end" || event.type === "call-invalid") {
      const buffered = this.#buffered;
      this.#buffered = undefined;
      if (!this.#mayBeMade(event.call)) return this.emit(this.#dropped(event.call));
      if (buffered) for (const one of buffered) this.emit(one);
      return this.emit(event);
    }
    if (event.type === "call-start" && this.#full?.has(event.name)) this.#buffered = [];
    if (this.#buffered) this.#buffered.push(event);
    else this.emit(event);
  }

  #mayBeMade(call: ToolCall | InvalidToolCall): boolean {
    const { name = "", arguments: args = "raw" in call ? call.raw : undefined } = call;
    const times = this.#timesMade(name, args) + 1;
    if (times >= this.max) {
      this.#full ??= new Set();
      this.#full.add(name);
    }
    return times <= this.max;
  }

  /** How often a call was made before; counts it. */
  #timesMade(name: string, args: unknown): number {
    if (!this.#only) {
      this.#only = { name, args };
      return 0;
    }
    this.#first ??= new Map([[this.#only.name, this.#only.args]]);
    if (!this.#first.has(name)) {
      this.#first.set(name, args);
      return 0;
    }
    this.#made ??= new Map();
    const first = this.#first.get(name);
    if (first !== COUNTED) {
      this.#made.set(callKey({ name, arguments: first }), 1);
      this.#first.set(name, COUNTED);
    }
    const key = callKey({ name, arguments: args });
    const times = this.#made.get(key) ?? 0;
    this.#made.set(key, times + 1);
    return times;
  }

  #dropped(call: ToolCall | InvalidToolCall): ReplyEvent {
    const { name = "", arguments: args } = call;
    this.over = { name, arguments: args };
    const text = "raw" in call ? call.raw : JSON.stringify({ name, arguments: args });
    return { type: "dropped", text, reason: "a call that was made before" };
  }
}

/** Stands for a first call that is among those that are counted. */
const COUNTED = Symbol("counted");
