import { ValueBuilder } from "../../notation/value-sink.js";
import { jsonCall } from "../../syntax/parts.js";
import { ASIDE_KEYS } from "../arguments/call-keys.js";
import { alsoHas } from "../output/call.js";
import { type CallHost, CallRouter } from "./call-router.js";
import { type Route, RoutingSink } from "./routing-sink.js";

/**
 * Splits `{"add": {"a": 1}}` from a JSON reader: the only key of the object names the tool, and its value is the arguments. A
 * list around such objects has no effect. An object whose first key is `name`, if no tool has that name, is a call as other
 * formats write it: `{"name": "add", "arguments": {"a": 1}}`.
 */
export class KeyedCallRouter extends RoutingSink {
  /** The value of the last key: the arguments of the call that it named. */
  private next: Route | undefined;
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
    const { isFirst } = this;
    this.isFirst = false;
    if (isFirst && key === "name" && this.host.isTool(key) === false) {
      this.other = new CallRouter(jsonCall, this.host);
      this.other.begin("object");
      return this.other.key(key);
    }
    if (!isFirst) {
      if (this.host.isTool(key) !== false || !ASIDE_KEYS.has(key)) this.host.currentCall().contradiction = alsoHas(key);
      this.next = { sink: new ValueBuilder() };
      return;
    }
    const call = this.host.nextCall();
    call.setName(key.trim());
    this.next = { sink: call.argumentSink(), keys: call, complete: () => call.completeArguments() };
  }

  protected route(): Route | undefined {
    return this.other ? { sink: this.other, keys: this.other } : this.next;
  }

  protected wholeRoute(): Route | undefined {
    return this.route();
  }

  protected ownEnd(kind: "object" | "array"): void {
    if (this.other) this.other.end(kind);
    else if (this.next) this.host.callClosed();
    this.other = this.next = undefined;
    this.isFirst = true;
  }
}
