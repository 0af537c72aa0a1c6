import { jsonCall } from "../../syntax/parts.js";
import { type CallHost, CallRouter } from "./call-router.js";
import { type Route, RoutingSink } from "./routing-sink.js";

/**
 * Splits `{"add": {"a": 1}}` from a JSON reader: each key of the object names a tool, and its value is the arguments of
 * that call. A list around such objects has no effect. An object whose first key is `name`, if no tool has that name, is a call
 * as other formats write it: `{"name": "add", "arguments": {"a": 1}}`.
 */
export class KeyedCallRouter extends RoutingSink {
  /** The arguments of the call that the last key named, if they have not begun. */
  private next: Route | undefined;
  private hasCalled = false;
  /** Whether the next key is the first of its object. */
  private isFirst = true;
  /** Splits the open object if it is a call as other formats write it. */
  private other: CallRouter | undefined;

  constructor(protected override readonly host: CallHost) {
    super(host);
  }

  protected expectsOwn(key: string): boolean | undefined {
    return this.other?.expects(key);
  }

  protected ownKey(key: string): void {
    if (this.other) return this.other.key(key);
    const last = this.hasCalled ? this.host.currentCall() : undefined;
    if (last && (last.isUnbalanced || last.plan.properties.has(key)) && this.host.isTool(key) === false) {
      last.reject(`the argument ${JSON.stringify(key)} stands outside of the arguments`);
    }
    this.hasCalled = true;
    const { isFirst } = this;
    this.isFirst = false;
    if (isFirst && key === "name" && this.host.isTool(key) === false) {
      this.other = new CallRouter(jsonCall, this.host);
      this.other.begin("object");
      return this.other.key(key);
    }
    const call = this.host.nextCall();
    call.setName(key.trim());
    const complete = () => {
      this.next = undefined;
      this.host.currentCall().completeArguments();
      this.host.callClosed();
    };
    this.next = { sink: call.argumentSink(), keys: call, complete };
  }

  protected route(): Route | undefined {
    return this.other ? { sink: this.other, keys: this.other } : this.next;
  }

  protected wholeRoute(): Route | undefined {
    return this.route();
  }

  protected ownEnd(kind: "object" | "array"): void {
    this.other?.end(kind);
    this.other = undefined;
    this.isFirst = true;
  }
}
