import type { InvalidToolCall, ReplyEvent } from "../types.js";

/** Replaces an event by others, or passes it. */
export type Rewrite = (event: ReplyEvent) => ReplyEvent | ReplyEvent[];

/** Receives events, one after another. */
export type Emit = (event: ReplyEvent) => void;

/** The options of {@link AttemptEvents}. */
export interface AttemptEventsOptions {
  /** What is done with each event, in order. */
  rewrites: readonly Rewrite[];
  /** Whether nothing is sent before a call begins. */
  waitsForCall: boolean;
  /**
   * Which calls, with everything after them, are buffered until the whole reply is known to be valid. `wrong`: only
   * calls that are invalid before any part of a call was sent.
   */
  callsWait: "all" | "wrong" | "none";
  /**
   * Whether text, with everything after it, is buffered until a call or the end, because the answer is checked first.
   */
  textWaits?: (() => boolean) | undefined;
  /** Receives each event as soon as it is read. */
  seen?: Emit | undefined;
  /** Receives the events to send, once they need not be buffered. */
  send: Emit;
}

/** The events of one attempt at a turn: some are sent at once, the others are buffered. */
export class AttemptEvents {
  buffered: ReplyEvent[] = [];
  readonly invalid: InvalidToolCall[] = [];
  /** The reply has a call, valid or not. */
  called = false;
  /** The reply has nothing but reasoning and white space; a part that is dropped is something. */
  isEmpty = true;
  /** The beginning of a call was sent, so that the reply cannot be retried. */
  sentCall = false;
  #live: boolean;

  constructor(private readonly options: AttemptEventsOptions) {
    this.#live = !options.waitsForCall;
  }

  /** Whether the call that is waited for was at least attempted; true if none is. */
  get met(): boolean {
    return this.called || !this.options.waitsForCall;
  }

  /** The buffered text. */
  get bufferedText(): string {
    return this.buffered.map((event) => (event.type === "text" ? event.text : "")).join("");
  }

  /** Discards the buffered text, or replaces it, for example by a call. */
  dropText(...instead: ReplyEvent[]): void {
    this.buffered = [...this.buffered.filter(({ type }) => type !== "text"), ...instead];
  }

  /** Processes an event. */
  readonly on: Emit = (event) => this.#read(event, 0);

  /** Applies the rewrites from `at` on. */
  #read(event: ReplyEvent, at: number): void {
    const rewrite = this.options.rewrites[at];
    if (!rewrite) return this.#take(event);
    const made = rewrite(event);
    if (Array.isArray(made)) for (const one of made) this.#read(one, at + 1);
    else this.#read(made, at + 1);
  }

  #take(event: ReplyEvent): void {
    this.options.seen?.(event);
    const isCall = event.type.startsWith("call-");
    if (event.type === "call-invalid") this.invalid.push(event.call);
    this.called ||= isCall;
    this.isEmpty &&= event.type === "reasoning" || (event.type === "text" && event.text.trim() === "");
    this.#live = this.#isLive(isCall);
    if (this.#live && !this.#textWaits(event)) {
      if (this.buffered.length > 0) for (const one of this.buffered.splice(0)) this.options.send(one);
      this.options.send(event);
      this.sentCall ||= isCall;
    } else this.buffered.push(event);
  }

  #isLive(isCall: boolean): boolean {
    const { callsWait } = this.options;
    if (callsWait === "all") return this.#live && !isCall;
    return this.met && (callsWait === "none" || this.sentCall || this.invalid.length === 0);
  }

  #textWaits(event: ReplyEvent): boolean {
    const { textWaits } = this.options;
    return (
      textWaits !== undefined && !this.called && (event.type === "text" || this.buffered.length > 0) && textWaits()
    );
  }
}
