import { isObject } from "../../common/plain-object.js";
import { join, stepsOf } from "../../schema/json.js";
import { ProviderFormatError } from "../common/expect.js";
import type { Converted } from "../common/types.js";
import { counts } from "./gemini-schema.js";

// Google's JSON has two spellings of every field, which its servers accept alike: https://protobuf.dev/programming-guides/json

/** The fields, of several words, that are read. */
const fields = [
  "systemInstruction",
  "toolConfig",
  "cachedContent",
  "functionDeclarations",
  "functionCallingConfig",
  "allowedFunctionNames",
  "functionCall",
  "functionResponse",
  "thoughtSignature",
  "inlineData",
  "mimeType",
  "fileData",
  "fileUri",
  "finishReason",
  "usageMetadata",
  "promptTokenCount",
  "toolUsePromptTokenCount",
  "candidatesTokenCount",
  "thoughtsTokenCount",
  "parametersJsonSchema",
  "propertyOrdering",
  "anyOf",
  ...counts,
];
const snakeCase = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const fieldOf: ReadonlyMap<string, string> = new Map(fields.map((field) => [snakeCase(field), field]));

/** The fields that contain fields. Others contain values, texts, and what only applications know. */
const containers = new Set([
  ...["config", "contents", "content", "parts", "systemInstruction", "candidates", "usageMetadata"],
  ...["tools", "functionDeclarations", "toolConfig", "functionCallingConfig"],
  ...["functionCall", "functionResponse", "inlineData", "fileData"],
  ...["parameters", "items", "anyOf"],
]);

/** Beyond this depth nothing is renamed: no request is so deep, and the stack is not endless. */
const MAX_DEPTH = 1000;

/**
 * The same conversion, which also accepts the fields in snake_case. Paths of losses and errors are those of the input.
 *
 * @example inEitherSpelling(fromRequest)({ contents: "Hi", system_instruction: "Be brief." });
 */
export function inEitherSpelling<Given, Options, T>(
  convert: (given: Given, options?: Options) => Converted<T>,
): (given: Given, options?: Options) => Converted<T> {
  return (given, options) => {
    const renamed = new Renaming().of(given, 0) as Given;
    if (renamed === given) return convert(given, options);
    try {
      const { value, losses } = convert(renamed, options);
      return { value, losses: losses.map((loss) => ({ ...loss, path: asGiven(loss.path, given) })) };
    } catch (error) {
      if (!(error instanceof ProviderFormatError)) throw error;
      throw new ProviderFormatError(asGiven(error.path, given), error.expected, error.value);
    }
  };
}

/** A JSON pointer to a renamed field as one into the input. */
function asGiven(path: string, given: unknown): string {
  let at = given as Record<string, unknown> | undefined;
  return stepsOf(path).reduce((before, step) => {
    const key =
      typeof at === "object" && at !== null && !(step in at) && snakeCase(step) in at ? snakeCase(step) : step;
    at = at?.[key] as typeof at;
    return join(before, key);
  }, "");
}

class Renaming {
  /** What became of each object; until that is known, the object itself. */
  private readonly made = new Map<object, unknown>();

  /** The value with its fields in camelCase; the value itself if they were. */
  of(given: unknown, depth: number): unknown {
    if (typeof given !== "object" || given === null || depth > MAX_DEPTH) return given;
    if (this.made.has(given)) return this.made.get(given);
    this.made.set(given, given);
    const made = Array.isArray(given) ? this.list(given, depth) : this.object(given, depth);
    this.made.set(given, made);
    return made;
  }

  private list(given: readonly unknown[], depth: number): unknown {
    const parts = given.map((part) => this.of(part, depth + 1));
    return parts.some((part, i) => part !== given[i]) ? parts : given;
  }

  private object(given: object, depth: number): unknown {
    return changed(given, (key, value) => {
      const field = fieldOf.get(key) ?? key;
      // Of a field that is written in both spellings, the other one is unknown, and reported.
      const name = Object.hasOwn(given, field) ? key : field;
      // Properties have names of their own.
      const inside = (part: unknown) => this.of(part, depth + 1);
      if (name === "properties" && isObject(value)) return [name, changed(value, (own, part) => [own, inside(part)])];
      return [name, containers.has(name) ? inside(value) : value];
    });
  }
}

/** The object with each of its entries changed; the object itself if none was. */
function changed(given: object, change: (key: string, value: unknown) => [key: string, value: unknown]): object {
  const before = Object.entries(given);
  const after = before.map(([key, value]) => change(key, value));
  const isSame = after.every(([key, value], i) => key === before[i]![0] && value === before[i]![1]);
  return isSame ? given : Object.fromEntries(after);
}
