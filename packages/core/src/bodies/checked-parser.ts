import { explainMalformed } from "../schema/explain.js";
import type { FinishReason, ReplyEvent, ReplyParser } from "../types.js";

/**
 * Buffers the events of another parser until the reply is complete, and emits them only if the reply passes a check;
 * otherwise it is one invalid call with the reason.
 */
export class CheckedParser implements ReplyParser {
  private readonly events: ReplyEvent[] = [];
  /** What was pushed. */
  private reply = "";
  private ended = false;

  constructor(
    private readonly parser: ReplyParser,
    /** Why a message, the prefill and the reply, is rejected; undefined: it is not. */
    private readonly check: (reply: string) => string | undefined,
    private readonly generateId: () => string,
    private readonly prefill: string,
  ) {}

  push(chunk: string): ReplyEvent[] {
    this.keep(this.parser.push(chunk));
    this.reply += chunk;
    return [];
  }

  private keep(events: readonly ReplyEvent[]): void {
    for (const event of events) this.events.push(event);
  }

  end(how?: { finish?: FinishReason | undefined }): ReplyEvent[] {
    if (this.ended) return [];
    this.ended = true;
    this.keep(this.parser.end(how));
    // A call's error belongs to the call, unless the call could not be read; in that case text beside it is not an
    // answer.
    const invalid = this.events.filter((event) => event.type === "call-invalid");
    const calls = invalid.length === 0 ? this.events : this.events.filter(({ type }) => type !== "text");
    const reason = this.check(this.prefill + this.reply);
    if (reason === undefined) return calls;
    // The other calls of a reply that fails do not run.
    if (invalid.some(({ call }) => call.error.code !== "malformed")) {
      const rejected = new Set(invalid.map(({ index }) => index));
      return calls.filter((event) => !("index" in event) || rejected.has(event.index));
    }
    const { reply: raw } = this;
    const error = explainMalformed({ raw, reason, what: "reply" });
    return [{ type: "call-invalid", index: 0, call: { id: this.generateId(), raw, error } }];
  }
}
