import { isObject } from "../../plain-object.js";
import { TextBuffer } from "../text-buffer.js";
import { keepsDigits } from "./numbers.js";
import { assign } from "./own-property.js";
import { RepeatedKeys } from "./repeated-keys.js";

/** Receives a value from a reader, in source order. The calls nest as JSON does. */
export interface ValueSink {
  beginObject(): void;
  /** A key: its meaning, and its JSON spelling if the source was JSON. */
  key(key: string, json?: string): void;
  endObject(): void;
  beginArray(): void;
  endArray(): void;
  /** Opens parentheses: around one value they are that value, around none an empty list. */
  beginGroup?(): void;
  endGroup?(): void;
  beginString(): void;
  /** A part of the open string: its meaning, and its spelling between JSON's quotes, if it was JSON. */
  stringPart(text: string, json?: string): void;
  endString(): void;
  /** A number, boolean or null; `source` is its spelling: the number may be rounded, or infinite. */
  scalar(value: number | boolean | null, source: string): void;
  /** Whether the next object or array may be passed as one value. */
  takesWhole?(): boolean;
  /** A whole object or array of strict JSON, and its spelling; false: its parts must be passed instead. */
  whole?(value: object, source: string): boolean;
  /** Whether the open object can have this key; undefined: unknown. */
  expects?(key: string): boolean | undefined;
  /** Whether any open object declares this key. */
  declares?(key: string): boolean;
  /** The name of the parameter at a position, from 0; false: the tool has fewer. */
  keyAt?(position: number): string | false | undefined;
  /** Whether the argument at that position may be an object. */
  takesObjectAt?(position: number): boolean;
}

/** Passes an existing JSON value to a sink. */
export function tellValue(value: unknown, sink: ValueSink): void {
  if (Array.isArray(value)) {
    sink.beginArray();
    for (const item of value) tellValue(item, sink);
    sink.endArray();
  } else if (isObject(value)) {
    sink.beginObject();
    for (const key of Object.keys(value)) {
      sink.key(key);
      tellValue(value[key], sink);
    }
    sink.endObject();
  } else if (typeof value === "string") {
    sink.beginString();
    sink.stringPart(value);
    sink.endString();
  } else sink.scalar(value as number | boolean | null, JSON.stringify(value));
}

/** Builds the value that it receives. */
export class ValueBuilder implements ValueSink {
  value: unknown;
  /** The spelling of a value that is neither object nor array: a string in JSON, anything else as written. */
  source: string | undefined;
  /** The digits of the numbers inside that JavaScript cannot represent; they are strings in the value. */
  unkept: Set<string> | undefined;
  private repetitions: RepeatedKeys | undefined;
  private stack: { container: Record<string, unknown> | unknown[]; key: string }[] = [];
  private readonly text = new TextBuffer();
  /** The spelling of a string that is the whole value. */
  private json: TextBuffer | undefined;

  /** Whether nothing is open. */
  get isComplete(): boolean {
    return this.stack.length === 0;
  }

  /** A key inside that occurs more than once with different values. */
  get repeatedKey(): string | undefined {
    return this.repetitions?.contradiction?.key;
  }

  /** Writes a complete value at the next place. */
  write(value: unknown): void {
    const top = this.stack.at(-1);
    if (!top) this.value = value;
    else if (Array.isArray(top.container)) top.container.push(value);
    else {
      const { container, key } = top;
      if (Object.hasOwn(container, key)) {
        this.repetitions ??= new RepeatedKeys();
        this.repetitions.add(container, key, container[key]);
      }
      assign(container, key, value);
    }
  }

  takesWhole(): boolean {
    return true;
  }

  whole(value: object): boolean {
    this.write(value);
    return true;
  }

  beginObject(): void {
    this.open({});
  }

  beginArray(): void {
    this.open([]);
  }

  private open(container: Record<string, unknown> | unknown[]): void {
    this.write(container);
    this.stack.push({ container, key: "" });
  }

  beginGroup(): void {
    this.open([]);
  }

  endGroup(): void {
    const { container } = this.stack.pop()!;
    const [only] = container as unknown[];
    if ((container as unknown[]).length === 1) this.replace(only);
  }

  /** Replaces the last value. */
  private replace(value: unknown): void {
    const top = this.stack.at(-1);
    if (!top) this.value = value;
    else if (Array.isArray(top.container)) top.container[top.container.length - 1] = value;
    else assign(top.container, top.key, value);
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
    this.json = this.stack.length === 0 ? new TextBuffer() : undefined;
  }

  stringPart(text: string, json?: string): void {
    this.text.push(text);
    this.json?.push(json ?? JSON.stringify(text).slice(1, -1));
  }

  endString(): void {
    this.source = this.json && `"${this.json.take()}"`;
    this.write(this.text.take());
  }

  scalar(value: number | boolean | null, source: string): void {
    this.source = this.stack.length === 0 ? source : undefined;
    const isKept = this.isComplete || typeof value !== "number" || keepsDigits(value, source);
    if (!isKept) {
      this.unkept ??= new Set();
      this.unkept.add(source);
    }
    this.write(isKept ? value : source);
  }
}
