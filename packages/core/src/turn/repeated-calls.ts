import { canonicalJson } from "../canonical-json.js";
import type { InvalidToolCall, ReplyEvent, ToolCall } from "../types.js";

/** A call that was left out since it had been made before, and ended the reply. */
export interface RepeatedCall {
  name: string;
  arguments: unknown;
}

/**
 * Lets the same call (same name, equal arguments, keys in any order) pass once and `max` times more. The next time it is
 * left out and the reply is `over`: a small model is easily caught in a loop and writes one call to the token limit. A
 * wrong call counts as any other.
 *
 * Calls stream, but for those that may be such a repeat: where a tool has got one call as often as it may, its next call
 * is held until it is complete.
 */
export class RepeatedCalls {
  /** What ended the reply. */
  over: RepeatedCall | undefined;
  /** The first call of each tool; what tells it from others is worked out when a second one comes. */
  readonly #first = new Map<string, unknown>();
  readonly #made = new Map<string, number>();
  /** Tools of which a call may not be made again. */
  readonly #full = new Set<string>();
  #held: ReplyEvent[] | undefined;

  constructor(private readonly max: number) {}

  /** What is to be sent of this event and of those that were held. */
  on(event: ReplyEvent): ReplyEvent[] {
    if (event.type === "call-end" || event.type === "call-invalid") {
      const events = [...(this.#held ?? []), event];
      this.#held = undefined;
      return this.#mayBeMade(event.call) ? events : [this.#dropped(event.call)];
    }
    if (event.type === "call-start" && this.#full.has(event.name)) this.#held = [];
    if (!this.#held) return [event];
    this.#held.push(event);
    return [];
  }

  #mayBeMade(call: ToolCall | InvalidToolCall): boolean {
    const { name = "", arguments: args = "raw" in call ? call.raw : undefined } = call;
    const times = this.#timesMade(name, args);
    if (times >= this.max) this.#full.add(name);
    return times <= this.max;
  }

  /** How often a call was made before; counts it. */
  #timesMade(name: string, args: unknown): number {
    if (!this.#first.has(name)) {
      this.#first.set(name, args);
      return 0;
    }
    const first = this.#first.get(name);
    if (first !== COUNTED) {
      this.#made.set(keyOf(name, first), 1);
      this.#first.set(name, COUNTED);
    }
    const key = keyOf(name, args);
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

const keyOf = (name: string, args: unknown) => `${name}\n${canonicalJson(args)}`;
