import { isObject, isPlainObject } from "./plain-object.js";

/** The message of an error, including errors from another realm; any other value as data. */
export function messageOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return contentOf(error);
  const { message } = error as { message?: unknown };
  if (typeof message === "string") return message;
  return contentOf(error instanceof Error ? message : error);
}

/** Class, code and message of an error and of its causes; never a stack. */
export function withCauses(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return messageOf(error);
  const { name, cause } = error;
  const { code } = error as { code?: unknown };
  const text = `${name}${typeof code === "string" ? ` [${code}]` : ""}: ${messageOf(error)}`;
  return cause === undefined || depth >= 3 ? text : `${text}\nCaused by ${withCauses(cause, depth + 1)}`;
}

/**
 * The result of a tool as text for the model: strings unchanged, bytes as the text that they are, anything else as JSON.
 * What JSON lacks is written as well: maps, sets, bigints, `NaN`, errors and typed arrays; of an object inside itself, of one
 * without data, such as a `Response`, and of bytes that are no text, only that it is there.
 *
 * @example contentOf(new Map([["Oslo", 3]])); // '{"Oslo":3}'
 */
export function contentOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined) return "";
  if (value instanceof Uint8Array) return textOfBytes(value);
  const isNumber = typeof value === "bigint" || typeof value === "number";
  return (isNumber ? undefined : JSON.stringify(value, jsonOnly())) ?? String(value);
}

/**
 * What a value is of which {@link contentOf} can only say that it is there; undefined for all others.
 *
 * @example whyUnreadable(await fetch(url)); // "an object of the class Response, which has no data as JSON"
 */
export function whyUnreadable(value: unknown): string | undefined {
  if (value instanceof Uint8Array)
    return decoded(value) === undefined ? `${value.length} bytes that are no text` : undefined;
  if (!isEmptyInstance(value) || "toJSON" in value || asJson(value) !== namedClass(value)) return undefined;
  return `an object of the class ${value.constructor?.name || "?"}, which has no data as JSON`;
}

/** Replaces values that JSON cannot represent, or would as `{}`: see {@link asJson}; a circular object by a note. */
function jsonOnly() {
  /** The objects around a value: as given, and as written. */
  const parents: { given: object; written: unknown }[] = [];
  return function (this: unknown, key: string, data: unknown): unknown {
    // A buffer of Node.js would be an object with the numbers of its bytes.
    const raw = (this as Record<string, unknown>)[key];
    const given = ArrayBuffer.isView(raw) ? raw : data;
    const written = asJson(given);
    if (typeof given !== "object" || given === null || typeof written !== "object") return written;
    // `this` contains the value: objects that were entered after `this` are complete.
    while (parents.length > 0 && parents.at(-1)?.written !== this) parents.pop();
    if (parents.some((parent) => parent.given === given)) return "[Circular]";
    parents.push({ given, written });
    return written;
  };
}

/**
 * A bigint as a number, or as its digits where a number would change them, `NaN` and the infinities as text, a set as a list,
 * a map as an object or as pairs, an error as text, other objects by their class.
 */
function asJson(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof Set) return [...value];
  if (value instanceof Map) {
    const pairs = [...value];
    return pairs.every(([key]) => typeof key === "string") ? Object.fromEntries(pairs) : pairs;
  }
  if (value instanceof Error) return withCauses(value);
  if (value instanceof RegExp) return String(value);
  if (value instanceof Uint8Array) return textOfBytes(value);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return [...(value as Float64Array)];
  return isEmptyInstance(value) ? namedClass(value) : value;
}

/** Bytes as the text that they are in UTF-8. Text has no NUL. */
const textOfBytes = (bytes: Uint8Array): string => decoded(bytes) ?? `[${bytes.length} bytes]`;

function decoded(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

const namedClass = (value: object) => `[${value.constructor?.name || "object"}]`;

/** Whether a value is an object of a class whose data JSON does not see. */
const isEmptyInstance = (value: unknown): value is object =>
  isObject(value) && !isPlainObject(value) && Object.keys(value).length === 0;
