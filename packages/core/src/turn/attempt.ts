import type { InvalidToolCall, ReplyEvent } from "../types.js";

/** A step of reading: what becomes of an event. */
export type Step = (event: ReplyEvent) => ReplyEvent | ReplyEvent[];

/** What an attempt is held to. */
export interface AttemptOptions {
  /** What each event goes through, in turn. */
  steps: readonly (Step | undefined)[];
  /** A call must be made; nothing is sent before it begins. */
  wanted: boolean;
  /** Calls wait until the whole reply is known to be good, and all that comes after them. */
  callsWait: boolean;
  /** Hears each event as soon as it is read. */
  seen?: ((event: ReplyEvent) => void) | undefined;
}

/** One attempt at a turn: sorts its events into those to be sent at once and those that wait. */
export class Attempt {
  readonly held: ReplyEvent[] = [];
  readonly invalid: InvalidToolCall[] = [];
  /** A call was made, or tried. */
  called = false;
  #live: boolean;

  constructor(private readonly options: AttemptOptions) {
    this.#live = !options.wanted;
  }

  /** Whether the call that was required was at least tried. */
  get met(): boolean {
    return this.called || !this.options.wanted;
  }

  /** Takes back the text that waits: it turned out to be a call. */
  dropText(): void {
    const others = this.held.filter(({ type }) => type !== "text");
    this.held.splice(0, this.held.length, ...others);
  }

  /** What is to be sent of these events, and of those that waited. */
  on(events: readonly ReplyEvent[]): ReplyEvent[] {
    const { steps, callsWait } = this.options;
    const sent: ReplyEvent[] = [];
    let read = events;
    for (const step of steps) if (step) read = read.flatMap(step);
    for (const event of read) {
      this.options.seen?.(event);
      const isCall = event.type.startsWith("call-");
      if (event.type === "call-invalid") this.invalid.push(event.call);
      this.called ||= isCall;
      this.#live = callsWait ? this.#live && !isCall : this.met;
      if (this.#live) sent.push(...this.held.splice(0), event);
      else this.held.push(event);
    }
    return sent;
  }
}
