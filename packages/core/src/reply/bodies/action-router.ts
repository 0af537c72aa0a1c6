import type { ActionBody } from "../../protocol.js";
import { ValueBuilder, type ValueSink } from "../arguments/value-sink.js";
import { type CallHost, CallRouter } from "./call-router.js";

/** Receives the other parts of a message in one object, besides its call. */
export interface AnswerHost {
  reasoning(text: string): void;
  text(text: string): void;
  /** An answer that is not a string. */
  value(value: unknown): void;
}

/**
 * Splits an object that is a whole message: the thought becomes reasoning, the final content the answer, and everything
 * else goes to a {@link CallRouter}, which knows the spellings of a call.
 */
export class ActionRouter implements ValueSink {
  /** The number of open objects of the message: the message itself and the final answer. */
  private depth = 0;
  private key_ = "";
  private target: { sink: ValueSink; depth: number } | undefined;
  private readonly calls: CallRouter;
  private called = false;
  private answered = false;
  /** Keys next to the content of the final answer. */
  private beside: ValueBuilder | undefined;

  constructor(
    private readonly body: ActionBody,
    private readonly host: CallHost,
    private readonly answers: AnswerHost,
  ) {
    this.calls = new CallRouter({ body: "json-call", name: body.name, arguments: body.arguments }, host);
  }

  expects(key: string): boolean | undefined {
    if (this.target) return this.target.sink.expects?.(key);
    const { thought, action, name, arguments: args, final, content } = this.body;
    return [thought, action, name, args, final, content].includes(key) || undefined;
  }

  declares(key: string): boolean {
    return this.target?.sink.declares?.(key) ?? false;
  }

  key(key: string): void {
    if (this.target) return this.target.sink.key(key);
    this.key_ = key;
    if (this.depth === 2) this.beside?.key(key);
  }

  beginObject(): void {
    if (!this.target && this.depth === 0) {
      this.depth = 1;
    } else if (!this.target && this.depth === 1 && this.key_ === this.body.final) {
      this.depth = 2;
      this.beside = new ValueBuilder();
      this.beside.beginObject();
    } else this.enter((sink) => sink.beginObject());
  }

  beginArray(): void {
    this.enter((sink) => sink.beginArray());
  }

  beginString(): void {
    this.target ??= this.choose();
    this.target.sink.beginString();
  }

  stringPart(text: string, json: string): void {
    this.target?.sink.stringPart(text, json);
  }

  endString(): void {
    this.target?.sink.endString();
    this.settle();
  }

  scalar(value: number | boolean | null, source: string): void {
    const { action, final } = this.body;
    // A part that is null is treated as missing.
    if (!this.target && this.depth === 1 && value === null && [action, final].includes(this.key_)) return;
    this.target ??= this.choose();
    this.target.sink.scalar(value, source);
    this.settle();
  }

  endObject(): void {
    if (this.target) return this.leave((sink) => sink.endObject());
    this.depth--;
    if (this.depth === 1) {
      this.beside?.endObject();
      // Without the content key, the object itself is the answer.
      if (this.beside) this.answers.value(this.beside.value);
      this.beside = undefined;
      this.answered = true;
    } else if (this.called) this.calls.endObject();
    else if (!this.answered) {
      // Neither a call nor an answer: a call without a name, an error that the model can correct.
      this.host.nextCall();
      this.host.callClosed();
    }
  }

  endArray(): void {
    this.leave((sink) => sink.endArray());
  }

  /** Chooses the sink of the value that begins here. */
  private choose(): { sink: ValueSink; depth: number } {
    const { thought, action, final, content } = this.body;
    const isContent = this.depth === 2 ? this.key_ === content : this.key_ === final;
    let sink: ValueSink = this.calls;
    if (isContent) {
      this.answered = true;
      this.beside = undefined;
      sink = new AnswerSink(this.answers);
    } else if (this.depth === 2) sink = this.beside ?? new ValueBuilder();
    else if (this.key_ === thought) sink = new ThoughtSink(this.answers);
    else {
      if (!this.called) this.calls.beginObject();
      this.called = true;
      this.calls.key(this.key_ === action ? "action" : this.key_);
    }
    return { sink, depth: 0 };
  }

  private enter(tell: (sink: ValueSink) => void): void {
    this.target ??= this.choose();
    this.target.depth++;
    tell(this.target.sink);
  }

  private leave(tell: (sink: ValueSink) => void): void {
    if (!this.target) return;
    this.target.depth--;
    tell(this.target.sink);
    this.settle();
  }

  private settle(): void {
    if (this.target?.depth === 0) this.target = undefined;
  }
}

/** Emits text as it arrives, and any other value when it is complete. */
class AnswerSink extends ValueBuilder {
  private streams = false;

  constructor(private readonly answers: AnswerHost) {
    super();
  }

  override beginString(): void {
    this.streams = this.isComplete;
    if (!this.streams) super.beginString();
  }

  override stringPart(text: string): void {
    if (this.streams) this.answers.text(text);
    else super.stringPart(text);
  }

  override endString(): void {
    if (this.streams) this.streams = false;
    else super.endString();
  }

  override scalar(value: number | boolean | null, source: string): void {
    super.scalar(value, source);
    this.complete();
  }

  override endObject(): void {
    super.endObject();
    this.complete();
  }

  override endArray(): void {
    super.endArray();
    this.complete();
  }

  private complete(): void {
    if (this.isComplete) this.answers.value(this.value);
  }
}

/** Emits text as reasoning, and ignores any other value. */
class ThoughtSink extends ValueBuilder {
  constructor(private readonly answers: AnswerHost) {
    super();
  }

  override stringPart(text: string): void {
    this.answers.reasoning(text);
  }
}
