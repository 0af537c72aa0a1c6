import type { ValueSink } from "../arguments/value-sink.js";
import type { CallHost } from "./call-router.js";

/**
 * Splits `{"add": {"a": 1}}` from a JSON reader: each key of the object names a tool, and its value is the arguments of
 * that call. A list around such objects has no effect.
 */
export class KeyedCallSink implements ValueSink {
  /** The sink of the arguments being read, and the depth inside them. */
  private target: ValueSink | undefined;
  private depth = 0;
  private hasCalled = false;

  constructor(private readonly host: CallHost) {}

  beginObject(): void {
    this.enter((sink) => sink.beginObject());
  }

  declares(key: string): boolean {
    return this.target?.declares?.(key) ?? false;
  }

  takesWhole(): boolean {
    return this.target?.takesWhole?.() ?? false;
  }

  whole(value: object, source: string): boolean {
    if (!this.target?.whole?.(value, source)) return false;
    this.settle();
    return true;
  }

  key(key: string, json?: string): void {
    if (this.target) return this.target.key(key, json);
    const last = this.hasCalled ? this.host.currentCall() : undefined;
    if (last && (last.isUnbalanced || last.plan.properties.has(key)) && this.host.isTool(key) === false) {
      last.reject(`the argument ${JSON.stringify(key)} stands outside of the arguments`);
    }
    this.hasCalled = true;
    const call = this.host.nextCall();
    call.setName(key.trim());
    this.target = call.argumentSink();
    this.depth = 0;
  }

  endObject(): void {
    this.leave((sink) => sink.endObject());
  }

  beginArray(): void {
    this.enter((sink) => sink.beginArray());
  }

  endArray(): void {
    this.leave((sink) => sink.endArray());
  }

  beginString(): void {
    this.target?.beginString();
  }

  stringPart(text: string, json?: string): void {
    this.target?.stringPart(text, json);
  }

  endString(): void {
    this.target?.endString();
    this.settle();
  }

  scalar(value: number | boolean | null, source: string): void {
    this.target?.scalar(value, source);
    this.settle();
  }

  private enter(tell: (sink: ValueSink) => void): void {
    if (!this.target) return;
    this.depth++;
    tell(this.target);
  }

  private leave(tell: (sink: ValueSink) => void): void {
    if (!this.target) return;
    this.depth--;
    tell(this.target);
    this.settle();
  }

  /** Runs after a value inside the arguments, or after the arguments. */
  private settle(): void {
    if (!this.target || this.depth > 0) return;
    this.target = undefined;
    this.host.currentCall().argumentsComplete = true;
    this.host.callClosed();
  }
}
