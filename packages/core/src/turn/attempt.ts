import type { InvalidToolCall, ReplyEvent } from "../types.js";

/** A step of reading: what becomes of an event. */
export type Step = (event: ReplyEvent) => ReplyEvent | ReplyEvent[];

/** What an attempt is held to. */
export interface AttemptOptions {
  /** What each event goes through, in turn. */
  steps: readonly (Step | undefined)[];
  /** A call must be made; nothing is sent before it begins. */
  wanted: boolean;
  /**
   * Which calls wait until the whole reply is known to be good, and all that comes after them. `wrong`: a call that is
   * invalid before anything of a call was sent.
   */
  callsWait: "all" | "wrong" | "none";
  /** Text waits for a call or the end of the reply, and all that comes after it: the answer is checked before it is sent. */
  textWaits: () => boolean;
  /** Hears each event as soon as it is read. */
  seen?: ((event: ReplyEvent) => void) | undefined;
}

/** One attempt at a turn: sorts its events into those to be sent at once and those that wait. */
export class Attempt {
  readonly held: ReplyEvent[] = [];
  readonly invalid: InvalidToolCall[] = [];
  /** A call was made, or tried. */
  called = false;
  /** The beginning of a call was sent, so that nothing can be written again. */
  sentCall = false;
  #live: boolean;

  constructor(private readonly options: AttemptOptions) {
    this.#live = !options.wanted;
  }

  /** Whether the call that was required was at least tried. */
  get met(): boolean {
    return this.called || !this.options.wanted;
  }

  /** The text that waits. */
  get heldText(): string {
    return this.held.map((event) => (event.type === "text" ? event.text : "")).join("");
  }

  /** Takes back the text that waits: it turned out to be something else, such as a call. */
  dropText(...instead: ReplyEvent[]): void {
    const others = this.held.filter(({ type }) => type !== "text");
    this.held.splice(0, this.held.length, ...others, ...instead);
  }

  /** What is to be sent of these events, and of those that waited. */
  on(events: readonly ReplyEvent[]): ReplyEvent[] {
    const sent: ReplyEvent[] = [];
    let read = events;
    for (const step of this.options.steps) if (step) read = through(step, read);
    for (const event of read) {
      this.options.seen?.(event);
      const isCall = event.type.startsWith("call-");
      if (event.type === "call-invalid") this.invalid.push(event.call);
      this.called ||= isCall;
      this.#live = this.#isLive(isCall);
      if (this.#live && !this.#textWaits(event)) {
        if (this.held.length > 0) sent.push(...this.held.splice(0));
        sent.push(event);
        this.sentCall ||= isCall;
      } else this.held.push(event);
    }
    return sent;
  }

  #isLive(isCall: boolean): boolean {
    const { callsWait } = this.options;
    if (callsWait === "all") return this.#live && !isCall;
    return this.met && (callsWait === "none" || this.sentCall || this.invalid.length === 0);
  }

  #textWaits(event: ReplyEvent): boolean {
    return !this.called && (event.type === "text" || this.held.length > 0) && this.options.textWaits();
  }
}

/** What comes of events in a step. A loop, since `flatMap` takes a microsecond. */
function through(step: Step, events: readonly ReplyEvent[]): ReplyEvent[] {
  const read: ReplyEvent[] = [];
  for (const event of events) {
    const made = step(event);
    if (Array.isArray(made)) read.push(...made);
    else read.push(made);
  }
  return read;
}
