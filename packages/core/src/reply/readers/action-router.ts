import { ValueBuilder, type ValueSink } from "../../notation/value-sink.js";
import type { ActionBody } from "../../syntax/syntax.js";
import { type CallHost, CallRouter } from "./call-router.js";
import { type Beginning, type Route, RoutingSink } from "./routing-sink.js";

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
export class ActionRouter extends RoutingSink {
  /** The number of open objects of the message: the message itself and the final answer. */
  private depth = 0;
  private key_ = "";
  private readonly calls: CallRouter;
  private called = false;
  private answered = false;
  /** Keys next to the content of the final answer. */
  private beside: ValueBuilder | undefined;

  constructor(
    private readonly body: ActionBody,
    protected override readonly host: CallHost,
    private readonly answers: AnswerHost,
  ) {
    super(host);
    this.calls = new CallRouter({ body: "json-call", name: body.name, arguments: body.arguments }, host);
  }

  protected expectsOwn(key: string): boolean | undefined {
    const { thought, action, name, arguments: args, final, content } = this.body;
    return [thought, action, name, args, final, content].includes(key) || undefined;
  }

  protected ownKey(key: string): void {
    this.key_ = key;
    if (this.depth === 2) this.beside?.key(key);
  }

  protected wholeRoute(): undefined {
    return undefined;
  }

  protected route(kind: Beginning): Route | undefined {
    const { thought, action, final, content } = this.body;
    if (kind === "object" && this.depth === 0) {
      this.depth = 1;
      return undefined;
    }
    if (kind === "object" && this.depth === 1 && this.key_ === final) {
      this.depth = 2;
      this.beside = new ValueBuilder();
      this.beside.begin("object");
      return undefined;
    }
    // A part that is null is treated as missing.
    if (kind === "null" && this.depth === 1 && [action, final].includes(this.key_)) {
      this.calls.isNone ||= this.key_ === action;
      return undefined;
    }
    if (this.key_ === (this.depth === 2 ? content : final)) return this.routeAnswer(kind);
    if (this.depth === 2) return { sink: this.beside ?? new ValueBuilder() };
    if (this.key_ === thought) return { sink: textSink((text) => this.answers.reasoning(text)) };
    if (!this.called) this.calls.begin("object");
    this.called = true;
    this.calls.key(this.key_ === action ? "action" : this.key_);
    return { sink: this.calls, keys: this.calls };
  }

  /** Text is emitted as it arrives, and any other value when it is complete. */
  private routeAnswer(kind: Beginning): Route {
    this.answered = true;
    this.beside = undefined;
    if (kind === "string") return { sink: textSink((text) => this.answers.text(text)) };
    const sink = new ValueBuilder();
    return { sink, complete: () => this.answers.value(sink.value) };
  }

  protected ownEnd(): void {
    this.depth--;
    if (this.depth === 1) {
      this.beside?.end("object");
      // Without the content key, the object itself is the answer.
      if (this.beside) this.answers.value(this.beside.value);
      this.beside = undefined;
      this.answered = true;
    } else if (this.called) this.calls.end("object");
    else if (!this.answered) {
      // Neither a call nor an answer: a call without a name, an error that the model can correct.
      this.host.nextCall();
      this.host.callClosed();
    }
  }
}

const ignore = () => {};

/** A sink of the text of strings alone. */
const textSink = (text: (text: string) => void): ValueSink => ({
  begin: ignore,
  end: ignore,
  key: ignore,
  text,
  scalar: ignore,
});
