/** A result that was kept. */
export interface CachedResult {
  value: unknown;
}

/**
 * Where results are kept. A `Map` is one; so is what keeps JSON elsewhere (Keyv, a Redis client behind two functions).
 */
export interface ToolCache {
  get(key: string): CachedResult | undefined | Promise<CachedResult | undefined>;
  set(key: string, result: CachedResult): unknown;
}

/**
 * The key of a call: the tool's name, whose result it is, and the arguments as JSON, whatever the order of their keys.
 * `undefined` where JSON does not hold them whole (a `Map`, a `Date`, `NaN`, a bigint, a circle): such a call is not
 * cached, since its key would be that of other calls, too.
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

/** A replacer of `JSON.stringify`, which looks at what stands there before `toJSON` has changed it. */
function plain(this: Record<string, unknown>, key: string): unknown {
  const value = this[key];
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw new TypeError("not plain data");
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  const held = typeof value === "number" ? Number.isFinite(value) : !NOT_HELD.has(typeof value);
  // A key without a value is as good as none; an item without one is no `null`.
  if (!held || (value === undefined && Array.isArray(this))) throw new TypeError("not plain data");
  return value;
}

const NOT_HELD = new Set(["bigint", "function", "symbol"]);
