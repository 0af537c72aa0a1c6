import { isObject } from "../common/plain-object.js";
import { JSON_NUMBER } from "./json-words.js";
import { keepsDigits } from "./numbers.js";
import { assign } from "./own-property.js";
import { RepeatedKeys } from "./repeated-keys.js";
import { TextBuffer } from "./text-buffer.js";

/** A value with parts. `group`: parentheses, which around one value are that value, and around none an empty list. */
export type Composite = "object" | "array" | "group" | "string";

/** A complete object or array of strict JSON, and its spelling. */
export interface WholeValue {
  value: object;
  source: string;
  /** The spelling of the last object or array directly inside. */
  inner: string;
}

/** Receives a value from a reader, in source order. The calls nest as JSON does. */
export interface ValueSink {
  begin(kind: Composite): void;
  end(kind: Composite): void;
  /** A key: its meaning, and its JSON spelling if the source was JSON. */
  key(key: string, json?: string): void;
  /** A part of the open string: its meaning, and its spelling between JSON's quotes, if it was JSON. */
  text(text: string, json?: string): void;
  /** A number, boolean or null; `source` is its spelling: the number may be rounded, or infinite. */
  scalar(value: number | boolean | null, source: string): void;
  /**
   * Takes the object or array that begins here as one value, if `read` returns it. False: its parts must be passed
   * instead. `read` is expensive, so it is called only if the value may be taken.
   */
  whole?(read: () => WholeValue | undefined, kind: "object" | "array"): boolean;
}

/** The keys that may occur where a value is being read. */
export interface KnownKeys {
  /** Whether the open object can have this key; undefined: unknown. */
  expects(key: string): boolean | undefined;
  /** Whether any open object declares this key. */
  declares(key: string): boolean;
  /** Whether the value that begins here must be a list, whose items may be any texts. */
  readonly needsTexts: boolean;
  /** Whether the value that begins here must be an object. */
  readonly needsObject: boolean;
}

/** Passes an existing JSON value to a sink. */
export function emitValue(value: unknown, sink: ValueSink): void {
  if (Array.isArray(value)) {
    sink.begin("array");
    for (const item of value) emitValue(item, sink);
    sink.end("array");
  } else if (isObject(value)) {
    sink.begin("object");
    for (const key of Object.keys(value)) {
      sink.key(key);
      emitValue(value[key], sink);
    }
    sink.end("object");
  } else if (typeof value === "string") emitText(value, sink);
  else sink.scalar(value as number | boolean | null, JSON.stringify(value));
}

/** Passes a whole string to a sink. */
export function emitText(text: string, sink: ValueSink): void {
  sink.begin("string");
  sink.text(text);
  sink.end("string");
}

const spellings = new WeakMap<object, string>();

/** The JSON of a value: of an object or list that was built, with its numbers and texts as they were written. */
export const jsonOf = (value: unknown): string => spellings.get(Object(value)) ?? JSON.stringify(value);

/** Builds the value that it receives. */
export class ValueBuilder implements ValueSink {
  value: unknown;
  /** The spelling of a value that is neither object nor array: a string in JSON, anything else as written. */
  source: string | undefined;
  /** The digits of the numbers inside that JavaScript cannot represent; they are strings in the value. */
  unkept: Set<string> | undefined;
  private repetitions: RepeatedKeys | undefined;
  /** The open objects and lists, with their JSON so far. */
  private stack: { container: Record<string, unknown> | unknown[]; key: string; json: string }[] = [];
  private readonly pieces = new TextBuffer();
  /** The spelling of a string. */
  private readonly json = new TextBuffer();

  /** Whether nothing is open. */
  get isComplete(): boolean {
    return this.stack.length === 0;
  }

  /** A key inside that occurs more than once with different values. */
  get repeatedKey(): string | undefined {
    return this.repetitions?.contradiction?.key;
  }

  /** Writes a complete value at the next place; `json`: its spelling. */
  write(value: unknown, json?: string): void {
    const top = this.stack.at(-1);
    if (!top) {
      this.value = value;
      return;
    }
    const { container, key } = top;
    if (Array.isArray(container)) {
      if (container.push(value) > 1) top.json += ",";
    } else {
      if (Object.hasOwn(container, key)) {
        this.repetitions ??= new RepeatedKeys();
        this.repetitions.add(container, key, container[key]);
      }
      assign(container, key, value);
    }
    top.json += json ?? jsonOf(value);
  }

  begin(kind: Composite): void {
    if (kind === "string") return;
    const container = kind === "object" ? {} : [];
    this.write(container, "");
    this.stack.push({ container, key: "", json: kind === "object" ? "{" : "[" });
  }

  end(kind: Composite): void {
    if (kind === "string") return this.endString();
    const { container, json = "" } = this.stack.pop() ?? {};
    const isOne = kind === "group" && Array.isArray(container) && container.length === 1;
    const spelling = isOne ? json.slice(1) : json + (kind === "object" ? "}" : "]");
    if (isOne) this.replace(container[0]);
    else if (container) spellings.set(container, spelling);
    const top = this.stack.at(-1);
    if (top) top.json += spelling;
  }

  /** Replaces the last value. */
  private replace(value: unknown): void {
    const top = this.stack.at(-1);
    if (!top) this.value = value;
    else if (Array.isArray(top.container)) top.container[top.container.length - 1] = value;
    else assign(top.container, top.key, value);
  }

  key(key: string, json = JSON.stringify(key)): void {
    const top = this.stack.at(-1);
    if (!top) return;
    top.key = key;
    top.json += `${top.json.length > 1 ? "," : ""}${json}:`;
  }

  text(text: string, json = JSON.stringify(text).slice(1, -1)): void {
    this.pieces.push(text);
    this.json.push(json);
  }

  private endString(): void {
    const json = `"${this.json.take()}"`;
    this.source = this.isComplete ? json : undefined;
    this.write(this.pieces.take(), json);
  }

  scalar(value: number | boolean | null, source: string): void {
    this.source = this.isComplete ? source : undefined;
    const isKept = this.isComplete || typeof value !== "number" || keepsDigits(value, source);
    if (!isKept) {
      this.unkept ??= new Set();
      this.unkept.add(source);
    }
    this.write(isKept ? value : source, JSON_NUMBER.test(source) ? source : JSON.stringify(value));
  }
}
