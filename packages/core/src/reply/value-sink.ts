import { assign } from "./own-property.js";
import { TextBuffer } from "./text-buffer.js";

/** What a reader of values tells, in the order of the source. The calls nest as JSON does. */
export interface ValueSink {
  beginObject(): void;
  key(key: string): void;
  endObject(): void;
  beginArray(): void;
  endArray(): void;
  beginString(): void;
  /** A piece of the open string: as it is meant, and as it is spelt between JSON's quotes. */
  stringPart(text: string, json: string): void;
  endString(): void;
  /** A number, boolean or null; `source` is how it was written. */
  scalar(value: number | boolean | null, source: string): void;
  /** Whether the open object can have this key, as far as is known. */
  expects?(key: string): boolean | undefined;
  /** The key that an argument without one stands for, by its position from 0. */
  keyAt?(position: number): string | undefined;
}

/** Builds the value that it is told. */
export class ValueBuilder implements ValueSink {
  value: unknown;
  /** How a lone number, boolean or null was written. */
  source: string | undefined;
  private stack: { container: Record<string, unknown> | unknown[]; key: string }[] = [];
  private text = new TextBuffer();

  /** True between values: nothing is open. */
  get isComplete(): boolean {
    return this.stack.length === 0;
  }

  private put(value: unknown): void {
    const top = this.stack.at(-1);
    if (!top) this.value = value;
    else if (Array.isArray(top.container)) top.container.push(value);
    else assign(top.container, top.key, value);
  }

  beginObject(): void {
    this.open({});
  }

  beginArray(): void {
    this.open([]);
  }

  private open(container: Record<string, unknown> | unknown[]): void {
    this.put(container);
    this.stack.push({ container, key: "" });
  }

  key(key: string): void {
    this.stack.at(-1)!.key = key;
  }

  endObject(): void {
    this.stack.pop();
  }

  endArray(): void {
    this.stack.pop();
  }

  beginString(): void {
    this.text = new TextBuffer();
  }

  stringPart(text: string): void {
    this.text.push(text);
  }

  endString(): void {
    this.put(this.text.toString());
  }

  scalar(value: number | boolean | null, source: string): void {
    this.source = this.stack.length === 0 ? source : undefined;
    this.put(value);
  }
}
