import { isObject } from "../common/plain-object.js";
import { Input } from "../notation/input.js";
import { JsonReader } from "../notation/json/json-reader.js";
import type { Composite, ValueSink } from "../notation/value-sink.js";
import type { ActionBody } from "../syntax/syntax.js";

/**
 * Why a reply is not exactly one object of a form, with a thought of at most `maxThought` characters; undefined: it is.
 *
 * @example actionError('{"final": {"content": "hi"}}', body, 200); // undefined
 */
export function actionError(reply: string, body: ActionBody, maxThought: number): string | undefined {
  const { thought, action, name, arguments: args, final, content } = body;
  const call = `{"${action}": {"${name}": …, "${args}": {…}}}`;
  const form = `exactly one JSON object, ${call} or {"${final}": {"${content}": …}}`;
  let message: unknown;
  try {
    message = JSON.parse(reply);
  } catch {
    return `the reply must be ${form}, without any text around it`;
  }
  if (!isObject(message)) return `the reply must be ${form}`;
  const other = Object.keys(message).find((key) => ![thought, action, final].includes(key));
  if (other !== undefined) return `the key ${JSON.stringify(other)} is none of ${thought}, ${action} and ${final}`;
  const repeated = repeatedKey(reply);
  if (repeated !== undefined) return `the key ${JSON.stringify(repeated)} comes twice`;
  const [part, ...more] = [action, final].filter((key) => (message[key] ?? null) !== null);
  if (part === undefined || more.length > 0) return `the reply must be ${form}`;
  const keys = part === action ? [name, args] : [content];
  const value = message[part];
  const hasKeys =
    isObject(value) && keys.every((key) => Object.hasOwn(value, key)) && Object.keys(value).length === keys.length;
  if (!hasKeys) return `${part} must be an object with ${keys.join(" and ")} and nothing else`;
  const words = message[thought];
  if (words !== undefined && typeof words !== "string") return `${thought} must be text`;
  if (typeof words === "string" && words.length > maxThought) {
    return `${thought} has ${words.length} characters, and at most ${maxThought} are allowed`;
  }
  return undefined;
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

/** Finds the first key that occurs twice in one of the two outermost objects or arrays. */
class KeyWatch implements ValueSink {
  repeated: string | undefined;
  private readonly levels: Set<string>[] = [];

  begin(kind: Composite): void {
    if (kind !== "string") this.levels.push(new Set());
  }

  end(kind: Composite): void {
    if (kind !== "string") this.levels.pop();
  }

  key(key: string): void {
    const known = this.levels.at(-1);
    if (this.levels.length <= 2 && known?.has(key)) this.repeated ??= key;
    known?.add(key);
  }

  text(): void {}

  scalar(): void {}
}
