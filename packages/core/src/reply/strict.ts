import { isObject } from "../plain-object.js";
import { explainMalformed } from "../schema/explain.js";
import type { ActionBody } from "../syntax/syntax.js";
import type { FinishReason, ReplyEvent } from "../types.js";
import { type Composite, ValueBuilder } from "./arguments/value-sink.js";
import { JsonReader } from "./bodies/json-reader.js";
import { Input } from "./input.js";
import type { ReplyParser } from "./reply-parser.js";

/**
 * Reads a reply that must be exactly one object. The events of another parser are buffered until the reply is complete,
 * and emitted only if the reply matches the form; otherwise it is one invalid call with the reason.
 */
export class StrictParser implements ReplyParser {
  private readonly events: ReplyEvent[] = [];
  private reply = "";
  private ended = false;

  constructor(
    private readonly parser: ReplyParser,
    private readonly body: ActionBody,
    private readonly maxThought: number,
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
    const reason = this.broken();
    if (reason === undefined) return calls;
    const { reply: raw } = this;
    const error = explainMalformed({ raw, reason, what: "reply" });
    return [{ type: "call-invalid", index: 0, call: { id: this.generateId(), raw, error } }];
  }

  /** The error of the reply; undefined if it is valid. */
  private broken(): string | undefined {
    const { thought, action, name, arguments: args, final, content } = this.body;
    const call = `{"${action}": {"${name}": …, "${args}": {…}}}`;
    const form = `exactly one JSON object, ${call} or {"${final}": {"${content}": …}}`;
    let message: unknown;
    try {
      message = JSON.parse(this.reply);
    } catch {
      return `the reply must be ${form}, without any text around it`;
    }
    if (!isObject(message)) return `the reply must be ${form}`;
    const other = Object.keys(message).find((key) => ![thought, action, final].includes(key));
    if (other !== undefined) return `the key ${JSON.stringify(other)} is none of ${thought}, ${action} and ${final}`;
    const repeated = repeatedKey(this.reply);
    if (repeated !== undefined) return `the key ${JSON.stringify(repeated)} comes twice`;
    const [part, ...more] = [action, final].filter((key) => (message[key] ?? null) !== null);
    if (part === undefined || more.length > 0) return `the reply must be ${form}`;
    const keys = part === action ? [name, args] : [content];
    const value = message[part];
    const fits =
      isObject(value) && keys.every((key) => Object.hasOwn(value, key)) && Object.keys(value).length === keys.length;
    if (!fits) return `${part} must be an object with ${keys.join(" and ")} and nothing else`;
    const words = message[thought];
    if (words !== undefined && typeof words !== "string") return `${thought} must be text`;
    if (typeof words === "string" && words.length > this.maxThought) {
      return `${thought} has ${words.length} characters, and at most ${this.maxThought} are allowed`;
    }
    return undefined;
  }
}

/** A key that occurs twice in the message, or in its action or answer. */
function repeatedKey(reply: string): string | undefined {
  const input = new Input();
  input.push(reply);
  input.final = true;
  const keys = new KeyWatch();
  new JsonReader(keys).read(input);
  return keys.repeated;
}

class KeyWatch extends ValueBuilder {
  repeated: string | undefined;
  private readonly levels: Set<string>[] = [];

  override whole(): boolean {
    return false;
  }

  override key(key: string): void {
    super.key(key);
    const known = this.levels.at(-1)!;
    if (this.levels.length <= 2 && known.has(key)) this.repeated ??= key;
    known.add(key);
  }

  override begin(kind: Composite): void {
    super.begin(kind);
    if (kind !== "string") this.levels.push(new Set());
  }

  override end(kind: Composite): void {
    super.end(kind);
    if (kind !== "string") this.levels.pop();
  }
}
