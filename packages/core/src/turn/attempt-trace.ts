import type { ReplyEvent, TextModelRequest } from "../types.js";
import type { RawReply } from "./reply-reader.js";
import type { TraceListener } from "./trace.js";
import type { TextReason } from "./why/why-text.js";

/** Reports one attempt of a turn: the request at once, then the events and the reply, with their times. */
export class AttemptTrace {
  readonly #begun: number;
  readonly #attempt: number;
  #firstMs: number | undefined;

  constructor(
    private readonly listener: TraceListener,
    asked: { attempt: number; protocol: string; request: TextModelRequest; isUnconstrained?: true | undefined },
  ) {
    this.#attempt = asked.attempt;
    listener({ type: "request", ...asked });
    this.#begun = performance.now();
  }

  readonly seen = (event: ReplyEvent): void => {
    this.#firstMs ??= performance.now() - this.#begun;
    this.listener({ type: "event", attempt: this.#attempt, event });
  };

  /** `reasons` parses the reply again, so it is called only when the event's `text` is read. */
  reply({ text: raw, prefill, finish, usage }: RawReply, reasons: () => TextReason[]): void {
    const ms = performance.now() - this.#begun;
    this.listener({
      type: "reply",
      attempt: this.#attempt,
      raw,
      prefill,
      finish,
      usage,
      ms,
      firstMs: this.#firstMs,
      get text() {
        return reasons();
      },
    });
  }
}
