import { checkedMessages } from "../../check-messages.js";
import { didYouMean, isMisspelling } from "../../common/nearest-name.js";
import { isObject } from "../../common/plain-object.js";
import { ToolinguaError } from "../../errors.js";
import { type JsonObject, join } from "../../schema/json.js";
import { describeJson } from "../../schema/words.js";
import type { ChatMessage } from "../../types.js";
import type { ProviderName } from "./types.js";

/**
 * A value that does not have the expected format. Code: `unexpected-shape`. `path` is a JSON pointer to the value,
 * `expected` describes the correct form, `value` is the actual value.
 *
 * @example
 * try { openai.fromRequest(body); }
 * catch (error) { if (error instanceof ProviderFormatError) console.error(error.path, error.expected); }
 */
export class ProviderFormatError extends ToolinguaError {
  static override readonly name: string = "ProviderFormatError";

  readonly path: string;
  readonly expected: string;
  readonly value: unknown;

  constructor(path: string, expected: string, value: unknown, options?: ErrorOptions) {
    const got = value === undefined ? "nothing" : describeJson(value);
    super("unexpected-shape", `${path || "The value"}: expected ${expected}, got ${got}.`, options);
    this.path = path;
    this.expected = expected;
    this.value = value;
  }
}

const providerNames: readonly ProviderName[] = [
  "openai",
  "openai-functions",
  "openai-responses",
  "anthropic",
  "gemini",
];

/** The name, which must be that of a provider format. */
export function providerNameAt(name: ProviderName): ProviderName {
  return wordAt(name, "provider", providerNames);
}

/**
 * The value, which must be one of these words. `more`: words for another accepted value. Errors: {@link ProviderFormatError}.
 *
 * @example wordAt(format.type, "/format/type", ["text", "grammar"]);
 */
export function wordAt<Word extends string>(value: unknown, path: string, words: readonly Word[], more?: string): Word {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  const all = [...words.map((word) => `"${word}"`), ...(more === undefined ? [] : [more])];
  const hint = typeof value === "string" ? didYouMean(value, words, "") : "";
  const asked = hint === "" ? "" : ` (${hint.charAt(0).toLowerCase()}${hint.slice(1)})`;
  throw new ProviderFormatError(path, `${all.slice(0, -1).join(", ")} or ${all.at(-1)}${asked}`, value);
}

/**
 * The value, which must be an object. Errors: {@link ProviderFormatError}. Example: `objectAt(data.agent, "/agent")`.
 */
export function objectAt(value: unknown, path: string, expected = "an object"): JsonObject {
  if (isObject(value)) return value;
  throw new ProviderFormatError(path, expected, value);
}

/** The value, which must be a list. Errors: {@link ProviderFormatError}. Example: `listAt(data.steps, "/steps")`. */
export function listAt(value: unknown, path: string, expected = "a list"): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new ProviderFormatError(path, expected, value);
}

/**
 * The value, which must be a string. Errors: {@link ProviderFormatError}. Example: `textAt(step.source,
 * "/steps/0/source")`.
 */
export function textAt(value: unknown, path: string, expected = "a string"): string {
  if (typeof value === "string") return value;
  throw new ProviderFormatError(path, expected, value);
}

/** The error for a field that an object lacks, with the key that was written for it; `others`: keys of other APIs. */
export function missingField(
  object: JsonObject,
  key: string,
  path: string,
  expected: string,
  others: readonly string[] = [],
): ProviderFormatError {
  const meant = Object.keys(object).find((one) => one !== key && (others.includes(one) || isMisspelling(one, key)));
  const hint = meant === undefined ? "" : ` (there is ${JSON.stringify(meant)}: did you mean ${JSON.stringify(key)}?)`;
  return new ProviderFormatError(join(path, key), `${expected}${hint}`, object[key]);
}

/** The content of a message that is shown to the model. Errors: {@link ProviderFormatError} if it has none. */
export function contentAt(message: JsonObject, path: string): unknown {
  if (message.content != null) return message.content;
  throw missingField(message, "content", path, "a text or a list of parts");
}

/** The list, each of whose items must be an object. `what`: one of them. Errors: {@link ProviderFormatError}. */
export function itemsAt<Item>(list: readonly Item[], path: string, what: string): readonly Item[] {
  listAt(list, path, `a list, each ${what}`).forEach((item, i) => {
    objectAt(item, join(path, i), what);
  });
  return list;
}

/** The field of this name, which must be a string if the object has it. Errors: {@link ProviderFormatError}. */
export function optionalText<Key extends string>(object: JsonObject, key: Key, path: string): { [K in Key]?: string } {
  const value = object[key];
  return (value == null ? {} : { [key]: textAt(value, join(path, key)) }) as { [K in Key]?: string };
}

const roles: readonly ChatMessage["role"][] = ["system", "user", "assistant", "tool"];

/** The messages, checked. Errors: {@link ProviderFormatError} for an unknown role, `ConversationError` (`bad-message`). */
export function withRoles(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  listAt(messages, "/messages", "a list of messages").forEach((message, i) => {
    const { role } = objectAt(message, join("/messages", i), "a message: { role, content }");
    wordAt(role, join("/messages", i, "role"), roles);
  });
  // What JSON lacks in arguments is reported as a loss.
  return checkedMessages(messages, false);
}
