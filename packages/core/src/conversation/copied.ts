import { mapStrings } from "../prompt/escape.js";
import type { ToolCall } from "../types.js";

const same = (text: string) => text;

/** A copy of plain data. What the application does to its original does not change the conversation. */
export const ownData = <T>(value: T): T => mapStrings(value, same) as T;

/**
 * A frozen copy of plain data: neither the caller who gave the data nor one who gets the copy can change it. Fields
 * that are `undefined` are left out, as in JSON.
 */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  const copy: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    const own = frozenCopy(part);
    if (key === "__proto__") Object.defineProperty(copy, key, { value: own, enumerable: true });
    else copy[key] = own;
  }
  return Object.freeze(copy) as T;
}

/** The call with its own copy of the arguments. */
export const copied = (call: ToolCall): ToolCall => ({ ...call, arguments: ownData(call.arguments) });
