import { canonicalJson } from "../canonical-json.js";
import type { InvalidToolCall, ReplyEvent, ToolCall } from "../types.js";

/** A repeated call that was dropped and ended the reply. */
export interface RepeatedCall {
  name: string;
  arguments: unknown;
}

/**
 * Passes the same call (same name, equal arguments, keys in any order) once and `max` more times. The next repetition
 * is dropped and the reply is `over`, because a small model may get caught in a loop and repeat one call up to the
 * token limit. Wrong calls count too.
 *
 * Calls stream, except those that may be such a repetition: once a call of a tool has reached the limit, the next call
 * of that tool is buffered until it is complete.
 */
export class RepeatedCalls {
  /** The call that ended the reply. */
  over: RepeatedCall | undefined;
  readonly #made = new Map<string, number>();
  /** The tools with a call that has reached the limit. */
  readonly #full = new Set<string>();
  #held: ReplyEvent[] | undefined;

  constructor(private readonly max: number) {}

  /** Processes an event and returns the events to send, including buffered ones. */
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
    const key = `${name}\n${canonicalJson(args)}`;
    const times = this.#made.get(key) ?? 0;
    this.#made.set(key, times + 1);
    if (times >= this.max) this.#full.add(name);
    return times <= this.max;
  }

  #dropped(call: ToolCall | InvalidToolCall): ReplyEvent {
    const { name = "", arguments: args } = call;
    this.over = { name, arguments: args };
    const text = "raw" in call ? call.raw : JSON.stringify({ name, arguments: args });
    return { type: "dropped", text, reason: "a call that was made before" };
  }
}
