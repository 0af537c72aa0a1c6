import { isObject, isPlainObject } from "@toolingua/core/adapters";

/** A cached result. */
export interface CachedResult {
  value: unknown;
}

/**
 * A store of results. A `Map` is one, and so is any store of JSON (Keyv, a Redis client behind two functions).
 */
export interface ToolCache {
  get(key: string): CachedResult | undefined | Promise<CachedResult | undefined>;
  set(key: string, result: CachedResult): unknown;
}

/**
 * The key of a call: the tool's name, the owner of the result, and the arguments as JSON with sorted keys. `undefined`
 * if JSON cannot represent the arguments exactly (a `Map`, a `Date`, `NaN`, a bigint, a cycle): such a call is not
 * cached, since different calls would share its key.
 *
 * @example cacheKey("add", "ann", { b: 2, a: 1 }); // '["add","ann"]-{"a":1,"b":2}'
 */
export function cacheKey(tool: string, scope: string, args: unknown): string | undefined {
  try {
    return `${JSON.stringify([tool, scope])}-${JSON.stringify(args, plain)}`;
  } catch {
    return undefined;
  }
}

/** A replacer for `JSON.stringify` that checks values before `toJSON` changes them. */
function plain(this: Record<string, unknown>, key: string): unknown {
  const value = this[key];
  if (isObject(value)) {
    if (!isPlainObject(value)) throw new TypeError("not plain data");
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  const held = typeof value === "number" ? Number.isFinite(value) : !NOT_HELD.has(typeof value);
  // A property that is undefined equals an absent one, but an undefined item is not `null`.
  if (!held || (value === undefined && Array.isArray(this))) throw new TypeError("not plain data");
  return value;
}

const NOT_HELD = new Set(["bigint", "function", "symbol"]);
