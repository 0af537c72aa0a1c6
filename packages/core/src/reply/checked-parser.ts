import { explainMalformed } from "../schema/explain.js";
import type { FinishReason, ReplyEvent } from "../types.js";
import type { ReplyCheck } from "./body-kind.js";
import type { ReplyParser } from "./reply-parser.js";

/**
 * Buffers the events of another parser until the reply is complete, and emits them only if the reply passes a check;
 * otherwise it is one invalid call with the reason.
 */
export class CheckedParser implements ReplyParser {
  private readonly events: ReplyEvent[] = [];
  private reply = "";
  private ended = false;

  constructor(
    private readonly parser: ReplyParser,
    private readonly check: ReplyCheck,
    private readonly generateId: () => string,
  ) {}

  push(chunk: string): ReplyEvent[] {
    if (this.ended) return [];
    this.reply += chunk;
    this.events.push(...this.parser.push(chunk));
    return [];
  }

  end(how?: { finish?: FinishReason | undefined }): ReplyEvent[] {
    if (this.ended) return [];
    this.ended = true;
    this.events.push(...this.parser.end(how));
    // A call's error belongs to the call, unless the call could not be read; in that case text beside it is not an
    // answer.
    const invalid = this.events.flatMap((event) => (event.type === "call-invalid" ? [event.call.error.code] : []));
    const calls = invalid.length === 0 ? this.events : this.events.filter(({ type }) => type !== "text");
    if (invalid.some((code) => code !== "malformed")) return calls;
    const reason = this.check(this.reply);
    if (reason === undefined) return calls;
    const { reply: raw } = this;
    const error = explainMalformed({ raw, reason, what: "reply" });
    return [{ type: "call-invalid", index: 0, call: { id: this.generateId(), raw, error } }];
  }
}
