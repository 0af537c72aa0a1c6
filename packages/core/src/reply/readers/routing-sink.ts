import type { Composite, KnownKeys, ValueSink, WholeValue } from "../../notation/value-sink.js";
import type { Call } from "../output/call.js";

/** Where a value goes. */
export interface Route {
  sink: ValueSink;
  /** The keys inside the value; without it they are unknown. */
  keys?: KnownKeys;
  /** Runs after the value. */
  complete?(): void;
}

/** The beginning of a value. */
export type Beginning = Composite | "scalar" | "null";

/**
 * Splits one value among several sinks: a subclass decides where each value inside its own objects and arrays goes, and
 * the parts of that value are passed on to its sink.
 */
export abstract class RoutingSink implements ValueSink, KnownKeys {
  /** The route of the value being read, and the number of objects, arrays and strings that are open inside it. */
  private target: Route | undefined;
  private open = 0;
  /** Whether that value is a string, after which an own key may follow. */
  private isText = false;

  constructor(protected readonly host: { currentCall(): Pick<Call, "reject"> }) {}

  protected abstract ownKey(key: string): void;
  /** The route of the value that begins here; undefined: an own object or array, or a value that is ignored. */
  protected abstract route(kind: Beginning): Route | undefined;
  protected abstract ownEnd(kind: "object" | "array"): void;
  /** The route of the value that begins here, if it may be passed as one value. */
  protected abstract wholeRoute(): Route | undefined;
  /** Whether an own object can have this key; undefined: unknown. */
  protected abstract expectsOwn(key: string): boolean | undefined;
  /** Whether the value of the own key must be an object. */
  protected get needsOwnObject(): boolean {
    return false;
  }

  expects(key: string): boolean | undefined {
    return this.target && !this.isText ? this.target.keys?.expects(key) : this.expectsOwn(key);
  }

  get needsTexts(): boolean {
    return this.target?.keys?.needsTexts ?? false;
  }

  get needsObject(): boolean {
    return this.target ? (this.target.keys?.needsObject ?? false) : this.needsOwnObject;
  }

  declares(key: string): boolean {
    return this.target?.keys?.declares(key) ?? false;
  }

  begin(kind: Composite): void {
    const written = kind === "group" ? "array" : kind;
    this.target ??= this.route(written);
    if (!this.target) return;
    this.isText = kind === "string" && this.open === 0;
    this.open++;
    this.target.sink.begin(written);
  }

  end(kind: Composite): void {
    if (kind === "group") {
      this.end("array");
      return this.host.currentCall().reject("parentheses hold no comma: a list, or one value");
    }
    if (this.target) {
      this.open--;
      this.target.sink.end(kind);
      this.settle(this.target);
    } else if (kind !== "string") this.ownEnd(kind);
  }

  key(key: string, json?: string): void {
    if (this.target) this.target.sink.key(key, json);
    else this.ownKey(key);
  }

  text(text: string, json?: string): void {
    this.target?.sink.text(text, json);
  }

  scalar(value: number | boolean | null, source: string): void {
    this.target ??= this.route(value === null ? "null" : "scalar");
    if (!this.target) return;
    this.target.sink.scalar(value, source);
    this.settle(this.target);
  }

  whole(read: () => WholeValue | undefined, kind: "object" | "array"): boolean {
    const route = this.target ?? this.wholeRoute();
    if (!route) return kind === "object" && this.takeOwn(read);
    if (!route.sink.whole?.(read, kind)) return false;
    this.settle(route);
    return true;
  }

  /** Takes a whole own object; false: its parts must be passed instead. */
  protected takeOwn(_read: () => WholeValue | undefined): boolean {
    return false;
  }

  private settle(route: Route): void {
    if (this.open > 0) return;
    this.target = undefined;
    this.isText = false;
    route.complete?.();
  }
}
